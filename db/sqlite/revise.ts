// Makes a revision and its declarations the current ones.
import type Database from 'better-sqlite3';
import type { Change } from '../../lib/ipam/model.js';
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

  write({ revision, site, declarations, renames }: Extract<Change, { kind: 'revise' }>): void {
    const sql = this.#sql;
    const number = Number(sql.addRevision.run(revision.hash, revision.at, revision.author).lastInsertRowid);
    let position = 0;
    for (const [path, text] of revision.files) sql.addFile.run(number, position++, path, text);
    for (const [from, to] of renames ?? []) this.#rename(from, to, number, revision.at);
    for (const network of site.networks) {
      const id = this.#names.network(network.name, network.vrf);
      sql.moveNetwork.run(this.#names.vrfs.id(network.vrf), id);
    }
    sql.dropMacs.run();
    sql.dropDeclarations.run();
    for (const d of declarations) {
      const [policy4, address4] = declaredToColumns(d.ipv4);
      const [policy6, address6] = declaredToColumns(d.ipv6);
      const macs = d.macs.map((mac) => macToBytes(mac));
      const id = sql.addDeclaration.run(
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
      for (const mac of macs) sql.addMac.run(mac, number, id);
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

function statements(db: Database.Database) {
  const prepare = (sql: string): Database.Statement => db.prepare(sql);
  return {
    addRevision: prepare('INSERT INTO revision (hash, at, author) VALUES (?, ?, ?)'),
    addFile: prepare('INSERT INTO revision_file (revision, position, path, text) VALUES (?, ?, ?, ?)'),
    rename: prepare('UPDATE network SET name = ? WHERE id = ?'),
    moveNetwork: prepare('UPDATE network SET vrf = ? WHERE id = ?'),
    dropMacs: prepare('DELETE FROM declared_mac'),
    dropDeclarations: prepare('DELETE FROM declaration'),
    addDeclaration: prepare(
      `INSERT INTO declaration (revision, machine, role, is_primary, network, macs, ipv4_policy, ipv4_address, ipv6_policy, ipv6_address, file, line)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    addMac: prepare('INSERT INTO declared_mac (mac, revision, declaration) VALUES (?, ?, ?)'),
    current: prepare(`INSERT OR REPLACE INTO state (name, value) VALUES ('revision', ?)`),
  };
}
