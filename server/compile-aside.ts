// Compiles a configuration in a worker thread, and takes the result over in pieces, so that packets wait for none of it.
import { Worker } from 'node:worker_threads';
import type { Declaration } from '../lib/ipam/model.js';
import type { Compiled } from './apply.js';

/** What the worker says: declarations, slice by slice, and then all the rest. */
export type Part =
  | { readonly kind: 'declarations'; readonly declarations: readonly Declaration[] }
  | { readonly kind: 'end'; readonly compiled: Compiled };

/** Parses and checks `files`. */
export function compileAside(files: ReadonlyMap<string, string>): Promise<Compiled> {
  return new Promise((resolve, reject) => {
    const declarations: Declaration[] = [];
    const worker = new Worker(new URL('./compile-worker.js', import.meta.url), { workerData: files });
    // A process that has nothing else to do does not wait for it.
    worker.unref();
    worker.once('error', reject);
    worker.on('message', (part: Part) => {
      if (part.kind === 'declarations') declarations.push(...part.declarations);
      else if (part.compiled.ok) resolve({ ok: true, config: { ...part.compiled.config, declarations } });
      else resolve(part.compiled);
    });
  });
}
