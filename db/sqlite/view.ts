// The reads of the packet path: prepared once, by primary key or unique index.
import type Database from 'better-sqlite3';
import type { Declaration, Hold, Standing } from '../../lib/ipam/model.js';
import type { StoredView } from '../../lib/ipam/view.js';
import type { Resource } from '../../lib/lifecycle/policy.js';
import type { Mac, Owner } from '../../lib/net/ids.js';
import { macToBytes } from '../../lib/net/ids.js';
import type { Ip } from '../../lib/net/ip.js';
import { familyOf, ipToBytes } from '../../lib/net/ip.js';
import type { NameTables } from './names.js';
import type { DeclarationRow, HoldRow, StandingRow } from './rows.js';
import {
  declarationColumns,
  declarationFromRow,
  holdColumns,
  holdFromRow,
  ownerToBlob,
  resourceCode,
  standingColumns,
  standingFromRow,
} from './rows.js';

/** Everything that one resource of one interface has; the resource is the first parameter, `WHERE` is the reader's. */
export const standingFrom = `
  FROM interface i
  LEFT JOIN pin p ON p.interface = i.id AND p.resource = ?
  LEFT JOIN binding b ON b.interface = i.id AND b.resource = p.resource`;

/** The same for every resource that has a pin. */
export const allStandingsFrom = `
  FROM interface i
  JOIN pin p ON p.interface = i.id
  LEFT JOIN binding b ON b.interface = i.id AND b.resource = p.resource`;

export class SqliteView implements StoredView {
  readonly #names: NameTables;
  readonly #revision;
  readonly #declaration;
  readonly #fixed;
  readonly #standing;
  readonly #holder;
  readonly #standingOf;
  readonly #hold;
  readonly #holdsFor;

  constructor(db: Database.Database, names: NameTables) {
    this.#names = names;
    this.#revision = db.prepare<[], number>(`SELECT value FROM state WHERE name = 'revision'`).pluck();
    this.#declaration = db
      .prepare<[Uint8Array], DeclarationRow>(
        `SELECT ${declarationColumns} FROM declared_mac m JOIN declaration d ON d.id = m.declaration
         WHERE m.mac = ? AND m.revision = (SELECT value FROM state WHERE name = 'revision')`,
      )
      .raw();
    const fixed = (column: string): Database.Statement<[Uint8Array], DeclarationRow> =>
      db
        .prepare<[Uint8Array], DeclarationRow>(
          `SELECT ${declarationColumns} FROM declaration d
           WHERE d.${column} = ? AND d.revision = (SELECT value FROM state WHERE name = 'revision')`,
        )
        .raw();
    this.#fixed = { ipv4: fixed('ipv4_address'), ipv6: fixed('ipv6_address') };
    this.#standing = db
      .prepare<[number, Uint8Array, number], StandingRow>(
        `SELECT ${standingColumns} ${standingFrom} WHERE i.owner = ? AND i.network = ?`,
      )
      .raw();
    // Most addresses that are asked about have no holder, so that is asked first.
    this.#holder = db
      .prepare<[number, Uint8Array], [number, number]>(
        'SELECT interface, resource FROM binding WHERE vrf = ? AND address = ?',
      )
      .raw();
    this.#standingOf = db
      .prepare<[number, number], StandingRow>(`SELECT ${standingColumns} ${standingFrom} WHERE i.id = ?`)
      .raw();
    this.#hold = db
      .prepare<[number, Uint8Array], HoldRow>(`SELECT ${holdColumns} FROM hold h WHERE h.vrf = ? AND h.address = ?`)
      .raw();
    this.#holdsFor = db
      .prepare<[Uint8Array, number, number], HoldRow>(
        `SELECT ${holdColumns} FROM hold h
         WHERE h.owner = ? AND h.network = ? AND h.resource = ? AND h.kind IN (1, 2) ORDER BY h.seq`,
      )
      .raw();
  }

  revision(): number {
    return this.#revision.get() ?? 0;
  }

  declaration(mac: Mac): Declaration | undefined {
    const row = this.#declaration.get(macToBytes(mac));
    return row && declarationFromRow(row, this.#names);
  }

  fixedAt(address: Ip): Declaration | undefined {
    const row = this.#fixed[familyOf(address)].get(ipToBytes(address));
    return row && declarationFromRow(row, this.#names);
  }

  standing(network: string, owner: Owner, resource: Resource): Standing | undefined {
    const id = this.#names.networks.find(network);
    const row = id === undefined ? undefined : this.#standing.get(resourceCode.of(resource), ownerToBlob(owner), id);
    return row && standingFromRow(row, this.#names);
  }

  holder(vrf: string, address: Ip): (Standing & { readonly resource: Resource }) | undefined {
    const id = this.#names.vrfs.find(vrf);
    const found = id === undefined ? undefined : this.#holder.get(id, ipToBytes(address));
    if (found === undefined) return undefined;
    const [iface, resource] = found;
    const row = this.#standingOf.get(resource, iface);
    return row && { ...standingFromRow(row, this.#names), resource: resourceCode.word(resource) };
  }

  hold(vrf: string, address: Ip): Hold | undefined {
    const id = this.#names.vrfs.find(vrf);
    const row = id === undefined ? undefined : this.#hold.get(id, ipToBytes(address));
    return row && holdFromRow(row, this.#names);
  }

  holdsFor(network: string, owner: Owner, resource: Resource): readonly Hold[] {
    const id = this.#names.networks.find(network);
    if (id === undefined) return [];
    const rows = this.#holdsFor.all(ownerToBlob(owner), id, resourceCode.of(resource));
    return rows.map((row) => holdFromRow(row, this.#names));
  }
}
