// Runs in a worker thread: parsing and checking a large configuration takes seconds, and packets must not wait for it.
import { parentPort, workerData } from 'node:worker_threads';
import { compile } from './apply.js';
import type { Part } from './compile-aside.js';

/** Declarations in one message: taking one over is work for the thread that receives it. */
const SLICE = 250;

const compiled = compile(workerData as ReadonlyMap<string, string>);
const say = (part: Part): void => parentPort?.postMessage(part);

if (compiled.ok) {
  const { declarations, ...rest } = compiled.config;
  for (let from = 0; from < declarations.length; from += SLICE) {
    say({ kind: 'declarations', declarations: declarations.slice(from, from + SLICE) });
  }
  say({ kind: 'end', compiled: { ok: true, config: { ...rest, declarations: [] } } });
} else {
  say({ kind: 'end', compiled });
}
