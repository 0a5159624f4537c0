// Lists of DHCPv6 options: code and length of two octets each, then the value (RFC 9915 §21.1); an option may come more than once.
import { read16, write16 } from './bytes.js';

/** One option as it is on the wire. */
export interface Option6 {
  readonly code: number;
  readonly value: Uint8Array;
}

const HEAD = 4;
/** The most that an option's length can say. */
export const MOST_VALUE6 = 0xffff;

/** The options in `bytes` from `from` to the end, views into it, in their order; where one runs over the end, the octet at which it begins. */
export function readOptions(bytes: Uint8Array, from: number): readonly Option6[] | number {
  const options: Option6[] = [];
  let next = from;
  while (next < bytes.length) {
    const begin = next + HEAD;
    const end = begin > bytes.length ? Infinity : begin + read16(bytes, next + 2);
    if (end > bytes.length) return next;
    options.push({ code: read16(bytes, next), value: bytes.subarray(begin, end) });
    next = end;
  }
  return options;
}

/** The octets that `options` take on the wire. */
export function sizeOfOptions(options: readonly Option6[]): number {
  return options.reduce((sum, { value }) => sum + HEAD + value.length, 0);
}

/** Writes `options` at `from`, where there is room for them; returns the octet after. */
export function putOptions(bytes: Uint8Array, from: number, options: readonly Option6[]): number {
  let next = from;
  for (const { code, value } of options) {
    next = putHead(bytes, next, code, value.length);
    bytes.set(value, next);
    next += value.length;
  }
  return next;
}

/** Writes the code and the length of an option; returns where its value goes. A length over 65535 is a defect of the caller. */
export function putHead(bytes: Uint8Array, from: number, code: number, length: number): number {
  if (length > MOST_VALUE6) throw new Error(`option ${code} of ${length} octets`);
  write16(bytes, from, code);
  write16(bytes, from + 2, length);
  return from + HEAD;
}

/** `head` and the options behind it, as one value. */
export function withOptions6(head: Uint8Array, options: readonly Option6[]): Uint8Array {
  const bytes = new Uint8Array(head.length + sizeOfOptions(options));
  bytes.set(head);
  putOptions(bytes, head.length, options);
  return bytes;
}

/** The value of the first option `code`. */
export function first6(options: readonly Option6[], code: number): Uint8Array | undefined {
  return options.find((option) => option.code === code)?.value;
}

/** The values of every option `code`, in their order. */
export function all6(options: readonly Option6[], code: number): readonly Uint8Array[] {
  return options.filter((option) => option.code === code).map(({ value }) => value);
}
