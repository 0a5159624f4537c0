// Opens the file: the lock that the kernel frees, the settings that make a commit durable, and a sentence for everything that can be wrong.
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { StoreUnusable } from '../store.js';

/** `off` exists so that a test can show that it notices; no program of ours uses it. */
export type Synchronous = 'full' | 'off';

/** Holds `PATH.lock` until `release`, or until the process dies. Throws {@link StoreUnusable} where another process has it. */
export function lockStore(path: string): { release: () => void } {
  const lock = new Database(`${path}.lock`, { timeout: 0 });
  try {
    lock.pragma('journal_mode = memory');
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    if (codeOf(error).startsWith('SQLITE_BUSY')) {
      throw new StoreUnusable(
        `the store ${path} is in use by another leasehold (it holds ${path}.lock): stop that one first`,
      );
    }
    throw error;
  }
  return { release: () => lock.close() };
}

/** Opens `path` for writing, or `:memory:`. The caller holds the lock. */
export function openWriting(path: string, synchronous: Synchronous): Database.Database {
  const db = new Database(path, { timeout: 5000 });
  try {
    db.pragma('journal_mode = WAL');
    db.pragma(`synchronous = ${synchronous}`);
    db.pragma('foreign_keys = ON');
    db.pragma('cache_size = -65536');
    const damage = db.pragma('quick_check(1)', { simple: true }) as string;
    if (damage !== 'ok') throw new StoreUnusable(`the store ${path} is corrupt (${damage}): restore it from a backup`);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Opens `path` for reading beside a daemon that may be writing to it. */
export function openReading(path: string): Database.Database {
  if (!existsSync(path))
    throw new StoreUnusable(`there is no store at ${path}: start the server once, or name another with --store`);
  const db = new Database(path, { readonly: true, timeout: 5000 });
  try {
    db.pragma('cache_size = -65536');
    db.prepare('SELECT count(*) FROM sqlite_master').get();
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** What is wrong with `path` before SQLite is asked; undefined: nothing that can be seen from outside. */
function outsideFault(path: string): string | undefined {
  const folder = dirname(path);
  if (!existsSync(folder)) return `its folder ${folder} does not exist: make it, or name another store`;
  if (!statSync(folder).isDirectory()) return `${folder} is not a folder`;
  if (existsSync(path) && statSync(path).isDirectory()) return 'it is a folder, not a file';
  try {
    accessSync(folder, constants.W_OK);
    if (existsSync(path)) accessSync(path, constants.W_OK);
  } catch {
    return 'it, or its folder, is read-only for this user: SQLite writes beside the file too';
  }
  return undefined;
}

export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** The sentence for an error of SQLite's on `path`; what is not one is thrown again. */
export function explain(path: string, error: unknown): StoreUnusable {
  if (error instanceof StoreUnusable) return error;
  const outside = path === ':memory:' ? undefined : outsideFault(path);
  if (outside !== undefined) return new StoreUnusable(`cannot open the store ${path}: ${outside}`);
  const code = codeOf(error);
  if (!code.startsWith('SQLITE_')) throw error;
  const found = Object.entries(sentences).find(([prefix]) => code.startsWith(prefix))?.[1] ?? 'SQLite refused it';
  return new StoreUnusable(`the store ${path} cannot be used: ${found} (${code})`);
}

const sentences = {
  SQLITE_BUSY: 'another process is writing to it',
  SQLITE_LOCKED: 'another process is writing to it',
  SQLITE_READONLY: 'it is read-only',
  SQLITE_FULL: 'the disk is full',
  SQLITE_CORRUPT: 'it is corrupt: restore it from a backup',
  SQLITE_NOTADB: 'the file is not a SQLite database: name another store, or move the file away',
  SQLITE_CANTOPEN: 'it cannot be opened',
  SQLITE_PERM: 'its permissions forbid it',
  SQLITE_IOERR: 'the disk reported an error',
  SQLITE_NOMEM: 'there is no memory left',
} as const;
