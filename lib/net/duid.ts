// DHCP unique identifiers: what lies in one, how it is written, and the MAC inside it (RFC 9915 §11, RFC 6355).
import type { Mac } from './ids.js';
import { fromHex, macFromBytes, toHex } from './ids.js';

/** A DUID taken apart. Hardware types are IANA's ARP numbers; `time` counts seconds from 2000-01-01T00:00Z, modulo 2^32. */
export type Duid =
  | { readonly type: 'llt'; readonly hardware: number; readonly time: number; readonly address: Uint8Array }
  | { readonly type: 'en'; readonly enterprise: number; readonly id: Uint8Array }
  | { readonly type: 'll'; readonly hardware: number; readonly address: Uint8Array }
  | { readonly type: 'uuid'; readonly uuid: Uint8Array };

const types = { llt: 1, en: 2, ll: 3, uuid: 4 } as const;
const ETHERNET = 1;
/** A type of two octets, then 1 to 128 octets (RFC 9915 §11.1). */
const LEAST = 3;
const MOST = 130;
/** Where the address of an LLT and of an LL begins. */
const LLT = 8;
const LL = 4;

/** Whether `bytes` have a length that a DUID can have; of whatever type, it is an identifier like any other. */
export function isDuid(bytes: Uint8Array): boolean {
  return bytes.length >= LEAST && bytes.length <= MOST;
}

/** What lies in a DUID of type 1 to 4; undefined for any other, which must be compared and not looked into (§11). */
export function readDuid(bytes: Uint8Array): Duid | undefined {
  if (!isDuid(bytes)) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  switch (view.getUint16(0)) {
    case types.llt:
      if (bytes.length <= LLT) return undefined;
      return { type: 'llt', hardware: view.getUint16(2), time: view.getUint32(4), address: bytes.subarray(LLT) };
    case types.en:
      if (bytes.length <= 6) return undefined;
      return { type: 'en', enterprise: view.getUint32(2), id: bytes.subarray(6) };
    case types.ll:
      if (bytes.length <= LL) return undefined;
      return { type: 'll', hardware: view.getUint16(2), address: bytes.subarray(LL) };
    case types.uuid:
      return bytes.length === 18 ? { type: 'uuid', uuid: bytes.subarray(2) } : undefined;
    default:
      return undefined;
  }
}

/** The octets of `duid`; one longer than a DUID can be is a defect of the caller. */
export function writeDuid(duid: Duid): Uint8Array {
  const rest = duid.type === 'uuid' ? duid.uuid : duid.type === 'en' ? duid.id : duid.address;
  const from = duid.type === 'uuid' ? 2 : duid.type === 'en' ? 6 : duid.type === 'll' ? LL : LLT;
  const bytes = new Uint8Array(from + rest.length);
  if (!isDuid(bytes)) throw new Error(`a DUID of ${bytes.length} octets`);
  const view = new DataView(bytes.buffer);
  view.setUint16(0, types[duid.type]);
  if (duid.type === 'en') view.setUint32(2, duid.enterprise);
  if (duid.type === 'll' || duid.type === 'llt') view.setUint16(2, duid.hardware);
  if (duid.type === 'llt') view.setUint32(4, duid.time);
  bytes.set(rest, from);
  return bytes;
}

/** Reads a DUID written as hexadecimal digits, colons or dashes between octets allowed; undefined where it is not one. */
export function parseDuid(text: string): Uint8Array | undefined {
  const bytes = fromHex(text);
  return bytes !== undefined && isDuid(bytes) ? bytes : undefined;
}

/** Lower-case hexadecimal with colons: the one spelling that is shown and stored. */
export function formatDuid(bytes: Uint8Array): string {
  return toHex(bytes, ':');
}

/** The MAC in a DUID-LLT or DUID-LL of Ethernet. It names a host, not the NIC that sent it: one DUID serves all NICs of a host. */
export function macOfDuid(bytes: Uint8Array): Mac | undefined {
  const duid = readDuid(bytes);
  if (duid?.type !== 'llt' && duid?.type !== 'll') return undefined;
  return duid.hardware === ETHERNET && duid.address.length === 6 ? macFromBytes(duid.address) : undefined;
}
