// Writes changes, each with its journal row. Called inside a savepoint; what a constraint refuses throws and undoes the decision.
import type Database from 'better-sqlite3';
import type { Change, Source, Standing } from '../../lib/ipam/model.js';
import type { Resource } from '../../lib/lifecycle/policy.js';
import { assertNever } from '../../lib/net/reason.js';
import type { Mac } from '../../lib/net/ids.js';
import { macToBytes } from '../../lib/net/ids.js';
import type { Ip } from '../../lib/net/ip.js';
import { formatIp, ipToBytes } from '../../lib/net/ip.js';
import { Journal } from './journal.js';
import type { NameTables } from './names.js';
import { Reviser } from './revise.js';
import type { StandingRow } from './rows.js';
import {
  bindingCode,
  holdCode,
  originCode,
  ownerToBlob,
  policyCode,
  resourceCode,
  standingColumns,
  standingFromRow,
} from './rows.js';
import { standingFrom } from './view.js';

type Of<K extends Change['kind']> = Extract<Change, { kind: K }>;

export class Applier {
  readonly #journal: Journal;
  readonly #names: NameTables;
  readonly #reviser: Reviser;
  readonly #sql;

  constructor(db: Database.Database, names: NameTables) {
    this.#journal = new Journal(db);
    this.#names = names;
    this.#reviser = new Reviser(db, this.#names, this.#journal);
    this.#sql = statements(db);
  }

  /** The highest number that any revision has. */
  newest(): number {
    return this.#reviser.newest();
  }

  apply(change: Change): void {
    switch (change.kind) {
      case 'bind':
        return this.#bind(change);
      case 'extend':
        return this.#extend(change);
      case 'unbind':
        return this.#unbind(change);
      case 'idle':
        return this.#idle(change);
      case 'hold':
        return this.#hold(change);
      case 'unhold':
        return this.#unhold(change);
      case 'purge':
        return this.#purge(change);
      case 'draft':
        return this.#reviser.draft(change.revision, change.number);
      case 'stage':
        return this.#reviser.stage(change.number, change.declarations);
      case 'unstage':
        return this.#reviser.unstage(change.limit);
      case 'revise':
        return this.#reviser.write(change);
      case 'offer':
      case 'withdraw':
        return undefined; // the writer's memory keeps offers
      default:
        return assertNever(change);
    }
  }

  /** The interface of `owner`, made where there is none, and what `resource` of it has before. */
  #interface(network: number, owner: Uint8Array, resource: number): { iface: number; before: Standing | undefined } {
    const iface = this.#sql.interface.get(owner, network);
    if (iface === undefined) {
      return { iface: Number(this.#sql.addInterface.run(owner, network).lastInsertRowid), before: undefined };
    }
    const row = this.#sql.standing.get(resource, iface);
    return { iface, before: row && standingFromRow(row, this.#names) };
  }

  #source(source: Source | undefined): [number | null, number | null] {
    return source === undefined ? [null, null] : [this.#names.files.id(source.file), source.line];
  }

  #bind(change: Of<'bind'>): void {
    const owner = ownerToBlob(change.owner);
    const network = this.#names.network(change.network, change.vrf);
    const vrf = this.#names.vrfs.id(change.vrf);
    const resource = resourceCode.of(change.resource);
    const { iface, before } = this.#interface(network, owner, resource);
    const address = ipToBytes(change.address);
    const { at, event, actor, revision } = change;
    const after = boundAs(change);
    after['pin'] = change.policy;
    after['pin_revision'] = change.pin === 'keep' ? (before?.pin?.revision ?? revision) : revision;
    const entry = { at, event, actor, revision, network, owner, resource, address, before: describe(before), after };
    const seq = this.#journal.add(entry);
    const policy = policyCode.of(change.policy);
    const origin = originCode.of(change.origin);
    const [file, line] = this.#source(change.source);
    if (change.pin === 'keep') this.#sql.keepPin.run(iface, resource);
    else this.#sql.setPin.run(iface, resource, policy, origin, revision, file, line, at, actor, event, seq);
    const mac = change.mac === undefined ? null : macToBytes(change.mac);
    this.#sql.addBinding.run(
      iface,
      resource,
      vrf,
      address,
      bindingCode.of(change.binding),
      change.end ?? null,
      change.clientUntil ?? null,
      mac,
      policy,
      origin,
      revision,
      file,
      line,
      at,
      actor,
      seq,
    );
  }

  #extend(change: Of<'extend'>): void {
    const mac = change.mac === undefined ? null : macToBytes(change.mac);
    this.#sql.extend.run(change.end ?? null, change.clientUntil, mac, change.iface, resourceCode.of(change.resource));
  }

  #transition(
    standing: Standing,
    resource: Resource,
    what: { at: number; actor: string; event: string; after: Readonly<Record<string, unknown>> | undefined },
  ): void {
    this.#journal.add({
      ...what,
      revision: this.#sql.revision.get() ?? 0,
      network: this.#names.network(standing.network, standing.vrf),
      owner: ownerToBlob(standing.owner),
      resource: resourceCode.of(resource),
      address: standing.binding === undefined ? undefined : ipToBytes(standing.binding.address),
      before: describe(standing),
    });
  }

  #unbind(change: Of<'unbind'>): void {
    const { standing, resource, event, at, actor } = change;
    const { binding } = standing;
    if (binding === undefined) return;
    this.#transition(standing, resource, { at, actor, event, after: describe({ ...standing, binding: undefined }) });
    const code = resourceCode.of(resource);
    this.#sql.removeBinding.run(standing.iface, code);
    // An address that turned out to be somebody else's is not one to come back to.
    const last = event === 'decline' ? null : ipToBytes(binding.address);
    this.#sql.lastAddress.run(last, at, standing.iface, code);
  }

  #idle(change: Of<'idle'>): void {
    const { standing, resource, event, at, actor } = change;
    if (standing.binding === undefined) return;
    const after = { ...describe(standing), client_until: null, mac: null };
    this.#transition(standing, resource, { at, actor, event, after });
    this.#sql.idle.run(standing.iface, resourceCode.of(resource));
  }

  #hold({ hold, at, actor }: Of<'hold'>): void {
    const seq = this.#holdRow(hold.kind, hold, at, actor, undefined, { kind: hold.kind, until: hold.until ?? null });
    this.#sql.addHold.run(
      this.#names.vrfs.id(hold.vrf),
      ipToBytes(hold.address),
      this.#names.network(hold.network, hold.vrf),
      holdCode.of(hold.kind),
      resourceCode.of(hold.resource),
      ownerToBlob(hold.owner),
      hold.retake ? 1 : 0,
      hold.until ?? null,
      at,
      actor,
      seq,
    );
  }

  #unhold({ hold, at, actor }: Of<'unhold'>): void {
    this.#holdRow(`${hold.kind}-over`, hold, at, actor, { kind: hold.kind, until: hold.until ?? null }, undefined);
    this.#sql.removeHold.run(this.#names.vrfs.id(hold.vrf), ipToBytes(hold.address));
  }

  #holdRow(
    event: string,
    hold: Of<'hold'>['hold'],
    at: number,
    actor: string,
    before: Readonly<Record<string, unknown>> | undefined,
    after: Readonly<Record<string, unknown>> | undefined,
  ): number {
    return this.#journal.add({
      at,
      event,
      actor,
      revision: this.#sql.revision.get() ?? 0,
      network: this.#names.network(hold.network, hold.vrf),
      owner: ownerToBlob(hold.owner),
      resource: resourceCode.of(hold.resource),
      address: ipToBytes(hold.address),
      before,
      after,
    });
  }

  #purge({ standing, at, actor }: Of<'purge'>): void {
    this.#journal.add({
      at,
      event: 'purge',
      actor,
      revision: this.#sql.revision.get() ?? 0,
      network: this.#names.network(standing.network, standing.vrf),
      owner: ownerToBlob(standing.owner),
      resource: undefined,
      address: undefined,
      before: describe(standing),
      after: undefined,
    });
    this.#sql.removeInterface.run(standing.iface);
  }
}

/** A resource's state as the journal tells it. */
function describe(standing: Standing | undefined): Readonly<Record<string, unknown>> | undefined {
  if (standing?.pin === undefined) return undefined;
  const { pin, binding } = standing;
  if (binding === undefined) return { pin: pin.policy, pin_revision: pin.revision };
  return { ...boundAs({ ...binding, binding: binding.kind }), pin: pin.policy, pin_revision: pin.revision };
}

function boundAs(b: {
  address: Ip;
  binding: string;
  end: number | undefined;
  clientUntil: number | undefined;
  mac: Mac | undefined;
  policy: string;
  origin: string;
  source: Source | undefined;
}): Record<string, unknown> {
  return {
    address: formatIp(b.address),
    kind: b.binding,
    end: b.end,
    client_until: b.clientUntil,
    mac: b.mac,
    policy: b.policy,
    origin: b.origin,
    file: b.source?.file,
    line: b.source?.line,
  };
}

function statements(db: Database.Database) {
  const prepare = (sql: string): Database.Statement => db.prepare(sql);
  return {
    interface: db
      .prepare<[Uint8Array, number], number>('SELECT id FROM interface WHERE owner = ? AND network = ?')
      .pluck(),
    addInterface: prepare('INSERT INTO interface (owner, network) VALUES (?, ?)'),
    removeInterface: prepare('DELETE FROM interface WHERE id = ?'),
    standing: db
      .prepare<[number, number], StandingRow>(`SELECT ${standingColumns} ${standingFrom} WHERE i.id = ?`)
      .raw(),
    setPin: prepare(
      `INSERT OR REPLACE INTO pin (interface, resource, policy, origin, revision, file, line, at, actor, event, seq)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    keepPin: prepare('UPDATE pin SET last_address = NULL, last_end = NULL WHERE interface = ? AND resource = ?'),
    lastAddress: prepare('UPDATE pin SET last_address = ?, last_end = ? WHERE interface = ? AND resource = ?'),
    addBinding: prepare(
      `INSERT INTO binding (interface, resource, vrf, address, kind, end_at, client_until, mac, policy, origin, revision, file, line, at, actor, seq)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    extend: prepare(
      'UPDATE binding SET end_at = ?, client_until = ?, mac = coalesce(?, mac) WHERE interface = ? AND resource = ?',
    ),
    idle: prepare('UPDATE binding SET client_until = NULL, mac = NULL WHERE interface = ? AND resource = ?'),
    removeBinding: prepare('DELETE FROM binding WHERE interface = ? AND resource = ?'),
    addHold: prepare(
      `INSERT OR REPLACE INTO hold (vrf, address, network, kind, resource, owner, retake, until, at, actor, seq)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    removeHold: prepare('DELETE FROM hold WHERE vrf = ? AND address = ?'),
    revision: db.prepare<[], number>(`SELECT value FROM state WHERE name = 'revision'`).pluck(),
  };
}
