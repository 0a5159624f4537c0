// Runs in a worker thread: moves what the write-ahead log holds into the database, so that no packet waits for that.
import { parentPort, workerData } from 'node:worker_threads';
import Database from 'better-sqlite3';

const db = new Database(workerData as string, { timeout: 5000 });

parentPort?.on('message', () => {
  // Passive: takes what is committed and never makes the writer wait. A row of busy, pages in the log, pages moved.
  const [row] = db.pragma('wal_checkpoint(PASSIVE)') as { log: number }[];
  parentPort?.postMessage(row?.log ?? 0);
});
