// Addresses as values: an Ip4 is an unsigned 32-bit number, an Ip6 a bigint, so `typeof` tells the families apart.
import { Address6 } from 'ip-address';

declare const brand4: unique symbol;
declare const brand6: unique symbol;

/** An IPv4 address: an integer from 0 to 2^32-1, most significant octet first. */
export type Ip4 = number & { readonly [brand4]: true };
/** An IPv6 address: a bigint from 0 to 2^128-1. */
export type Ip6 = bigint & { readonly [brand6]: true };
export type Ip = Ip4 | Ip6;
export type Family = 'ipv4' | 'ipv6';

export const ANY4 = 0 as Ip4;
/** 255.255.255.255, the limited broadcast address. */
export const BROADCAST4 = 0xffffffff as Ip4;

export function familyOf(ip: Ip): Family {
  return typeof ip === 'number' ? 'ipv4' : 'ipv6';
}

/** Reads `text` as dotted decimal (four parts, no leading zeros); undefined where it is not one. */
export function parseIp4(text: string): Ip4 | undefined {
  const parts = /^(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})$/.exec(text);
  if (parts === null) return undefined;
  let value = 0;
  for (let i = 1; i <= 4; i++) {
    const octet = Number(parts[i]);
    if (octet > 255) return undefined;
    value = value * 256 + octet;
  }
  return value as Ip4;
}

/** Reads `text` as an IPv6 address without zone or prefix; undefined where it is not one. */
export function parseIp6(text: string): Ip6 | undefined {
  if (!text.includes(':') || text.includes('/') || text.includes('%') || !Address6.isValid(text)) return undefined;
  return new Address6(text).bigInt() as Ip6;
}

export function parseIp(text: string): Ip | undefined {
  return text.includes(':') ? parseIp6(text) : parseIp4(text);
}

/** Dotted decimal, or RFC 5952 text. */
export function formatIp(ip: Ip): string {
  if (typeof ip === 'number') return `${ip >>> 24}.${(ip >>> 16) & 255}.${(ip >>> 8) & 255}.${ip & 255}`;
  return Address6.fromBigInt(ip).correctForm();
}

/** Reads the four octets at `at`; the caller has checked the bounds. */
export function readIp4(bytes: Uint8Array, at: number): Ip4 {
  return ((bytes[at]! * 0x1000000 + (bytes[at + 1]! << 16) + (bytes[at + 2]! << 8) + bytes[at + 3]!) >>> 0) as Ip4;
}

/** Writes the four octets of `ip` at `at`. */
export function writeIp4(bytes: Uint8Array, at: number, ip: Ip4): void {
  bytes[at] = ip >>> 24;
  bytes[at + 1] = ip >>> 16;
  bytes[at + 2] = ip >>> 8;
  bytes[at + 3] = ip;
}

/** Reads the sixteen octets at `at`; the caller has checked the bounds. */
export function readIp6(bytes: Uint8Array, at: number): Ip6 {
  let value = 0n;
  for (let word = 0; word < 16; word += 4) value = (value << 32n) | BigInt(readIp4(bytes, at + word));
  return value as Ip6;
}

/** Writes the sixteen octets of `ip` at `at`. */
export function writeIp6(bytes: Uint8Array, at: number, ip: Ip6): void {
  let rest: bigint = ip;
  for (let word = 12; word >= 0; word -= 4) {
    writeIp4(bytes, at + word, Number(rest & 0xffffffffn) as Ip4);
    rest >>= 32n;
  }
}

/** The 4 or 16 octets of `ip`, in network order. */
export function ipToBytes(ip: Ip): Uint8Array {
  if (typeof ip === 'number') {
    const four = new Uint8Array(4);
    writeIp4(four, 0, ip);
    return four;
  }
  const sixteen = new Uint8Array(16);
  writeIp6(sixteen, 0, ip);
  return sixteen;
}

/** The address in 4 or 16 octets; any other length is a defect of the caller. */
export function ipFromBytes(bytes: Uint8Array): Ip {
  if (bytes.length === 4) return readIp4(bytes, 0);
  if (bytes.length !== 16) throw new Error(`an address of ${bytes.length} octets`);
  return readIp6(bytes, 0);
}
