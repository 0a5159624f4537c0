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

/**
 * Brings `db` to the schema of this program. Throws {@link StoreUnusable} where the store was written by a newer program, or where a
 * migration that was applied is not the one that this program carries.
 */
export function migrate(db: Database.Database, now: number, carried = migrations()): void {
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
