// What lies in the DHCPv6 options that the server reads: identity associations, their addresses and prefixes, status, and the rest.
// All readers take the value of one option; what is ill-formed is undefined, as decode6 has left it out already.
import type { Ip6 } from '../net/ip.js';
import { readIp6, writeIp6 } from '../net/ip.js';
import type { Prefix } from '../net/prefix.js';
import { prefixOf } from '../net/prefix.js';
import type { Option6 } from './areas6.js';
import { readOptions, withOptions6 } from './areas6.js';
import { read16, read32, write32 } from './bytes.js';
import { soundOptions } from './forms6.js';

/** An IA_NA or IA_PD (RFC 9915 §21.4, §21.21). T1 and T2 in seconds, 4294967295 for never, 0 for "as the other side likes". */
export interface Ia6 {
  readonly iaid: number;
  readonly t1: number;
  readonly t2: number;
  readonly options: readonly Option6[];
}

/** An IA_TA (RFC 8415 §21.5, obsolete since RFC 9915). */
export interface IaTa6 {
  readonly iaid: number;
  readonly options: readonly Option6[];
}

/** An address in an IA (RFC 9915 §21.6). Lifetimes in seconds, 4294967295 for ever. */
export interface IaAddress6 {
  readonly address: Ip6;
  readonly preferred: number;
  readonly valid: number;
  readonly options: readonly Option6[];
}

/** A prefix in an IA_PD (RFC 9915 §21.22); as a hint, `::` of some length asks for that length. */
export interface IaPrefix6 {
  readonly prefix: Prefix;
  readonly preferred: number;
  readonly valid: number;
  readonly options: readonly Option6[];
}

/** A status code with its message, UTF-8 (RFC 9915 §21.13). */
export interface Status6 {
  readonly code: number;
  readonly message: Uint8Array;
}

/** An enterprise number, and what follows it. */
export interface Enterprise6 {
  readonly enterprise: number;
  readonly data: Uint8Array;
}

/** The address of the client's link layer as its first relay saw it (RFC 6939 §4); `hardware` is IANA's ARP number. */
export interface LinkLayer6 {
  readonly hardware: number;
  readonly address: Uint8Array;
}

const ia = { iaid: 0, t1: 4, t2: 8, options: 12 } as const;
const ta = { iaid: 0, options: 4 } as const;
const address = { address: 0, preferred: 16, valid: 20, options: 24 } as const;
const prefix = { preferred: 0, valid: 4, length: 8, prefix: 9, options: 25 } as const;

const OPTIONS_OF_IA = 1;
const OPTIONS_OF_ADDRESS = 2;

/** The well-formed options behind the first `from` octets. */
function behind(value: Uint8Array, from: number, depth: number): readonly Option6[] | undefined {
  if (value.length < from) return undefined;
  const options = readOptions(value, from);
  return typeof options === 'number' ? undefined : soundOptions(options, depth, () => undefined);
}

/** Reads an IA_NA or an IA_PD. */
export function readIa(value: Uint8Array): Ia6 | undefined {
  const options = behind(value, ia.options, OPTIONS_OF_IA);
  if (options === undefined) return undefined;
  return { iaid: read32(value, ia.iaid), t1: read32(value, ia.t1), t2: read32(value, ia.t2), options };
}

/** Writes an IA_NA or an IA_PD. */
export function writeIa({ iaid, t1, t2, options }: Ia6): Uint8Array {
  const head = new Uint8Array(ia.options);
  write32(head, ia.iaid, iaid);
  write32(head, ia.t1, t1);
  write32(head, ia.t2, t2);
  return withOptions6(head, options);
}

export function readIaTa(value: Uint8Array): IaTa6 | undefined {
  const options = behind(value, ta.options, OPTIONS_OF_IA);
  return options === undefined ? undefined : { iaid: read32(value, ta.iaid), options };
}

export function readIaAddress(value: Uint8Array): IaAddress6 | undefined {
  const options = behind(value, address.options, OPTIONS_OF_ADDRESS);
  if (options === undefined) return undefined;
  return {
    address: readIp6(value, address.address),
    preferred: read32(value, address.preferred),
    valid: read32(value, address.valid),
    options,
  };
}

export function writeIaAddress(one: IaAddress6): Uint8Array {
  const head = new Uint8Array(address.options);
  writeIp6(head, address.address, one.address);
  write32(head, address.preferred, one.preferred);
  write32(head, address.valid, one.valid);
  return withOptions6(head, one.options);
}

/** Bits beyond the length of the prefix are taken as zero, as §21.22 says. */
export function readIaPrefix(value: Uint8Array): IaPrefix6 | undefined {
  const options = behind(value, prefix.options, OPTIONS_OF_ADDRESS);
  if (options === undefined || value[prefix.length]! > 128) return undefined;
  return {
    prefix: prefixOf(readIp6(value, prefix.prefix), value[prefix.length]!),
    preferred: read32(value, prefix.preferred),
    valid: read32(value, prefix.valid),
    options,
  };
}

/** An IPv4 prefix is a defect of the caller. */
export function writeIaPrefix(one: IaPrefix6): Uint8Array {
  const { first, length } = one.prefix;
  if (typeof first === 'number') throw new Error('an IPv4 prefix in an IA_PD');
  const head = new Uint8Array(prefix.options);
  write32(head, prefix.preferred, one.preferred);
  write32(head, prefix.valid, one.valid);
  head[prefix.length] = length;
  writeIp6(head, prefix.prefix, first);
  return withOptions6(head, one.options);
}

export function readStatus(value: Uint8Array): Status6 | undefined {
  return value.length < 2 ? undefined : { code: read16(value, 0), message: value.subarray(2) };
}

/** `message` is for people; the RFC asks for UTF-8 without a NUL at its end. */
export function writeStatus(code: number, message = ''): Uint8Array {
  return Uint8Array.of(code >>> 8, code, ...new TextEncoder().encode(message));
}

/** The codes in an Option Request (RFC 9915 §21.7), or the architectures in an option 61 (RFC 5970 §3.3). */
export function readNumbers(value: Uint8Array): readonly number[] | undefined {
  if (value.length % 2 !== 0) return undefined;
  return Array.from({ length: value.length / 2 }, (_, i) => read16(value, 2 * i));
}

export function writeNumbers(numbers: readonly number[]): Uint8Array {
  return Uint8Array.from(numbers.flatMap((number) => [number >>> 8, number]));
}

/** How long the client has been trying, in milliseconds; the wire counts hundredths of a second, and 65535 is "at least" (§21.9). */
export function readElapsed(value: Uint8Array): number | undefined {
  return value.length === 2 ? read16(value, 0) * 10 : undefined;
}

export function writeElapsed(milliseconds: number): Uint8Array {
  return writeNumbers([Math.min(0xffff, Math.floor(milliseconds / 10))]);
}

export function readLinkLayer(value: Uint8Array): LinkLayer6 | undefined {
  return value.length < 3 ? undefined : { hardware: read16(value, 0), address: value.subarray(2) };
}

export function writeLinkLayer({ hardware, address }: LinkLayer6): Uint8Array {
  return Uint8Array.of(hardware >>> 8, hardware, ...address);
}

/** Reads a Vendor Class, Vendor-specific Information or Remote-ID (RFC 9915 §21.16, §21.17, RFC 4649 §3). */
export function readEnterprise(value: Uint8Array): Enterprise6 | undefined {
  return value.length < 4 ? undefined : { enterprise: read32(value, 0), data: value.subarray(4) };
}

/**
 * Values with a length of two octets each, as in User Class, Vendor Class behind its number, and boot file parameters (RFC 9915
 * §21.15, §21.16, RFC 5970 §3.2). Where `bytes` are not written so they are one value, whole: some firmware forgets the lengths (F28).
 */
export function readStrings(bytes: Uint8Array): readonly Uint8Array[] {
  const strings: Uint8Array[] = [];
  let next = 0;
  while (next < bytes.length) {
    const begin = next + 2;
    const end = begin > bytes.length ? Infinity : begin + read16(bytes, next);
    if (end > bytes.length) return [bytes];
    strings.push(bytes.subarray(begin, end));
    next = end;
  }
  return strings;
}

/** One over 65535 octets is a defect of the caller. */
export function writeStrings(strings: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(strings.reduce((sum, one) => sum + 2 + one.length, 0));
  let next = 0;
  for (const one of strings) {
    if (one.length > 0xffff) throw new Error(`a string of ${one.length} octets`);
    bytes.set([one.length >>> 8, one.length & 255], next);
    bytes.set(one, next + 2);
    next += 2 + one.length;
  }
  return bytes;
}
