// What the tests of DHCPv6 on the wire share: messages by hand, and arbitrary ones.
import fc from 'fast-check';
import type { Ip6 } from '../../../lib/net/ip.js';
import { parseIp6 } from '../../../lib/net/ip.js';
import type { Option6 } from '../../../lib/wire/areas6.js';
import { code6 } from '../../../lib/wire/codes6.js';
import type { Message6, PlainMessage6, RelayMessage6 } from '../../../lib/wire/message6.js';

export function hex(text: string): Uint8Array {
  return Uint8Array.from(Buffer.from(text.replaceAll(' ', ''), 'hex'));
}

/** An address that has to be one. */
export function ip6(text: string): Ip6 {
  const ip = parseIp6(text);
  if (ip === undefined) throw new Error(text);
  return ip;
}

/** Options from codes and values in hexadecimal. */
export function options6(...rows: readonly (readonly [code: number, value: string])[]): readonly Option6[] {
  return rows.map(([code, value]) => ({ code, value: hex(value) }));
}

/** Options as codes and values in hexadecimal. */
export function shown(options: readonly Option6[]): readonly (readonly [code: number, value: string])[] {
  return options.map(({ code, value }) => [code, Buffer.from(value).toString('hex')]);
}

/** The octets of an option: code, length, and the value in hexadecimal. */
export function option(code: number, value: string): string {
  const length = hex(value).length;
  return [code, length].map((number) => number.toString(16).padStart(4, '0')).join('') + value.replaceAll(' ', '');
}

export const clientId = '0003 0001 020000000001';

export const solicit: PlainMessage6 = {
  kind: 'message',
  type: 1,
  xid: 0x0a0b0c,
  options: options6([1, clientId], [8, '0000'], [3, '00000001 00000000 00000000']),
};

/** `inner` in a Relay-forward. */
export function relayed(inner: Message6, over: Partial<RelayMessage6> = {}): RelayMessage6 {
  const addresses = { linkAddress: ip6('2001:db8::1'), peerAddress: ip6('fe80::1') };
  return { kind: 'relay', type: 12, hopCount: 0, ...addresses, options: [], inner, ...over };
}

/** The head of a relayed message in hexadecimal: type, hop count, both addresses. */
export function relayHead(type = 12, hops = 0): string {
  const two = (number: number) => number.toString(16).padStart(2, '0');
  return `${two(type)}${two(hops)}20010db8000000000000000000000001fe800000000000000000000000000001`;
}

export const ip6s = fc.bigInt({ min: 0n, max: (1n << 128n) - 1n }).map((value) => value as Ip6);
export const numbers32 = fc.integer({ min: 0, max: 0xffffffff });

/** Options that no rule of form is about, some of them several times. */
const anyOptions = fc.array(
  fc.record({ code: fc.integer({ min: 200, max: 65535 }), value: fc.uint8Array({ maxLength: 60 }) }),
  { maxLength: 10 },
);

const plains: fc.Arbitrary<PlainMessage6> = fc.record({
  kind: fc.constant('message' as const),
  type: fc.integer({ min: 0, max: 255 }).filter((type) => type !== 12 && type !== 13),
  xid: fc.nat(0xffffff),
  options: anyOptions,
});

const shells = fc.record({
  type: fc.constantFrom(12, 13),
  hopCount: fc.nat(255),
  linkAddress: ip6s,
  peerAddress: ip6s,
  options: anyOptions.map((options) => options.filter(({ code }) => code !== code6.relayMessage)),
});

/** Messages in 0 to 8 relays. */
export const messages6: fc.Arbitrary<Message6> = fc
  .tuple(plains, fc.array(shells, { maxLength: 8 }))
  .map(([plain, around]) => around.reduce((inner: Message6, one) => ({ kind: 'relay', ...one, inner }), plain));
