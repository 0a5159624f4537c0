// The store on SQLite: one file, one writer, one transaction a batch.
import type Database from 'better-sqlite3';
import type { Change, Declaration, Standing } from '../../lib/ipam/model.js';
import type { Resource } from '../../lib/lifecycle/policy.js';
import type { Owner } from '../../lib/net/ids.js';
import type { Ip } from '../../lib/net/ip.js';
import { ipFromBytes, ipToBytes } from '../../lib/net/ip.js';
import type { Range } from '../../lib/net/prefix.js';
import type { Result } from '../../lib/net/reason.js';
import { fail, ok } from '../../lib/net/reason.js';
import type { Applied, Decide, Settled, Store, StoreUnusable } from '../store.js';
import { Applier } from './apply.js';
import { Checkpointer } from './checkpoint.js';
import type { Synchronous } from './connect.js';
import { codeOf, explain, lockStore, openReading, openWriting } from './connect.js';
import { NameTables } from './names.js';
import { migrate, refuseUnreadable } from './migrate.js';
import { SqliteReader } from './reader.js';
import type { DeclarationRow, StandingRow } from './rows.js';
import { allStandingsFrom } from './view.js';
import { WriterView } from './writer-view.js';
import {
  declarationColumns,
  declarationFromRow,
  isCurrent,
  ownerFromBlob,
  resourceCode,
  standingColumns,
  standingFromRow,
} from './rows.js';

export interface OpenOptions {
  /** A file, or `:memory:`. */
  readonly path: string;
  readonly now: number;
  readonly synchronous?: Synchronous;
}

/** Opens the store for the one process that writes; makes it where there is none. Throws {@link StoreUnusable} with a sentence. */
export function openSqlite(options: OpenOptions): SqliteStore {
  const { path, now, synchronous = 'full' } = options;
  let lock: { release: () => void } | undefined;
  let db: Database.Database | undefined;
  try {
    if (path !== ':memory:') lock = lockStore(path);
    db = openWriting(path, synchronous);
    migrate(db, now);
    // A write that is synced: what cannot be made durable is found now, and not by the first client.
    db.prepare(`INSERT OR REPLACE INTO state (name, value) VALUES ('opened', ?)`).run(now);
    return new SqliteStore(db, path, () => lock?.release());
  } catch (error) {
    db?.close();
    lock?.release();
    throw explain(path, error);
  }
}

/** Opens the store for reading, beside a daemon or without one. Throws {@link StoreUnusable}. */
export function readSqlite(path: string): SqliteReader {
  try {
    const db = openReading(path);
    try {
      refuseUnreadable(db);
      return new SqliteReader(db, new NameTables(db));
    } catch (error) {
      db.close();
      throw error;
    }
  } catch (error) {
    throw explain(path, error);
  }
}

export class SqliteStore extends SqliteReader implements Store {
  readonly #db: Database.Database;
  readonly #path: string;
  readonly #applier: Applier;
  readonly #view: WriterView;
  readonly #names: NameTables;
  readonly #checkpointer: Checkpointer;
  readonly #sql;

  constructor(db: Database.Database, path: string, release: () => void) {
    const names = new NameTables(db);
    const view = new WriterView(db, names);
    super(db, names, view, release);
    this.#names = names;
    this.#view = view;
    this.#db = db;
    this.#path = path;
    this.#applier = new Applier(db, names);
    this.#checkpointer = new Checkpointer(db, path);
    const prepare = (sql: string): Database.Statement => db.prepare(sql);
    this.#sql = {
      begin: prepare('BEGIN'),
      commit: prepare('COMMIT'),
      rollback: prepare('ROLLBACK'),
      savepoint: prepare('SAVEPOINT decision'),
      release: prepare('RELEASE decision'),
      undo: prepare('ROLLBACK TO decision'),
      stale: db
        .prepare<[], number>(
          `SELECT 1 FROM declaration WHERE NOT ${isCurrent} UNION ALL
           SELECT 1 FROM revision WHERE number > (SELECT value FROM state WHERE name = 'revision') LIMIT 1`,
        )
        .pluck(),
      fixedAfter: db
        .prepare<[number, number], [number, ...DeclarationRow]>(
          `SELECT d.id, ${declarationColumns} FROM declaration d
           WHERE d.id > ? AND d.ipv4_address IS NOT NULL AND ${isCurrent} ORDER BY d.id LIMIT ?`,
        )
        .raw(),
      walk: db
        .prepare<[number, number], [number, ...StandingRow]>(
          `SELECT p.resource, ${standingColumns} ${allStandingsFrom}
           WHERE i.id IN (SELECT id FROM interface WHERE id > ? ORDER BY id LIMIT ?) ORDER BY i.id`,
        )
        .raw(),
    };
  }

  transact<T>(decisions: readonly Decide<T>[], applied: Applied): Settled<T> {
    const results: Result<T>[] = [];
    let written = 0;
    try {
      // Deferred: a batch without changes only reads, and its commit touches no disk.
      this.#sql.begin.run();
      for (const decide of decisions) {
        results.push(
          this.#settle(decide, (changes) => {
            written += changes.length;
            applied(changes);
          }),
        );
      }
      this.#sql.commit.run();
      this.#checkpointer.committed(written);
      return results;
    } catch (error) {
      this.#forget();
      // SQLite undoes the whole transaction by itself on a full disk or an I/O error; else it is for us to do.
      if (this.#db.inTransaction) this.#sql.rollback.run();
      throw explain(this.#path, error);
    }
  }

  #settle<T>(decide: Decide<T>, applied: Applied): Result<T> {
    let changes: readonly Change[];
    let value: T;
    try {
      ({ changes, value } = decide(this.view));
    } catch (error) {
      return this.#refused(error);
    }
    if (changes.length === 0) return ok(value);
    this.#sql.savepoint.run();
    try {
      for (const change of changes) this.#applier.apply(change);
    } catch (error) {
      // Gone with the whole transaction: no decision of this batch stands.
      if (!this.#db.inTransaction) throw error;
      this.#sql.undo.run();
      this.#sql.release.run();
      this.#forget();
      return this.#refused(error);
    }
    this.#sql.release.run();
    if (changes.some(({ kind }) => kind === 'revise')) this.#forget();
    else this.#view.written();
    applied(changes);
    return ok(value);
  }

  #forget(): void {
    this.#names.forget();
    this.#view.forget();
  }

  #refused(error: unknown): Result<never> {
    const code = codeOf(error);
    // The referee: whatever the index said, an address has one holder.
    if (code === 'SQLITE_CONSTRAINT_UNIQUE' && String(error).includes('binding.address')) return fail('address-taken');
    // Neither a constraint nor this decision's fault: the disk or the file. Nothing of the batch may be answered.
    if (code.startsWith('SQLITE_') && !code.startsWith('SQLITE_CONSTRAINT')) throw error;
    return fail('decision-failed', error instanceof Error ? (error.stack ?? error.message) : String(error));
  }

  override close(): void {
    this.#checkpointer.close();
    super.close();
  }

  unusable(error: unknown): StoreUnusable {
    return explain(this.#path, error);
  }

  *taken(vrf: string, range: Range): Iterable<Ip> {
    const [first, last] = [ipToBytes(range.first), ipToBytes(range.last)];
    for (const table of ['binding', 'hold']) {
      const select = this.#db
        .prepare<[string, Uint8Array, Uint8Array, number], Uint8Array>(
          `SELECT t.address FROM vrf v JOIN ${table} t ON t.vrf = v.id
           WHERE v.name = ? AND t.address BETWEEN ? AND ? AND length(t.address) = ?`,
        )
        .pluck();
      for (const address of select.iterate(vrf, first, last, first.length)) yield ipFromBytes(address);
    }
  }

  walk(after: number, limit: number): readonly (Standing & { readonly resource: Resource })[] {
    return this.#sql.walk.all(after, limit).map(([resource, ...columns]) => ({
      ...standingFromRow(columns, this.#names),
      resource: resourceCode.word(resource),
    }));
  }

  *declines(since: number): Iterable<{ readonly owner: Owner; readonly at: number }> {
    const rows = this.#db
      .prepare<[], [number, string, Uint8Array | null]>('SELECT at, event, owner FROM journal ORDER BY seq DESC')
      .raw();
    for (const [at, event, owner] of rows.iterate()) {
      if (at <= since) return;
      if (event === 'quarantine' && owner !== null) yield { owner: ownerFromBlob(owner), at };
    }
  }

  newest(): number {
    return this.#applier.newest();
  }

  hasStale(): boolean {
    return this.#sql.stale.get() !== undefined;
  }

  fixedAfter(after: number, limit: number): readonly { readonly id: number; readonly declaration: Declaration }[] {
    return this.#sql.fixedAfter.all(after, limit).map(([id, ...row]) => ({
      id,
      declaration: declarationFromRow(row, this.#names),
    }));
  }

  *fixed(): Iterable<Ip> {
    for (const column of ['ipv4_address', 'ipv6_address']) {
      const select = this.#db.prepare<[], Uint8Array>(
        `SELECT ${column} FROM declaration WHERE ${column} IS NOT NULL AND ${isCurrent}`,
      );
      for (const address of select.pluck().iterate()) yield ipFromBytes(address);
    }
  }
}
