// Between the words of the contract and the octets and codes of the tables.
import type { Binding, Declaration, Declared, Hold, Pin, Source, Standing } from '../../lib/ipam/model.js';
import type { Event, Origin, Policy, Resource } from '../../lib/lifecycle/policy.js';
import type { Mac, Owner } from '../../lib/net/ids.js';
import { fromHex, macFromBytes, ownerOfClientId, ownerOfHardware, ownerOfMac, toHex } from '../../lib/net/ids.js';
import type { Ip } from '../../lib/net/ip.js';
import { ipFromBytes } from '../../lib/net/ip.js';

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
  return tagged([MAC], owner);
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
  i.id, n.name, v.name, i.owner,
  p.policy, p.origin, p.revision, pf.path, p.line, p.at, p.actor, p.event, p.seq, p.last_address, p.last_end,
  b.address, b.kind, b.end_at, b.client_until, b.mac, b.policy, b.origin, b.revision, bf.path, b.line, b.at, b.actor, b.seq`;

/** A row of {@link standingColumns}, as the driver's raw mode gives it. */
export type StandingRow = [
  number, string, string, Uint8Array,
  number | null, number, number, string | null, number | null, number, string, string, number, Uint8Array | null, number | null,
  Uint8Array | null, number, number | null, number | null, Uint8Array | null, number, number, number, string | null, number | null, number, string, number,
]; // prettier-ignore

export function standingFromRow(row: StandingRow): Standing {
  return {
    iface: row[0],
    network: row[1],
    vrf: row[2],
    owner: ownerFromBlob(row[3]),
    pin: row[4] === null ? undefined : pinFromRow(row, row[4]),
    binding: row[15] === null ? undefined : bindingFromRow(row, row[15]),
  };
}

function pinFromRow(row: StandingRow, policy: number): Pin {
  return {
    policy: policyCode.word(policy),
    origin: originCode.word(row[5]),
    revision: row[6],
    source: sourceFrom(row[7], row[8]),
    at: row[9],
    actor: row[10] as Pin['actor'],
    event: row[11] as Event,
    seq: row[12],
    lastAddress: row[13] === null ? undefined : ipFromBytes(row[13]),
    lastEnd: row[14] ?? undefined,
  };
}

function bindingFromRow(row: StandingRow, address: Uint8Array): Binding {
  return {
    address: ipFromBytes(address),
    kind: bindingCode.word(row[16]),
    end: row[17] ?? undefined,
    clientUntil: row[18] ?? undefined,
    mac: row[19] === null ? undefined : macFromBytes(row[19]),
    policy: policyCode.word(row[20]),
    origin: originCode.word(row[21]),
    revision: row[22],
    source: sourceFrom(row[23], row[24]),
    at: row[25],
    actor: row[26] as Binding['actor'],
    seq: row[27],
  };
}

function sourceFrom(file: string | null, line: number | null): Source | undefined {
  return file === null || line === null ? undefined : { file, line };
}

export const declarationColumns = `
  d.macs, d.machine, d.role, d.is_primary, d.network, d.ipv4_policy, d.ipv4_address, d.ipv6_policy, d.ipv6_address, f.path, d.line`;

export type DeclarationRow = [
  Uint8Array, string, string, number, string | null, number, Uint8Array | null, number, Uint8Array | null, string, number,
]; // prettier-ignore

export function declarationFromRow(row: DeclarationRow): Declaration {
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
    source: { file: row[9], line: row[10] },
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

export const holdColumns = 'v.name, n.name, h.address, h.kind, h.resource, h.owner, h.retake, h.until';
export type HoldRow = [string, string, Uint8Array, number, number, Uint8Array, number, number | null];

export function holdFromRow(row: HoldRow): Hold {
  return {
    vrf: row[0],
    network: row[1],
    address: ipFromBytes(row[2]),
    kind: holdCode.word(row[3]),
    resource: resourceCode.word(row[4]),
    owner: ownerFromBlob(row[5]),
    retake: row[6] === 1,
    until: row[7] ?? undefined,
  };
}
