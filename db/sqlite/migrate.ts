// Numbered SQL files, each applied once, in one transaction, and remembered with its checksum.
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import type Database from 'better-sqlite3';
import { StoreUnusable } from '../store.js';

interface Migration {
  readonly number: number;
  readonly name: string;
  readonly sql: string;
  readonly checksum: string;
}

const folder = new URL('./migrations/', import.meta.url);

/** The migrations that this program carries, in their order. */
export function migrations(): readonly Migration[] {
  return readdirSync(folder)
    .filter((file) => /^\d{4}-[a-z0-9-]+\.sql$/.test(file))
    .sort()
    .map((name) => {
      const sql = readFileSync(new URL(name, folder), 'utf8');
      return { number: Number(name.slice(0, 4)), name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
    });
}

/** Somebody else's database is not ours to put tables into. */
function refuseForeign(db: Database.Database): void {
  const [tables, ours] = db
    .prepare<[], [number, number]>(`SELECT count(*), total(name = 'migration') FROM sqlite_master WHERE type = 'table'`)
    .raw()
    .get() ?? [0, 0];
  if (tables > 0 && ours === 0)
    throw new StoreUnusable(
      'the file is a database of another program: name another store with server.store or --store',
    );
}

/**
 * Brings `db` to the schema of this program. Throws {@link StoreUnusable} where the store was written by a newer or another program, or where a
 * migration that was applied is not the one that this program carries.
 */
export function migrate(db: Database.Database, now: number, carried = migrations()): void {
  refuseForeign(db);
  db.exec(`CREATE TABLE IF NOT EXISTS migration (
    number INTEGER PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL, at INTEGER NOT NULL) STRICT`);
  const applied = db.prepare('SELECT number, name, checksum FROM migration ORDER BY number').all() as Migration[];
  const newest = carried.at(-1)?.number ?? 0;
  for (const row of applied) {
    const ours = carried.find((migration) => migration.number === row.number);
    if (ours === undefined) {
      throw new StoreUnusable(
        `the store has schema ${row.number} (${row.name}), newer than this program's ${newest}: run the newer leasehold, or restore a copy from before the upgrade`,
      );
    }
    if (ours.checksum !== row.checksum) {
      throw new StoreUnusable(
        `migration ${row.name} of the store is not the one that this program carries: the store was made by a changed program, and is left alone`,
      );
    }
  }
  const done = new Set(applied.map((row) => row.number));
  const note = db.prepare('INSERT INTO migration (number, name, checksum, at) VALUES (?, ?, ?, ?)');
  for (const migration of carried) {
    if (done.has(migration.number)) continue;
    db.transaction(() => {
      db.exec(migration.sql);
      note.run(migration.number, migration.name, migration.checksum, now);
    }).immediate();
  }
}

/** What a reading command can make nothing of. Throws {@link StoreUnusable} where `db` is no store, or one of another schema. */
export function refuseUnreadable(db: Database.Database, carried = migrations()): void {
  const ours = db.prepare(`SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'migration'`).get();
  const has =
    ours === undefined ? null : db.prepare<[], number | null>('SELECT max(number) FROM migration').pluck().get();
  const newest = carried.at(-1)?.number ?? 0;
  if (has === undefined || has === null) throw new StoreUnusable('the file is not a store of leasehold: name another');
  if (has > newest)
    throw new StoreUnusable(
      `the store has schema ${has}, newer than this program's ${newest}: use the newer leasehold`,
    );
  if (has < newest)
    throw new StoreUnusable(`the store has schema ${has}, older than this program's ${newest}: start the server once`);
}
