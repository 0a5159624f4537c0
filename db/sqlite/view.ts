// The reads of the packet path: prepared once, by primary key or unique index.
import type Database from 'better-sqlite3';
import type { Declaration, Hold, Standing } from '../../lib/ipam/model.js';
import type { StoredView } from '../../lib/ipam/view.js';
import type { Resource } from '../../lib/lifecycle/policy.js';
import type { Mac, Owner } from '../../lib/net/ids.js';
import { macToBytes } from '../../lib/net/ids.js';
import type { Ip } from '../../lib/net/ip.js';
import { familyOf, ipToBytes } from '../../lib/net/ip.js';
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
  JOIN network n ON n.id = i.network
  JOIN vrf v ON v.id = n.vrf
  LEFT JOIN pin p ON p.interface = i.id AND p.resource = ?
  LEFT JOIN binding b ON b.interface = i.id AND b.resource = p.resource
  LEFT JOIN source_file pf ON pf.id = p.file
  LEFT JOIN source_file bf ON bf.id = b.file`;

export const declarationFrom = 'FROM declaration d JOIN source_file f ON f.id = d.file';

export const holdFrom = 'FROM hold h JOIN vrf v ON v.id = h.vrf JOIN network n ON n.id = h.network';

export class SqliteView implements StoredView {
  readonly #revision;
  readonly #declaration;
  readonly #fixed;
  readonly #standing;
  readonly #holder;
  readonly #hold;
  readonly #holdsFor;

  constructor(db: Database.Database) {
    this.#revision = db.prepare<[], number>(`SELECT value FROM state WHERE name = 'revision'`).pluck();
    this.#declaration = db
      .prepare<[Uint8Array], DeclarationRow>(
        `SELECT ${declarationColumns} FROM declared_mac m JOIN declaration d ON d.id = m.declaration
         JOIN source_file f ON f.id = d.file
         WHERE m.mac = ? AND m.revision = (SELECT value FROM state WHERE name = 'revision')`,
      )
      .raw();
    const fixed = (column: string): Database.Statement<[Uint8Array], DeclarationRow> =>
      db
        .prepare<[Uint8Array], DeclarationRow>(
          `SELECT ${declarationColumns} ${declarationFrom}
           WHERE d.${column} = ? AND d.revision = (SELECT value FROM state WHERE name = 'revision')`,
        )
        .raw();
    this.#fixed = { ipv4: fixed('ipv4_address'), ipv6: fixed('ipv6_address') };
    this.#standing = db
      .prepare<[number, Uint8Array, string], StandingRow>(
        `SELECT ${standingColumns} ${standingFrom} WHERE i.owner = ? AND n.name = ?`,
      )
      .raw();
    this.#holder = db
      .prepare<[string, Uint8Array], [number, ...StandingRow]>(
        `SELECT b.resource, ${standingColumns}
         FROM vrf v JOIN binding b ON b.vrf = v.id JOIN interface i ON i.id = b.interface JOIN network n ON n.id = i.network
         JOIN pin p ON p.interface = b.interface AND p.resource = b.resource
         LEFT JOIN source_file pf ON pf.id = p.file LEFT JOIN source_file bf ON bf.id = b.file
         WHERE v.name = ? AND b.address = ?`,
      )
      .raw();
    this.#hold = db
      .prepare<[string, Uint8Array], HoldRow>(`SELECT ${holdColumns} ${holdFrom} WHERE v.name = ? AND h.address = ?`)
      .raw();
    this.#holdsFor = db
      .prepare<[Uint8Array, string, number], HoldRow>(
        `SELECT ${holdColumns} ${holdFrom} WHERE h.owner = ? AND n.name = ? AND h.resource = ? AND h.kind IN (1, 2) ORDER BY h.seq`,
      )
      .raw();
  }

  revision(): number {
    return this.#revision.get() ?? 0;
  }

  declaration(mac: Mac): Declaration | undefined {
    const row = this.#declaration.get(macToBytes(mac));
    return row && declarationFromRow(row);
  }

  fixedAt(address: Ip): Declaration | undefined {
    const row = this.#fixed[familyOf(address)].get(ipToBytes(address));
    return row && declarationFromRow(row);
  }

  standing(network: string, owner: Owner, resource: Resource): Standing | undefined {
    const row = this.#standing.get(resourceCode.of(resource), ownerToBlob(owner), network);
    return row && standingFromRow(row);
  }

  holder(vrf: string, address: Ip): (Standing & { readonly resource: Resource }) | undefined {
    const row = this.#holder.get(vrf, ipToBytes(address));
    if (row === undefined) return undefined;
    const [resource, ...standing] = row;
    return { ...standingFromRow(standing), resource: resourceCode.word(resource) };
  }

  hold(vrf: string, address: Ip): Hold | undefined {
    const row = this.#hold.get(vrf, ipToBytes(address));
    return row && holdFromRow(row);
  }

  holdsFor(network: string, owner: Owner, resource: Resource): readonly Hold[] {
    return this.#holdsFor.all(ownerToBlob(owner), network, resourceCode.of(resource)).map(holdFromRow);
  }
}
