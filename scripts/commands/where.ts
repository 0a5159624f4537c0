// Which store a reading command means: the one named, the one of the file named, or the demo's of this folder.
import { dirname, resolve } from 'node:path';
import type { Reader } from '../../db/store.js';
import { StoreUnusable } from '../../db/store.js';
import { loadConfig } from '../../lib/config/load.js';
import { readDemoNote } from '../../server/demo.js';
import { readConfig } from '../../server/files.js';
import { openReader } from '../../server/open.js';

export interface StoreArguments {
  store: string | undefined;
  config: string | undefined;
}

export const storeOptions = {
  store: { type: 'string', requiresArg: true, describe: 'The store to read' },
  config: { type: 'string', requiresArg: true, describe: 'The configuration file whose store to read' },
} as const;

export type Found =
  | { readonly ok: true; readonly reader: Reader }
  | { readonly ok: false; readonly exitCode: 2 | 5; readonly message: string };

/** Opens the store that the arguments mean. */
export async function findStore(args: StoreArguments): Promise<Found> {
  const path = await storePath(args);
  if (typeof path !== 'string') return path;
  try {
    return { ok: true, reader: openReader(path) };
  } catch (error) {
    if (error instanceof StoreUnusable) return { ok: false, exitCode: 5, message: error.message };
    throw error;
  }
}

async function storePath({ store, config }: StoreArguments): Promise<string | Extract<Found, { ok: false }>> {
  if (store !== undefined) return store;
  if (config === undefined) {
    const message =
      'which store? Name it with --store FILE, or its configuration with --config FILE; the demo of this folder would be found by itself, but none was started here';
    return readDemoNote()?.store ?? { ok: false, exitCode: 2, message };
  }
  const read = await readConfig(config);
  if (!read.ok) return { ok: false, exitCode: 2, message: read.message };
  const loaded = loadConfig(read.files);
  if (loaded.ok) return resolve(dirname(config), loaded.settings.store);
  const message = `${config} has mistakes (leasehold check ${config} lists them): name the store itself with --store FILE`;
  return { ok: false, exitCode: 2, message };
}
