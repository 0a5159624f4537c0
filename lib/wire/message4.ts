// The DHCPv4 message: bytes to value and back (RFC 2131 §2, RFC 951 §3, options as RFC 3396 and option overload join and split them).
import type { Ip4 } from '../net/ip.js';
import { readIp4, writeIp4 } from '../net/ip.js';
import type { Failure, Result } from '../net/reason.js';
import { fail, ok } from '../net/reason.js';
import { code, optionByCode } from './options4.js';

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
const MOST_PIECE = 255;
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
  return ok({
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

/** Option values as they are found, in up to three areas; pieces of one code are joined once, at the end (RFC 3396 §5). */
class Gathered {
  private readonly options = new Map<number, Uint8Array>();
  private readonly pieces = new Map<number, Uint8Array[]>();

  /** Reads one area; a failure where an option runs past its end. */
  walk(bytes: Uint8Array, from: number, to: number, area: string): Failure | undefined {
    let next = from;
    while (next < to) {
      const found = bytes[next]!;
      // Pad and END are single octets (RFC 2132 §3.1, §3.2); an area may also end without END.
      if (found === code.end) return undefined;
      if (found === code.pad) {
        next++;
        continue;
      }
      const begin = next + 2;
      if (begin > to || begin + bytes[next + 1]! > to) {
        return fail('option-overrun', `option ${found} at octet ${next} in ${area}`);
      }
      next = begin + bytes[next + 1]!;
      this.add(found, bytes.subarray(begin, next));
    }
    return undefined;
  }

  private add(found: number, value: Uint8Array): void {
    if (value.length === 0 && !mayBeEmpty(found)) return;
    const first = this.options.get(found);
    if (first === undefined) {
      this.options.set(found, value);
      return;
    }
    const pieces = this.pieces.get(found);
    if (pieces === undefined) this.pieces.set(found, [first, value]);
    else pieces.push(value);
  }

  /** Which fields hold options too; a value that RFC 2132 §9.3 does not know means neither. */
  overload(): number {
    const value = this.options.get(code.overload);
    return value?.length === 1 && value[0]! <= 3 ? value[0]! : 0;
  }

  joined(): ReadonlyMap<number, Uint8Array> {
    for (const [found, pieces] of this.pieces) this.options.set(found, concat(pieces));
    return this.options;
  }
}

function concat(pieces: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let end = 0;
  for (const piece of pieces) {
    whole.set(piece, end);
    end += piece.length;
  }
  return whole;
}

function mayBeEmpty(option: number): boolean {
  return optionByCode(option)?.field === 'flag';
}

type Option = readonly [code: number, value: Uint8Array];

/**
 * Writes `message` into at most `room` octets of UDP payload and at least 300 (pads follow END). Option 53 comes first, 82 last and
 * only in the options field (RFC 3046 §2.2); 52 is this function's own business and ignored in `message`; empty values are left out
 * unless their definition has no value. Options move into `file`, then `sname`, where those are free and the room demands it. What still
 * does not fit loses option 82 whole, else is `too-large`. Reserved flag bits go out as zero.
 */
export function encode4(message: Message4, room: number): Encoded4 {
  if (message.chaddr.length > MOST_CHADDR)
    return fail('bad-hlen', `a hardware address of ${message.chaddr.length} octets`);
  if (message.sname.length > at.file - at.sname) return fail('too-large', `sname of ${message.sname.length} octets`);
  if (message.file.length > at.cookie - at.file) return fail('too-large', `file of ${message.file.length} octets`);
  const list: Option[] = [];
  let relay: Uint8Array | undefined;
  for (const [option, value] of message.options) {
    if (option === code.overload || (value.length === 0 && !mayBeEmpty(option))) continue;
    if (option === code.relayAgentInformation) relay = value;
    else if (option === code.messageType) list.unshift([option, value]);
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

/** The octets that `value` takes on the wire, with a code and a length for each 255. */
function sizeOf(value: Uint8Array): number {
  return value.length + 2 * Math.max(1, Math.ceil(value.length / MOST_PIECE));
}

function place(
  message: Message4,
  list: readonly Option[],
  relay: Uint8Array | undefined,
  room: number,
): Uint8Array | undefined {
  if (room < LEAST_MESSAGE) return undefined;
  const plain = list.reduce<number>((sum, [, value]) => sum + sizeOf(value), at.options);
  const tail = (relay === undefined ? 0 : sizeOf(relay)) + 1;
  if (!message.cookie && list.length === 0 && relay === undefined) return header(message, LEAST_MESSAGE);
  if (plain + tail <= room) {
    const bytes = header(message, Math.max(LEAST_MESSAGE, plain + tail));
    let end: number = at.options;
    for (const [option, value] of list) end = put(bytes, end, option, value);
    finish(bytes, end, relay);
    return bytes;
  }
  return overloaded(message, list, relay, room, tail, whole) ?? overloaded(message, list, relay, room, tail, split);
}

/** A stretch of the message that takes options from `next` up to `end`. */
interface Area {
  next: number;
  readonly end: number;
}

type Place = (bytes: Uint8Array, areas: readonly Area[], option: number, value: Uint8Array) => boolean;

/** Spreads options over the areas that are free, in the order in which they are read (RFC 2131 §4.1). */
function overloaded(
  message: Message4,
  list: readonly Option[],
  relay: Uint8Array | undefined,
  room: number,
  tail: number,
  putWith: Place,
): Uint8Array | undefined {
  const bytes = header(message, room);
  const options: Area = { next: at.options, end: room - tail - sizeOf(new Uint8Array(1)) };
  const file: Area = { next: at.file, end: message.file.length === 0 ? at.cookie - 1 : at.file };
  const sname: Area = { next: at.sname, end: message.sname.length === 0 ? at.file - 1 : at.sname };
  const areas = [options, file, sname];
  if (options.end < options.next) return undefined;
  if (!list.every(([option, value]) => putWith(bytes, areas, option, value))) return undefined;
  let bits = 0;
  if (file.next > at.file) bits |= overloads.file;
  if (sname.next > at.sname) bits |= overloads.sname;
  if (bits & overloads.file) bytes[file.next] = code.end;
  if (bits & overloads.sname) bytes[sname.next] = code.end;
  const end = put(bytes, options.next, code.overload, Uint8Array.of(bits));
  return bytes.slice(0, Math.max(LEAST_MESSAGE, finish(bytes, end, relay)));
}

/** Puts the option into the first area that takes all of it: many clients do not join pieces across areas. */
function whole(bytes: Uint8Array, areas: readonly Area[], option: number, value: Uint8Array): boolean {
  const area = areas.find((one) => one.next + sizeOf(value) <= one.end);
  if (area === undefined) return false;
  area.next = put(bytes, area.next, option, value);
  return true;
}

/** Fills area after area to the last octet, cutting the option where one is full (RFC 3396 §6). */
function split(bytes: Uint8Array, areas: readonly Area[], option: number, value: Uint8Array): boolean {
  let done = 0;
  for (const area of areas) {
    // Two octets of head without any value are worth it only for an option that has none.
    while (area.end - area.next >= (value.length === 0 ? 2 : 3)) {
      const piece = value.subarray(done, done + Math.min(MOST_PIECE, area.end - area.next - 2));
      area.next = put(bytes, area.next, option, piece);
      done += piece.length;
      if (done === value.length) return true;
    }
  }
  return false;
}

/** Writes the option at `from`, in as many pieces as it needs; returns where the next one goes. */
function put(bytes: Uint8Array, from: number, option: number, value: Uint8Array): number {
  let next = from;
  let done = 0;
  do {
    const length = Math.min(MOST_PIECE, value.length - done);
    bytes[next] = option;
    bytes[next + 1] = length;
    bytes.set(value.subarray(done, done + length), next + 2);
    next += 2 + length;
    done += length;
  } while (done < value.length);
  return next;
}

/** Option 82 and END close the options field; returns the octet after. */
function finish(bytes: Uint8Array, from: number, relay: Uint8Array | undefined): number {
  const end = relay === undefined ? from : put(bytes, from, code.relayAgentInformation, relay);
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
