// What the wire's tests share: a message to start from, raw messages by hand, arbitraries, and the captures under test/vectors.
import fc from 'fast-check';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Ip4 } from '../../../lib/net/ip.js';
import { ANY4 } from '../../../lib/net/ip.js';
import type { Result } from '../../../lib/net/reason.js';
import type { Message4 } from '../../../lib/wire/message4.js';
import { encode4 } from '../../../lib/wire/message4.js';

export const none = new Uint8Array(0);

export const plain: Message4 = {
  op: 2,
  htype: 1,
  hlen: 6,
  hops: 0,
  xid: 0xdeadbeef,
  secs: 0,
  flags: 0,
  ciaddr: ANY4,
  yiaddr: ANY4,
  siaddr: ANY4,
  giaddr: ANY4,
  chaddr: Uint8Array.of(2, 0, 0, 0, 0, 1),
  sname: none,
  file: none,
  options: new Map(),
  cookie: true,
};

export type OptionRow = readonly [code: number, value: readonly number[]];

/** {@link plain} with these options and whatever else `over` says. */
export function withOptions(rows: readonly OptionRow[], over: Partial<Message4> = {}): Message4 {
  return { ...plain, ...over, options: new Map(rows.map(([code, value]) => [code, Uint8Array.from(value)])) };
}

/** `count` octets of `octet`. */
export function run(count: number, octet = 7): number[] {
  return Array.from({ length: count }, () => octet);
}

/** A message with its areas written out octet by octet: header of {@link plain}, sname, file, cookie, then `options` and nothing more. */
export function raw(
  options: readonly number[],
  areas: { file?: readonly number[]; sname?: readonly number[] } = {},
): Uint8Array {
  const header = take(encode4(plain, 300)).subarray(0, 240);
  const bytes = Uint8Array.from([...header, ...options]);
  bytes.set(areas.sname ?? [], 44);
  bytes.set(areas.file ?? [], 108);
  return bytes;
}

/** The value of a result that has to be one. */
export function take<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(`${result.reason}: ${result.detail ?? ''}`);
  return result.value;
}

export const ip4s = fc.integer({ min: 0, max: 0xffffffff }).map((number) => number as Ip4);
const octets = (from: number, to: number) => fc.uint8Array({ minLength: from, maxLength: to });
/** The octets of sname or file: whatever has no NUL. */
const texts = (most: number) => octets(0, most).map((bytes) => bytes.map((octet) => (octet === 0 ? 1 : octet)));
const codes = fc
  .integer({ min: 1, max: 254 })
  .filter((code) => code !== 52 && code !== 53 && code !== 80 && code !== 82);
const values = fc.oneof(
  { weight: 6, arbitrary: octets(1, 24) },
  { weight: 2, arbitrary: octets(25, 255) },
  { weight: 1, arbitrary: octets(256, 900) },
);

/** DHCP messages with options of any length, sname and file mostly free for them. */
export const messages: fc.Arbitrary<Message4> = fc
  .record({
    op: fc.constantFrom(1, 2),
    htype: fc.integer({ min: 0, max: 255 }),
    hops: fc.integer({ min: 0, max: 255 }),
    xid: fc.integer({ min: 0, max: 0xffffffff }),
    secs: fc.integer({ min: 0, max: 0xffff }),
    flags: fc.constantFrom(0, 0x8000),
    ciaddr: ip4s,
    yiaddr: ip4s,
    siaddr: ip4s,
    giaddr: ip4s,
    chaddr: octets(0, 16),
    sname: fc.oneof({ weight: 3, arbitrary: fc.constant(none) }, { weight: 1, arbitrary: texts(64) }),
    file: fc.oneof({ weight: 3, arbitrary: fc.constant(none) }, { weight: 1, arbitrary: texts(128) }),
    type: fc.integer({ min: 1, max: 18 }),
    relay: fc.oneof(fc.constant(none), octets(1, 300)),
    rest: fc.uniqueArray(fc.tuple(codes, values), { maxLength: 14, selector: ([code]) => code }),
  })
  .map(({ type, relay, rest, ...header }) => ({
    ...header,
    hlen: header.chaddr.length,
    options: new Map([
      [53, Uint8Array.of(type)] as const,
      ...(relay.length > 0 ? [[82, relay] as const] : []),
      ...rest,
    ]),
    cookie: true,
  }));

const folder = fileURLToPath(new URL('../../../../test/vectors/', import.meta.url));

/** A file under test/vectors, as plain octets. */
export function vector(file: string): Uint8Array {
  return Uint8Array.from(readFileSync(folder + file));
}

export function vectorText(file: string): string {
  return readFileSync(folder + file, 'utf8');
}

/** The names of the files under test/vectors that end in `ending`, sorted. */
export function vectors(ending: RegExp): string[] {
  return readdirSync(folder, { encoding: 'utf8', recursive: true })
    .filter((file) => ending.test(file))
    .sort();
}
