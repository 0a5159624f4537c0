// Runs in a worker thread: parsing and checking a large configuration takes seconds, and packets must not wait for it.
import { parentPort, workerData } from 'node:worker_threads';
import { compile } from './apply.js';

parentPort?.postMessage(compile(workerData as ReadonlyMap<string, string>));
