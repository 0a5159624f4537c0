// Names that many rows point to, each written once.
import type Database from 'better-sqlite3';

/** Numbers of names that are written once and then only looked up; forgotten when a transaction is undone. */
export class Names {
  readonly #known = new Map<string, number>();
  constructor(
    private readonly insert: Database.Statement<string[]>,
    private readonly select: Database.Statement<[string], number>,
  ) {}

  id(name: string, ...more: string[]): number {
    let id = this.#known.get(name);
    if (id === undefined) {
      this.insert.run(name, ...more);
      id = this.select.get(name) ?? 0;
      this.#known.set(name, id);
    }
    return id;
  }

  forget(): void {
    this.#known.clear();
  }
}

/** The names that a store has, by their tables. */
export class NameTables {
  readonly vrfs: Names;
  readonly networks: Names;
  readonly files: Names;

  constructor(db: Database.Database) {
    const names = (table: string, column: string, insert: string): Names =>
      new Names(
        db.prepare<string[]>(insert),
        db.prepare<[string], number>(`SELECT id FROM ${table} WHERE ${column} = ?`).pluck(),
      );
    this.vrfs = names('vrf', 'name', 'INSERT INTO vrf (name) VALUES (?) ON CONFLICT DO NOTHING');
    this.networks = names(
      'network',
      'name',
      'INSERT INTO network (name, vrf) VALUES (?, (SELECT id FROM vrf WHERE name = ?)) ON CONFLICT DO NOTHING',
    );
    this.files = names('source_file', 'path', 'INSERT INTO source_file (path) VALUES (?) ON CONFLICT DO NOTHING');
  }

  /** The number of `network`, whose collision domain is `vrf`. */
  network(network: string, vrf: string): number {
    this.vrfs.id(vrf);
    return this.networks.id(network, vrf);
  }

  /** After a rollback the numbers learnt in it may be wrong. */
  forget(): void {
    this.vrfs.forget();
    this.networks.forget();
    this.files.forget();
  }
}
