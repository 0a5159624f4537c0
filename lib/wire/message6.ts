// The DHCPv6 message: bytes to value and back, with whatever relays put around it (RFC 9915 §8, §9).
import type { Ip6 } from '../net/ip.js';
import { readIp6, writeIp6 } from '../net/ip.js';
import type { Failure, Result } from '../net/reason.js';
import { fail, ok } from '../net/reason.js';
import type { Option6 } from './areas6.js';
import { first6, MOST_VALUE6, putHead, putOptions, readOptions, sizeOfOptions } from './areas6.js';
import { read24, write24 } from './bytes.js';
import { code6, messageType6 } from './codes6.js';
import { soundOptions } from './forms6.js';

/** A message between a client and a server. */
export interface PlainMessage6 {
  readonly kind: 'message';
  readonly type: number;
  /** 24 bits. */
  readonly xid: number;
  /** In the order of the wire; an option may come more than once. */
  readonly options: readonly Option6[];
}

/** A Relay-forward or Relay-reply, and the message in it. */
export interface RelayMessage6 {
  readonly kind: 'relay';
  readonly type: number;
  readonly hopCount: number;
  readonly linkAddress: Ip6;
  readonly peerAddress: Ip6;
  /** Without the Relay Message option, which is `inner`. */
  readonly options: readonly Option6[];
  readonly inner: Message6;
}

export type Message6 = PlainMessage6 | RelayMessage6;

/** An option that was left out of a message because its value is not what its code says. */
export interface Dropped6 {
  /** How many relays stand around the message that had it: 0 for the outermost. */
  readonly level: number;
  /** The codes that lead to it: `[3, 5]` is an address in an IA_NA. */
  readonly codes: readonly number[];
  /** Of its value, in octets. */
  readonly length: number;
}

/** What {@link decode6} read, and what it left out, for the caller to count and log. */
export type Decoded6 = { readonly ok: true; readonly value: Message6; readonly dropped: readonly Dropped6[] } | Failure;

/** The most relays that a message can have passed: no chain goes deeper (RFC 9915 §7.6). */
export const HOP_COUNT_LIMIT = 8;

/** What a UDP datagram over IPv6 can carry. */
const MOST_MESSAGE = 65535 - 8;

/** Where each field begins. */
const plain = { type: 0, xid: 1, options: 4 } as const;
const relay = { type: 0, hopCount: 1, linkAddress: 2, peerAddress: 18, options: 34 } as const;

function isRelay(type: number): boolean {
  return type === messageType6.relayForward || type === messageType6.relayReply;
}

/**
 * Reads the UDP payload `bytes`, of whatever message type; never throws, and works in time linear in its length. Values are views into
 * `bytes`. Ill-formed options are left out and listed in `dropped`. Reasons: `too-short`, `option-overrun`, `bad-relay`, `too-many-hops`.
 */
export function decode6(bytes: Uint8Array): Decoded6 {
  const relays: Omit<RelayMessage6, 'inner'>[] = [];
  const dropped: Dropped6[] = [];
  let rest = bytes;
  for (;;) {
    const level = relays.length;
    const relayed = rest.length > 0 && isRelay(rest[0]!);
    const from = relayed ? relay.options : plain.options;
    if (rest.length < from) return fail('too-short', `${rest.length} octets of ${from} at level ${level}`);
    if (relayed && level === HOP_COUNT_LIMIT) return fail('too-many-hops', `more than ${HOP_COUNT_LIMIT} relays`);
    const found = readOptions(rest, from);
    if (typeof found === 'number') return fail('option-overrun', `at octet ${found} at level ${level}`);
    const options = soundOptions(found, 0, (codes, length) => dropped.push({ level, codes, length }));
    if (!relayed) {
      const message: PlainMessage6 = {
        kind: 'message',
        type: rest[plain.type]!,
        xid: read24(rest, plain.xid),
        options,
      };
      return { ok: true, value: around(message, relays), dropped };
    }
    const inner = first6(options, code6.relayMessage);
    if (inner === undefined) return fail('bad-relay', `no relay message at level ${level}`);
    const others = options.filter(({ code }) => code !== code6.relayMessage);
    if (others.length < options.length - 1) return fail('bad-relay', `several relay messages at level ${level}`);
    relays.push({
      kind: 'relay',
      type: rest[relay.type]!,
      hopCount: rest[relay.hopCount]!,
      linkAddress: readIp6(rest, relay.linkAddress),
      peerAddress: readIp6(rest, relay.peerAddress),
      options: others,
    });
    rest = inner;
  }
}

/** `message` in its relays, of which the first is the outermost. */
function around(message: Message6, relays: readonly Omit<RelayMessage6, 'inner'>[]): Message6 {
  return relays.reduceRight((inner: Message6, one) => ({ ...one, inner }), message);
}

/**
 * Writes `message`. At each level the Relay Message option comes last, and is this function's own business: one in `options` of a relay is
 * ignored. What goes into them else, an Interface-Id to echo above all, is the caller's. Reasons: `too-large`, `too-many-hops`.
 */
export function encode6(message: Message6): Result<Uint8Array> {
  const relays: RelayMessage6[] = [];
  let inner = message;
  while (inner.kind === 'relay') {
    if (relays.length === HOP_COUNT_LIMIT) return fail('too-many-hops', `more than ${HOP_COUNT_LIMIT} relays`);
    relays.push(inner);
    inner = inner.inner;
  }
  const levels = relays.map((one) => ({ ...one, options: withoutRelayMessage(one.options) }));
  for (const { options } of [...levels, inner]) {
    const long = options.find(({ value }) => value.length > MOST_VALUE6);
    if (long !== undefined) return fail('too-large', `option ${long.code} of ${long.value.length} octets`);
  }
  const around = levels.reduce((sum, { options }) => sum + relay.options + sizeOfOptions(options) + 4, 0);
  const total = around + plain.options + sizeOfOptions(inner.options);
  if (total > MOST_MESSAGE) return fail('too-large', `${total} octets of at most ${MOST_MESSAGE}`);
  const bytes = new Uint8Array(total);
  let next = 0;
  for (const one of levels) {
    bytes[next + relay.type] = one.type;
    bytes[next + relay.hopCount] = one.hopCount;
    writeIp6(bytes, next + relay.linkAddress, one.linkAddress);
    writeIp6(bytes, next + relay.peerAddress, one.peerAddress);
    next = putOptions(bytes, next + relay.options, one.options);
    // It is the last option, so that all that follows its head is its value.
    next = putHead(bytes, next, code6.relayMessage, total - next - 4);
  }
  bytes[next + plain.type] = inner.type;
  write24(bytes, next + plain.xid, inner.xid);
  putOptions(bytes, next + plain.options, inner.options);
  return ok(bytes);
}

function withoutRelayMessage(options: readonly Option6[]): readonly Option6[] {
  return options.filter(({ code }) => code !== code6.relayMessage);
}

/** The message that the client sent or is sent, without the relays around it. */
export function innermost(message: Message6): PlainMessage6 {
  let inner = message;
  while (inner.kind === 'relay') inner = inner.inner;
  return inner;
}
