// The append-only journal: one row for each transition.
import type Database from 'better-sqlite3';

export interface Entry {
  readonly at: number;
  readonly event: string;
  readonly actor: string;
  /** The config revision that was current. */
  readonly revision: number;
  readonly network: number | undefined;
  readonly owner: Uint8Array | undefined;
  readonly resource: number | undefined;
  readonly address: Uint8Array | undefined;
  readonly before: Readonly<Record<string, unknown>> | undefined;
  readonly after: Readonly<Record<string, unknown>> | undefined;
}

export class Journal {
  readonly #add: Database.Statement;

  constructor(db: Database.Database) {
    this.#add = db.prepare(
      `INSERT INTO journal (at, event, actor, revision, network, owner, resource, address, before, after)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
  }

  /** Writes a row and gives its number. */
  add(entry: Entry): number {
    return Number(
      this.#add.run(
        entry.at,
        entry.event,
        entry.actor,
        entry.revision,
        entry.network ?? null,
        entry.owner ?? null,
        entry.resource ?? null,
        entry.address ?? null,
        entry.before === undefined ? null : JSON.stringify(entry.before),
        entry.after === undefined ? null : JSON.stringify(entry.after),
      ).lastInsertRowid,
    );
  }
}
