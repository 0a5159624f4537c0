// Makes a revision and its declarations the current ones.
import type Database from 'better-sqlite3';
import type { Change, Declaration, Revision } from '../../lib/ipam/model.js';
import { macToBytes } from '../../lib/net/ids.js';
import type { Ip } from '../../lib/net/ip.js';
import { ipToBytes } from '../../lib/net/ip.js';
import type { Journal } from './journal.js';
import type { NameTables } from './names.js';
import { declaredToColumns } from './rows.js';

export class Reviser {
  readonly #names: NameTables;
  readonly #journal: Journal;
  readonly #sql;

  constructor(db: Database.Database, names: NameTables, journal: Journal) {
    this.#names = names;
    this.#journal = journal;
    this.#sql = statements(db);
  }

  /** Writes a revision and its texts; it is not current yet. */
  draft(revision: Revision, number: number): void {
    this.#sql.addRevision.run(number, revision.hash, revision.at, revision.author);
    let position = 0;
    for (const [path, text] of revision.files) this.#sql.addFile.run(number, position++, path, text);
  }

  /** Writes declarations of a drafted revision; look-ups do not see them before it is current. */
  stage(number: number, declarations: readonly Declaration[]): void {
    for (const d of declarations) {
      const [policy4, address4] = declaredToColumns(d.ipv4);
      const [policy6, address6] = declaredToColumns(d.ipv6);
      const macs = d.macs.map((mac) => macToBytes(mac));
      const id = this.#sql.addDeclaration.run(
        number,
        d.machine,
        d.role,
        d.primary ? 1 : 0,
        d.network ?? null,
        Uint8Array.from(macs.flatMap((mac) => [...mac])),
        policy4,
        blobOrNull(address4),
        policy6,
        blobOrNull(address6),
        this.#names.files.id(d.source.file),
        d.source.line,
      ).lastInsertRowid;
      for (const mac of macs) this.#sql.addMac.run(mac, number, id);
    }
  }

  /** Removes a part of what other revisions declared, and with the last of it the drafts that never became current. */
  unstage(limit: number): void {
    const sql = this.#sql;
    const ids = sql.stale.all(limit);
    for (const id of ids) {
      sql.dropMacs.run(id);
      sql.dropDeclaration.run(id);
    }
    if (ids.length === limit) return;
    sql.dropDraftFiles.run();
    sql.dropDrafts.run();
  }

  write({ revision, site, declarations, renames, staged }: Extract<Change, { kind: 'revise' }>): void {
    const sql = this.#sql;
    const number = staged ?? this.newest() + 1;
    if (staged === undefined) {
      this.draft(revision, number);
      this.stage(number, declarations);
    }
    for (const [from, to] of renames ?? []) this.#rename(from, to, number, revision.at);
    for (const network of site.networks) {
      const id = this.#names.network(network.name, network.vrf);
      sql.moveNetwork.run(this.#names.vrfs.id(network.vrf), id);
    }
    sql.current.run(number);
    this.#journal.add({
      at: revision.at,
      event: 'revise',
      actor: 'apply',
      revision: number,
      network: undefined,
      owner: undefined,
      resource: undefined,
      address: undefined,
      before: undefined,
      after: { hash: revision.hash, author: revision.author, declarations: declarations.length },
    });
  }

  /** The highest number that any revision has, current or drafted; 0 where there is none. */
  newest(): number {
    return this.#sql.newest.get() ?? 0;
  }

  #rename(from: string, to: string, revision: number, at: number): void {
    const network = this.#names.networks.find(from);
    if (network === undefined) return;
    this.#sql.rename.run(to, network);
    this.#names.forget();
    const none = { owner: undefined, resource: undefined, address: undefined };
    const entry = { at, event: 'rename', actor: 'apply', revision, network, ...none };
    this.#journal.add({ ...entry, before: { network: from }, after: { network: to } });
  }
}

function blobOrNull(ip: Ip | undefined): Uint8Array | null {
  return ip === undefined ? null : ipToBytes(ip);
}

/** The number of the current revision, in SQL. */
const current = `(SELECT value FROM state WHERE name = 'revision')`;

function statements(db: Database.Database) {
  const prepare = (sql: string): Database.Statement => db.prepare(sql);
  return {
    newest: db.prepare<[], number | null>('SELECT max(number) FROM revision').pluck(),
    addRevision: prepare('INSERT INTO revision (number, hash, at, author) VALUES (?, ?, ?, ?)'),
    addFile: prepare('INSERT INTO revision_file (revision, position, path, text) VALUES (?, ?, ?, ?)'),
    rename: prepare('UPDATE network SET name = ? WHERE id = ?'),
    moveNetwork: prepare('UPDATE network SET vrf = ? WHERE id = ?'),
    stale: db.prepare<[number], number>(`SELECT id FROM declaration WHERE revision <> ${current} LIMIT ?`).pluck(),
    dropMacs: prepare('DELETE FROM declared_mac WHERE declaration = ?'),
    dropDeclaration: prepare('DELETE FROM declaration WHERE id = ?'),
    dropDraftFiles: prepare(`DELETE FROM revision_file WHERE revision > ${current}`),
    dropDrafts: prepare(`DELETE FROM revision WHERE number > ${current}`),
    addDeclaration: prepare(
      `INSERT INTO declaration (revision, machine, role, is_primary, network, macs, ipv4_policy, ipv4_address, ipv6_policy, ipv6_address, file, line)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    addMac: prepare('INSERT INTO declared_mac (mac, revision, declaration) VALUES (?, ?, ?)'),
    current: prepare(`INSERT OR REPLACE INTO state (name, value) VALUES ('revision', ?)`),
  };
}
