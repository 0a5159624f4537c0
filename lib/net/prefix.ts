// Prefixes and ranges of addresses, of either family.
import type { Ip, Ip4, Ip6 } from './ip.js';
import { familyOf, formatIp, parseIp } from './ip.js';

/** An inclusive range; both ends are of one family and `first` is not above `last`. */
export interface Range {
  readonly first: Ip;
  readonly last: Ip;
}

/** A prefix is the range that it covers, and its length in bits. */
export interface Prefix extends Range {
  readonly length: number;
}

export type PrefixMistake = 'not-a-prefix' | 'host-bits';
export type RangeMistake = 'not-a-range' | 'families-differ' | 'backwards';

const bits = { ipv4: 32, ipv6: 128 } as const;

/** The prefix of `length` bits that contains `ip`. */
export function prefixOf(ip: Ip, length: number): Prefix {
  if (typeof ip === 'number') {
    const size = 2 ** (32 - length);
    const first = (Math.floor(ip / size) * size) as Ip4;
    return { first, last: (first + size - 1) as Ip4, length };
  }
  const size = 1n << BigInt(128 - length);
  const first = ((ip / size) * size) as Ip6;
  return { first, last: (first + size - 1n) as Ip6, length };
}

/** Reads `address/length`. Bits set beyond the length are a mistake of their own: the caller can say what was meant. */
export function parsePrefix(text: string): Prefix | PrefixMistake {
  const slash = text.indexOf('/');
  const digits = text.slice(slash + 1);
  const ip = slash < 0 ? undefined : parseIp(text.slice(0, slash));
  if (ip === undefined || !/^(0|[1-9]\d{0,2})$/.test(digits)) return 'not-a-prefix';
  const length = Number(digits);
  if (length > bits[familyOf(ip)]) return 'not-a-prefix';
  const prefix = prefixOf(ip, length);
  return prefix.first === ip ? prefix : 'host-bits';
}

/** Reads `first-last`, or one address as a range of one, or `address/length` as all that it covers. */
export function parseRange(text: string): Range | RangeMistake {
  if (text.includes('/')) {
    const prefix = parsePrefix(text);
    return typeof prefix === 'string' ? 'not-a-range' : { first: prefix.first, last: prefix.last };
  }
  const dash = text.indexOf('-');
  const first = parseIp((dash < 0 ? text : text.slice(0, dash)).trim());
  const last = dash < 0 ? first : parseIp(text.slice(dash + 1).trim());
  if (first === undefined || last === undefined) return 'not-a-range';
  if (familyOf(first) !== familyOf(last)) return 'families-differ';
  return first > last ? 'backwards' : { first, last };
}

export function formatPrefix(prefix: Prefix): string {
  return `${formatIp(prefix.first)}/${prefix.length}`;
}

export function formatRange(range: Range): string {
  return range.first === range.last ? formatIp(range.first) : `${formatIp(range.first)}-${formatIp(range.last)}`;
}

/** Whether `ip` lies in `range`; false where the families differ. */
export function contains(range: Range, ip: Ip): boolean {
  return typeof range.first === typeof ip && range.first <= ip && ip <= range.last;
}

/** Whether all of `inner` lies in `outer`. */
export function covers(outer: Range, inner: Range): boolean {
  return contains(outer, inner.first) && contains(outer, inner.last);
}

export function overlaps(a: Range, b: Range): boolean {
  return typeof a.first === typeof b.first && a.first <= b.last && b.first <= a.last;
}

/** How many addresses `range` has; exact, therefore a bigint. */
export function sizeOf(range: Range): bigint {
  return BigInt(range.last) - BigInt(range.first) + 1n;
}

/** The netmask of an IPv4 prefix of `length` bits. */
export function netmask4(length: number): Ip4 {
  return (length === 0 ? 0 : (0xffffffff << (32 - length)) >>> 0) as Ip4;
}
