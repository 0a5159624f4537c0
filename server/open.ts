// Which store stands behind the contract: the only file that names it.
import type { Reader, Store } from '../db/store.js';
import type { OpenOptions } from '../db/sqlite/sqlite.js';
import { openSqlite, readSqlite } from '../db/sqlite/sqlite.js';

export type { OpenOptions };

/** Opens the store for the one process that writes. Throws `StoreUnusable` with a sentence for the operator. */
export function openStore(options: OpenOptions): Store {
  return openSqlite(options);
}

/** Opens the store for reading, whether a daemon has it or not. Throws `StoreUnusable`. */
export function openReader(path: string): Reader {
  return readSqlite(path);
}
