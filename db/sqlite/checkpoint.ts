// Keeps the write-ahead log short: from a worker thread with a connection of its own, off the packet path.
import { Worker } from 'node:worker_threads';
import type Database from 'better-sqlite3';

/** Changes between two checkpoints; a change is a few pages of 4 KiB. */
const EVERY = 500;
/** Pages in the log over which the writer itself stops and empties it: 64 MiB. Then the worker could not keep up, or a reader held it. */
const MOST = 16_384;

export class Checkpointer {
  readonly #db: Database.Database;
  readonly #path: string;
  #worker: Worker | undefined;
  #running = false;
  #changes = 0;
  #overfull = false;

  constructor(db: Database.Database, path: string) {
    this.#db = db;
    this.#path = path;
    if (path !== ':memory:') db.pragma('wal_autocheckpoint = 0');
  }

  /** To be called after a commit, outside of any transaction, with the number of changes in it. */
  committed(changes: number): void {
    if (this.#path === ':memory:') return;
    this.#changes += changes;
    if (this.#overfull) {
      this.#overfull = false;
      this.#db.pragma('wal_checkpoint(RESTART)');
    }
    if (this.#changes < EVERY || this.#running) return;
    this.#changes = 0;
    this.#running = true;
    this.#worker ??= this.#start();
    this.#worker.postMessage('go');
  }

  #start(): Worker {
    const worker = new Worker(new URL('./checkpoint-worker.js', import.meta.url), { workerData: this.#path });
    worker.unref();
    worker.on('message', (pages: number) => {
      this.#running = false;
      this.#overfull = pages > MOST;
    });
    // Without the worker SQLite checkpoints by itself, on the packet path: slower, and just as safe.
    worker.on('error', () => {
      if (this.#db.open) this.#db.pragma('wal_autocheckpoint = 1000');
    });
    return worker;
  }

  close(): void {
    void this.#worker?.terminate();
  }
}
