// The DHCPv4 message: bytes to value and back (RFC 2131 §2, RFC 951 §3, options as RFC 3396 and option overload join and split them).
import type { Ip4 } from '../net/ip.js';
import { readIp4, writeIp4 } from '../net/ip.js';
import type { Failure, Result } from '../net/reason.js';
import { fail, ok } from '../net/reason.js';
import type { Area, Place } from './areas4.js';
import { Gathered, mayBeEmpty, put, sizeOf, split, whole } from './areas4.js';
import { code, messageType } from './options4.js';

/** A DHCPv4 or BOOTP message. Addresses, numbers and octets are as they are on the wire. */
export interface Message4 {
  /** 1 from a client, 2 from a server. */
  readonly op: number;
  readonly htype: number;
  readonly hlen: number;
  readonly hops: number;
  readonly xid: number;
  readonly secs: number;
  readonly flags: number;
  readonly ciaddr: Ip4;
  readonly yiaddr: Ip4;
  readonly siaddr: Ip4;
  readonly giaddr: Ip4;
  /** The `hlen` octets of the hardware address, 0 to 16. */
  readonly chaddr: Uint8Array;
  /** The octets before the first NUL, at most 64; empty where the field holds options. */
  readonly sname: Uint8Array;
  /** The octets before the first NUL, at most 128; empty where the field holds options. */
  readonly file: Uint8Array;
  /** Code to value in the order of first occurrence, pieces joined; empty for BOOTP without options. */
  readonly options: ReadonlyMap<number, Uint8Array>;
  /**
   * The pieces of option 82, where they are more than its length demands: several relays added one each. They go out as they are in place
   * of the joined value, because a relay that looks for its own takes the pieces one by one (RFC 3046 §2.1).
   */
  readonly relayPieces?: readonly Uint8Array[];
  /** Whether the magic cookie is there, and so options may be. */
  readonly cookie: boolean;
}

/** What {@link encode4} made; `relayInfoOmitted` where option 82 had to go for lack of room, for the caller to count. */
export type Encoded4 = { readonly ok: true; readonly value: Uint8Array; readonly relayInfoOmitted: boolean } | Failure;

export const BOOTREQUEST = 1;
export const BOOTREPLY = 2;
/** The one bit of `flags` that has a meaning; the others must be zero (RFC 2131 §2). */
export const BROADCAST_FLAG = 0x8000;

const MAGIC_COOKIE = 0x63825363;
const MOST_CHADDR = 16;
/** An option with a value of one octet, as 52 and 53 have. */
const SIZE_OF_ONE = 3;
/** Relays and old clients drop what is shorter (RFC 1542 §2.1). */
const LEAST_MESSAGE = 300;

/** Where each field begins; every field ends where the next begins. */
const at = {
  op: 0,
  htype: 1,
  hlen: 2,
  hops: 3,
  xid: 4,
  secs: 8,
  flags: 10,
  ciaddr: 12,
  yiaddr: 16,
  siaddr: 20,
  giaddr: 24,
  chaddr: 28,
  sname: 44,
  file: 108,
  cookie: 236,
  options: 240,
} as const;

/** The bits of option 52 (RFC 2132 §9.3). */
const overloads = { file: 1, sname: 2 } as const;

/**
 * Reads the UDP payload `bytes`; never throws, and works in time linear in its length. Values are views into `bytes` except where
 * RFC 3396 pieces had to be joined. Zero-length options count as absent unless their definition has no value. Reasons: `too-short`,
 * `bad-op`, `bad-hlen`, `bad-cookie`, `option-overrun`.
 */
export function decode4(bytes: Uint8Array): Result<Message4> {
  if (bytes.length < at.cookie) return fail('too-short', `${bytes.length} octets of ${at.cookie}`);
  const op = bytes[at.op]!;
  if (op !== BOOTREQUEST && op !== BOOTREPLY) return fail('bad-op', `op ${op}`);
  const hlen = bytes[at.hlen]!;
  if (hlen > MOST_CHADDR) return fail('bad-hlen', `hlen ${hlen}`);
  const cookie = cookieOf(bytes);
  if (cookie !== 0 && cookie !== MAGIC_COOKIE) return fail('bad-cookie', `0x${cookie.toString(16).padStart(8, '0')}`);

  let sname = textField(bytes, at.sname, at.file);
  let file = textField(bytes, at.file, at.cookie);
  const gathered = new Gathered();
  if (cookie !== 0) {
    let bad = gathered.walk(bytes, at.options, bytes.length, 'options');
    const overload = gathered.overload();
    if (overload & overloads.file) {
      file = bytes.subarray(at.file, at.file);
      bad ??= gathered.walk(bytes, at.file, at.cookie, 'file');
    }
    if (overload & overloads.sname) {
      sname = bytes.subarray(at.sname, at.sname);
      bad ??= gathered.walk(bytes, at.sname, at.file, 'sname');
    }
    if (bad !== undefined) return bad;
  }
  const relayPieces = gathered.apart(code.relayAgentInformation);
  return ok({
    ...(relayPieces === undefined ? {} : { relayPieces }),
    op,
    htype: bytes[at.htype]!,
    hlen,
    hops: bytes[at.hops]!,
    xid: readIp4(bytes, at.xid),
    secs: read16(bytes, at.secs),
    flags: read16(bytes, at.flags),
    ciaddr: readIp4(bytes, at.ciaddr),
    yiaddr: readIp4(bytes, at.yiaddr),
    siaddr: readIp4(bytes, at.siaddr),
    giaddr: readIp4(bytes, at.giaddr),
    chaddr: bytes.subarray(at.chaddr, at.chaddr + hlen),
    sname,
    file,
    options: gathered.joined(),
    cookie: cookie !== 0,
  });
}

/** The cookie, 0 where there is none: RFC 951 lets a BOOTP client leave the vendor area out, or zero. */
function cookieOf(bytes: Uint8Array): number {
  return bytes.length < at.options ? 0 : readIp4(bytes, at.cookie);
}

function read16(bytes: Uint8Array, from: number): number {
  return (bytes[from]! << 8) | bytes[from + 1]!;
}

/** sname and file hold NUL-terminated strings (RFC 2131 §2). */
function textField(bytes: Uint8Array, from: number, to: number): Uint8Array {
  let end = from;
  while (end < to && bytes[end] !== 0) end++;
  return bytes.subarray(from, end);
}

type Option = readonly [code: number, value: Uint8Array];

/**
 * Writes `message` into at most `room` octets of UDP payload and at least 300 (pads follow END). Option 53 comes first, 1 before 3, 82
 * last and only in the options field (RFC 3046 §2.2); 52 is this function's own business and ignored in `message`; empty values are left out
 * unless their definition has no value. Options move into `file`, then `sname`, where those are free and the room demands it. What still
 * does not fit loses option 82 whole, else is `too-large`. Reserved flag bits go out as zero.
 */
export function encode4(message: Message4, room: number): Encoded4 {
  if (message.chaddr.length > MOST_CHADDR)
    return fail('bad-hlen', `a hardware address of ${message.chaddr.length} octets`);
  if (message.sname.length > at.file - at.sname) return fail('too-large', `sname of ${message.sname.length} octets`);
  if (message.file.length > at.cookie - at.file) return fail('too-large', `file of ${message.file.length} octets`);
  const list: Option[] = [];
  let relay: readonly Uint8Array[] | undefined;
  for (const [option, value] of message.options) {
    if (option === code.overload || (value.length === 0 && !mayBeEmpty(option))) continue;
    if (option === code.relayAgentInformation) relay = message.relayPieces ?? [value];
    else if (option === code.messageType) list.unshift([option, value]);
    else if (option === code.subnetMask) putBefore(list, code.routers, [option, value]);
    else list.push([option, value]);
  }
  if (relay !== undefined) {
    const whole = place(message, list, relay, room);
    if (whole !== undefined) return { ok: true, value: whole, relayInfoOmitted: false };
  }
  const value = place(message, list, undefined, room);
  if (value === undefined) return fail('too-large', `no room in ${room} octets`);
  return { ok: true, value, relayInfoOmitted: relay !== undefined };
}

/** The subnet mask must come before the routers (RFC 2132 §3.3). */
function putBefore(list: Option[], other: number, option: Option): void {
  const found = list.findIndex(([one]) => one === other);
  list.splice(found < 0 ? list.length : found, 0, option);
}

function place(
  message: Message4,
  list: readonly Option[],
  relay: readonly Uint8Array[] | undefined,
  room: number,
): Uint8Array | undefined {
  if (room < LEAST_MESSAGE) return undefined;
  const plain = list.reduce<number>((sum, [, value]) => sum + sizeOf(value), at.options);
  const tail = (relay ?? []).reduce((sum, piece) => sum + sizeOf(piece), 1);
  if (!message.cookie && list.length === 0 && relay === undefined) return header(message, LEAST_MESSAGE);
  if (plain + tail <= room) {
    const bytes = header(message, Math.max(LEAST_MESSAGE, plain + tail));
    let end: number = at.options;
    for (const [option, value] of list) end = put(bytes, end, option, value);
    finish(bytes, end, relay);
    return bytes;
  }
  if (!mayOverload(message)) return undefined;
  return overloaded(message, list, relay, room, tail, whole) ?? overloaded(message, list, relay, room, tail, split);
}

/** Not a NAK, which must not use sname and file (RFC 2131 table 3), nor BOOTP, which does not know option 52 (RFC 1534 §2). */
function mayOverload(message: Message4): boolean {
  const type = message.options.get(code.messageType)?.[0];
  return type !== undefined && type !== messageType.nak;
}

/** Spreads options over the areas that are free, in the order in which they are read (RFC 2131 §4.1). */
function overloaded(
  message: Message4,
  list: readonly Option[],
  relay: readonly Uint8Array[] | undefined,
  room: number,
  tail: number,
  putWith: Place,
): Uint8Array | undefined {
  const bytes = header(message, room);
  const options: Area = { next: at.options, end: room - tail - SIZE_OF_ONE };
  const file: Area = { next: at.file, end: message.file.length === 0 ? at.cookie - 1 : at.file };
  const sname: Area = { next: at.sname, end: message.sname.length === 0 ? at.file - 1 : at.sname };
  const areas = [options, file, sname];
  // Option 53 stays where every client looks first.
  if (options.end - options.next < SIZE_OF_ONE) return undefined;
  if (!list.every(([option, value]) => putWith(bytes, areas, option, value))) return undefined;
  let bits = 0;
  if (file.next > at.file) bits |= overloads.file;
  if (sname.next > at.sname) bits |= overloads.sname;
  if (bits & overloads.file) bytes[file.next] = code.end;
  if (bits & overloads.sname) bytes[sname.next] = code.end;
  const end = put(bytes, options.next, code.overload, Uint8Array.of(bits));
  return bytes.slice(0, Math.max(LEAST_MESSAGE, finish(bytes, end, relay)));
}

/** Option 82 and END close the options field; returns the octet after. */
function finish(bytes: Uint8Array, from: number, relay: readonly Uint8Array[] = []): number {
  const end = relay.reduce((next, piece) => put(bytes, next, code.relayAgentInformation, piece), from);
  bytes[end] = code.end;
  return end + 1;
}

/** A message of `length` octets whose options, and whatever else `message` leaves empty, are zero. */
function header(message: Message4, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  bytes[at.op] = message.op;
  bytes[at.htype] = message.htype;
  bytes[at.hlen] = message.hlen;
  bytes[at.hops] = message.hops;
  write32(bytes, at.xid, message.xid);
  write16(bytes, at.secs, message.secs);
  write16(bytes, at.flags, message.flags & BROADCAST_FLAG);
  writeIp4(bytes, at.ciaddr, message.ciaddr);
  writeIp4(bytes, at.yiaddr, message.yiaddr);
  writeIp4(bytes, at.siaddr, message.siaddr);
  writeIp4(bytes, at.giaddr, message.giaddr);
  bytes.set(message.chaddr, at.chaddr);
  bytes.set(message.sname, at.sname);
  bytes.set(message.file, at.file);
  if (message.cookie || message.options.size > 0) write32(bytes, at.cookie, MAGIC_COOKIE);
  return bytes;
}

function write16(bytes: Uint8Array, from: number, value: number): void {
  bytes[from] = value >>> 8;
  bytes[from + 1] = value;
}

function write32(bytes: Uint8Array, from: number, value: number): void {
  write16(bytes, from, value >>> 16);
  write16(bytes, from + 2, value);
}
