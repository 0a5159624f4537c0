// Between the words of the contract and the octets and codes of the tables.
import type { Binding, Declaration, Declared, Hold, Pin, Source, Standing } from '../../lib/ipam/model.js';
import type { Event, Origin, Policy, Resource } from '../../lib/lifecycle/policy.js';
import type { Mac, Owner } from '../../lib/net/ids.js';
import {
  fromHex,
  macFromBytes,
  macToBytes,
  ownerOfClientId,
  ownerOfHardware,
  ownerOfMac,
  toHex,
} from '../../lib/net/ids.js';
import type { Ip } from '../../lib/net/ip.js';
import { ipFromBytes } from '../../lib/net/ip.js';
import type { NameTables } from './names.js';

/** Two-way code list; a code or word that is not in it is a defect, or a store that somebody else wrote to. */
function codes<W extends string>(
  words: readonly W[],
): { readonly of: (word: W) => number; readonly word: (code: number) => W } {
  const numbers = new Map(words.map((word, i) => [word, i + 1]));
  return {
    of: (word) => numbers.get(word) ?? unknown('word', word),
    word: (code) => words[code - 1] ?? unknown('code', code),
  };
}

function unknown(what: string, value: string | number): never {
  throw new Error(`the store has no such ${what}: ${value}`);
}

export const resourceCode = codes<Resource>(['ipv4', 'ipv6', 'pd']);
export const policyCode = codes<Policy>(['dynamic', 'fixed', 'retained', 'preserved', 'operator']);
export const originCode = codes<Origin>(['undeclared', 'declared', 'operator', 'cni', 'imported']);
export const bindingCode = codes<Binding['kind']>(['lease', 'static']);
export const holdCode = codes<Hold['kind']>(['parked', 'cooling', 'quarantine']);

const MAC = 1;
const CLIENT_ID = 2;
const HARDWARE = 3;

/** An owner as the tables keep it. */
export function ownerToBlob(owner: Owner): Uint8Array {
  if (owner.startsWith('client-id:')) return tagged([CLIENT_ID], owner.slice(10));
  if (owner.startsWith('hw:')) {
    const [, type, digits] = owner.split(':');
    return tagged([HARDWARE, Number(type)], digits ?? '');
  }
  return macToBytes(owner as string as Mac, [MAC]);
}

function tagged(tag: readonly number[], hex: string): Uint8Array {
  return Uint8Array.from([...tag, ...(fromHex(hex) ?? unknown('owner', hex))]);
}

export function ownerFromBlob(blob: Uint8Array): Owner {
  switch (blob[0]) {
    case MAC:
      return ownerOfMac(macFromBytes(blob.subarray(1)));
    case CLIENT_ID:
      return ownerOfClientId(blob.subarray(1));
    case HARDWARE:
      return ownerOfHardware(blob[1] ?? 0, blob.subarray(2));
    default:
      return unknown('owner', toHex(blob));
  }
}

export const standingColumns = `
  i.id, i.network, i.owner,
  p.policy, p.origin, p.revision, p.file, p.line, p.at, p.actor, p.event, p.seq, p.last_address, p.last_end,
  b.address, b.kind, b.end_at, b.client_until, b.mac, b.policy, b.origin, b.revision, b.file, b.line, b.at, b.actor, b.seq`;

/** A row of {@link standingColumns}, as the driver's raw mode gives it. */
// prettier-ignore
export type StandingRow = [
  number, number, Uint8Array,
  number | null, number, number, number | null, number | null, number, string, string, number, Uint8Array | null, number | null,
  Uint8Array | null, number, number | null, number | null, Uint8Array | null, number, number, number, number | null, number | null, number, string, number,
];

export function standingFromRow(row: StandingRow, names: NameTables): Standing {
  return {
    iface: row[0],
    network: names.networks.name(row[1]),
    vrf: names.vrfOf(row[1]),
    owner: ownerFromBlob(row[2]),
    pin: row[3] === null ? undefined : pinFromRow(row, row[3], names),
    binding: row[14] === null ? undefined : bindingFromRow(row, row[14], names),
  };
}

function pinFromRow(row: StandingRow, policy: number, names: NameTables): Pin {
  return {
    policy: policyCode.word(policy),
    origin: originCode.word(row[4]),
    revision: row[5],
    source: sourceFrom(row[6], row[7], names),
    at: row[8],
    actor: row[9] as Pin['actor'],
    event: row[10] as Event,
    seq: row[11],
    lastAddress: row[12] === null ? undefined : ipFromBytes(row[12]),
    lastEnd: row[13] ?? undefined,
  };
}

function bindingFromRow(row: StandingRow, address: Uint8Array, names: NameTables): Binding {
  return {
    address: ipFromBytes(address),
    kind: bindingCode.word(row[15]),
    end: row[16] ?? undefined,
    clientUntil: row[17] ?? undefined,
    mac: row[18] === null ? undefined : macFromBytes(row[18]),
    policy: policyCode.word(row[19]),
    origin: originCode.word(row[20]),
    revision: row[21],
    source: sourceFrom(row[22], row[23], names),
    at: row[24],
    actor: row[25] as Binding['actor'],
    seq: row[26],
  };
}

function sourceFrom(file: number | null, line: number | null, names: NameTables): Source | undefined {
  return file === null || line === null ? undefined : { file: names.files.name(file), line };
}

/** Of a declaration: that it is the current revision's. */
export const isCurrent = `revision = (SELECT value FROM state WHERE name = 'revision')`;

export const declarationColumns = `
  d.macs, d.machine, d.role, d.is_primary, d.network, d.ipv4_policy, d.ipv4_address, d.ipv6_policy, d.ipv6_address, d.file, d.line`;

export type DeclarationRow = [
  Uint8Array, string, string, number, string | null, number, Uint8Array | null, number, Uint8Array | null, number, number,
]; // prettier-ignore

export function declarationFromRow(row: DeclarationRow, names: NameTables): Declaration {
  const macs: Mac[] = [];
  for (let at = 0; at < row[0].length; at += 6) macs.push(macFromBytes(row[0].subarray(at, at + 6)));
  const first = macs[0] ?? unknown('declaration', row[1]);
  return {
    owner: ownerOfMac(first),
    macs,
    machine: row[1],
    role: row[2],
    primary: row[3] === 1,
    network: row[4] ?? undefined,
    ipv4: declaredFrom(row[5], row[6]),
    ipv6: declaredFrom(row[7], row[8]),
    source: { file: names.files.name(row[9]), line: row[10] },
  };
}

function declaredFrom(code: number, address: Uint8Array | null): Declared {
  const policy = policyCode.word(code);
  if (policy === 'operator') return unknown('declared policy', policy);
  if (policy !== 'fixed') return { policy };
  return { policy, address: address === null ? unknown('fixed address', 'none') : ipFromBytes(address) };
}

/** What a declaration says of one resource, as columns. */
export function declaredToColumns(declared: Declared): [number, Ip | undefined] {
  return [policyCode.of(declared.policy), declared.policy === 'fixed' ? declared.address : undefined];
}

export const holdColumns = 'h.network, h.address, h.kind, h.resource, h.owner, h.retake, h.until';
export type HoldRow = [number, Uint8Array, number, number, Uint8Array, number, number | null];

export function holdFromRow(row: HoldRow, names: NameTables): Hold {
  return {
    vrf: names.vrfOf(row[0]),
    network: names.networks.name(row[0]),
    address: ipFromBytes(row[1]),
    kind: holdCode.word(row[2]),
    resource: resourceCode.word(row[3]),
    owner: ownerFromBlob(row[4]),
    retake: row[5] === 1,
    until: row[6] ?? undefined,
  };
}
