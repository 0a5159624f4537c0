// Reads for people: lists, history, revisions. Not on the packet path.
import type Database from 'better-sqlite3';
import type { Declaration, Hold } from '../../lib/ipam/model.js';
import type { StoredView } from '../../lib/ipam/view.js';
import { ipFromBytes, formatIp, ipToBytes } from '../../lib/net/ip.js';
import type { Ip } from '../../lib/net/ip.js';
import type { Owner } from '../../lib/net/ids.js';
import { macOfOwner } from '../../lib/net/ids.js';
import type { JournalRow, Listed, Reader, StoredRevision } from '../store.js';
import type { NameTables } from './names.js';
import type { DeclarationRow, HoldRow, StandingRow } from './rows.js';
import {
  declarationColumns,
  declarationFromRow,
  holdColumns,
  holdFromRow,
  isCurrent,
  ownerFromBlob,
  ownerToBlob,
  resourceCode,
  standingColumns,
  standingFromRow,
} from './rows.js';
import { SqliteView, allStandingsFrom } from './view.js';

type JournalColumns = [
  number, number, string, string, number, string | null, Uint8Array | null, number | null, Uint8Array | null, string | null, string | null,
]; // prettier-ignore

export class SqliteReader implements Reader {
  readonly view: StoredView;
  readonly #db: Database.Database;
  readonly #names: NameTables;
  readonly #onClose: () => void;

  constructor(
    db: Database.Database,
    names: NameTables,
    view: SqliteView = new SqliteView(db, names),
    onClose: () => void = () => undefined,
  ) {
    this.#db = db;
    this.#names = names;
    this.#onClose = onClose;
    this.view = view;
  }

  list(match: (row: Listed) => boolean = () => true): readonly Listed[] {
    const rows = this.#db
      .prepare<[], [number, ...StandingRow]>(
        `SELECT p.resource, ${standingColumns} ${allStandingsFrom}
         ORDER BY i.network, b.address IS NULL, b.address, i.owner`,
      )
      .raw();
    const listed: Listed[] = [];
    for (const [resource, ...columns] of rows.iterate()) {
      const standing = standingFromRow(columns, this.#names);
      const mac = macOfOwner(standing.owner);
      const row: Listed = {
        ...standing,
        resource: resourceCode.word(resource),
        declaration: mac && this.view.declaration(mac),
      };
      if (match(row)) listed.push(row);
    }
    return listed;
  }

  holds(): readonly Hold[] {
    return this.#db
      .prepare<[], HoldRow>(`SELECT ${holdColumns} FROM hold h ORDER BY h.vrf, h.address`)
      .raw()
      .all()
      .map((row) => holdFromRow(row, this.#names));
  }

  history(of: { readonly address?: Ip; readonly owner?: Owner }): readonly JournalRow[] {
    const address = of.address === undefined ? null : ipToBytes(of.address);
    const owner = of.owner === undefined ? null : ownerToBlob(of.owner);
    return this.#db
      .prepare<[Uint8Array | null, Uint8Array | null], JournalColumns>(
        `SELECT j.seq, j.at, j.event, j.actor, j.revision, n.name, j.owner, j.resource, j.address, j.before, j.after
         FROM journal j LEFT JOIN network n ON n.id = j.network
         WHERE j.address = ? OR j.owner = ? ORDER BY j.seq`,
      )
      .raw()
      .all(address, owner)
      .map(([seq, at, event, actor, revision, network, by, resource, where, before, after]) => ({
        seq,
        at,
        event,
        actor,
        revision,
        network,
        owner: by === null ? null : ownerFromBlob(by),
        resource: resource === null ? null : resourceCode.word(resource),
        address: where === null ? null : formatIp(ipFromBytes(where)),
        before,
        after,
      }));
  }

  revision(number: number): StoredRevision | undefined {
    const row = this.#db
      .prepare<[number], { number: number; hash: string; at: number; author: string }>(
        'SELECT number, hash, at, author FROM revision WHERE number = ?',
      )
      .get(number);
    if (row === undefined) return undefined;
    const files = this.#db
      .prepare<[number], [string, string]>('SELECT path, text FROM revision_file WHERE revision = ? ORDER BY position')
      .raw()
      .all(number);
    return { ...row, files: new Map(files) };
  }

  declarations(): readonly Declaration[] {
    return this.#db
      .prepare<[], DeclarationRow>(`SELECT ${declarationColumns} FROM declaration d WHERE ${isCurrent} ORDER BY d.id`)
      .raw()
      .all()
      .map((row) => declarationFromRow(row, this.#names));
  }

  close(): void {
    this.#db.close();
    this.#onClose();
  }
}
