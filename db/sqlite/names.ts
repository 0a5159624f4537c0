// Names that many rows point to, each written once: the rows hold numbers, and what a number means is remembered here.
import type Database from 'better-sqlite3';

/** One table of names. Numbers never change their meaning while the store is open; what a rollback undid is forgotten. */
class Names {
  readonly #ids = new Map<string, number>();
  readonly #names = new Map<number, string>();
  readonly #insert: Database.Statement<string[]>;
  readonly #byName: Database.Statement<[string], number>;
  readonly #byId: Database.Statement<[number], string>;

  constructor(db: Database.Database, table: string, column: string, insert: string) {
    this.#insert = db.prepare<string[]>(insert);
    this.#byName = db.prepare<[string], number>(`SELECT id FROM ${table} WHERE ${column} = ?`).pluck();
    this.#byId = db.prepare<[number], string>(`SELECT ${column} FROM ${table} WHERE id = ?`).pluck();
  }

  /** The number of `name`; undefined where the store does not have it. */
  find(name: string): number | undefined {
    let id = this.#ids.get(name);
    if (id !== undefined) return id;
    id = this.#byName.get(name);
    if (id !== undefined) this.#ids.set(name, id);
    return id;
  }

  /** The number of `name`, which is written where the store does not have it, with `more` columns. */
  id(name: string, ...more: string[]): number {
    const known = this.find(name);
    if (known !== undefined) return known;
    const id = Number(this.#insert.run(name, ...more).lastInsertRowid);
    this.#ids.set(name, id);
    return id;
  }

  /** What `id` stands for; a number that stands for nothing is a defect, or a store that somebody else wrote to. */
  name(id: number): string {
    let name = this.#names.get(id);
    if (name === undefined) {
      name = this.#byId.get(id);
      if (name === undefined) throw new Error(`the store has no name for ${id}`);
      this.#names.set(id, name);
    }
    return name;
  }

  forget(): void {
    this.#ids.clear();
    this.#names.clear();
  }
}

/** The names that a store has, by their tables. */
export class NameTables {
  readonly vrfs: Names;
  readonly networks: Names;
  readonly files: Names;
  readonly #vrfOfNetwork = new Map<number, string>();
  readonly #selectVrf: Database.Statement<[number], number>;

  constructor(db: Database.Database) {
    this.vrfs = new Names(db, 'vrf', 'name', 'INSERT INTO vrf (name) VALUES (?)');
    this.networks = new Names(
      db,
      'network',
      'name',
      'INSERT INTO network (name, vrf) VALUES (?, (SELECT id FROM vrf WHERE name = ?))',
    );
    this.files = new Names(db, 'source_file', 'path', 'INSERT INTO source_file (path) VALUES (?)');
    this.#selectVrf = db.prepare<[number], number>('SELECT vrf FROM network WHERE id = ?').pluck();
  }

  /** The number of `network`, whose collision domain is `vrf`; both are written where the store does not have them. */
  network(network: string, vrf: string): number {
    this.vrfs.id(vrf);
    return this.networks.id(network, vrf);
  }

  /** The collision domain of the network with number `id`. */
  vrfOf(id: number): string {
    let vrf = this.#vrfOfNetwork.get(id);
    if (vrf === undefined) {
      vrf = this.vrfs.name(this.#selectVrf.get(id) ?? 0);
      this.#vrfOfNetwork.set(id, vrf);
    }
    return vrf;
  }

  /** To be called after a rollback, and when a revision may have moved a network: what was learnt may be wrong. */
  forget(): void {
    this.vrfs.forget();
    this.networks.forget();
    this.files.forget();
    this.#vrfOfNetwork.clear();
  }
}
