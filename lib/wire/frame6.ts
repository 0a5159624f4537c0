// Ethernet II, IPv6 and UDP around a payload: read from captures, written into them.
import type { Ip6 } from '../net/ip.js';
import { readIp6, writeIp6 } from '../net/ip.js';
import type { Failure, Result } from '../net/reason.js';
import { fail, ok } from '../net/reason.js';
import { read16, write16 } from './bytes.js';
import type { Checksums, FrameOf } from './ethernet.js';
import {
  ETHERNET_HEADER,
  etherType,
  PROTOCOL_UDP,
  putEthernet,
  putUdp,
  readMacs,
  readUdp,
  skipTags,
  sum,
  UDP_HEADER,
} from './ethernet.js';

/** A UDP datagram over IPv6 in an Ethernet frame. */
export type Frame6 = FrameOf<Ip6>;

const HOP_LIMIT = 64;
/** Hop-by-hop options, routing, destination options: each says what comes next, and its length in units of 8 octets (RFC 8200 §4). */
const EXTENSIONS: readonly number[] = [0, 43, 60];
const FRAGMENT = 44;

/** Where the fields are that are read or written, from the IPv6 header. */
const ipv6 = { version: 0, length: 4, next: 6, hopLimit: 7, source: 8, destination: 24, header: 40 } as const;

/**
 * Reads a frame with up to two VLAN tags and any extension headers; octets after the datagram are ignored, and `payload` is a view into
 * `bytes`. Fragments are refused, and so is a datagram without a checksum (RFC 8200 §8.1). Reasons: `bad-frame`, `bad-checksum`.
 */
export function decodeFrame6(bytes: Uint8Array, checksums: Checksums = 'verify'): Result<Frame6> {
  const at = skipTags(bytes);
  const ip = at + 2;
  if (bytes.length < ip + ipv6.header) return fail('bad-frame', 'ends before the IPv6 header does');
  if (read16(bytes, at) !== etherType.ipv6) return fail('bad-frame', `ethertype 0x${read16(bytes, at).toString(16)}`);
  const packet = readPacket(bytes, ip, checksums);
  return 'ok' in packet ? packet : ok({ ...readMacs(bytes), ...packet });
}

function readPacket(
  bytes: Uint8Array,
  ip: number,
  checksums: Checksums,
): Omit<Frame6, 'sourceMac' | 'destinationMac'> | Failure {
  if (bytes[ip + ipv6.version]! >>> 4 !== 6) return fail('bad-frame', 'not an IPv6 header');
  const length = read16(bytes, ip + ipv6.length);
  const end = ip + ipv6.header + length;
  if (end > bytes.length) return fail('bad-frame', `IPv6 payload length ${length}`);
  let next = bytes[ip + ipv6.next]!;
  let from = ip + ipv6.header;
  while (EXTENSIONS.includes(next)) {
    if (from + 8 > end) return fail('bad-frame', 'ends before an extension header does');
    next = bytes[from]!;
    from += 8 * (bytes[from + 1]! + 1);
  }
  if (next === FRAGMENT) return fail('bad-frame', 'a fragment');
  if (next !== PROTOCOL_UDP) return fail('bad-frame', `IP protocol ${next}`);
  const datagram = readUdp(bytes, from, end, checksums === 'verify' ? pseudo(bytes, ip) : undefined, true);
  if ('ok' in datagram) return datagram;
  return { source: readIp6(bytes, ip + ipv6.source), destination: readIp6(bytes, ip + ipv6.destination), ...datagram };
}

/** Writes the frame, with its checksum; a payload over what IPv6 can carry is a defect of the caller. */
export function encodeFrame6(frame: Frame6): Uint8Array {
  const ip = ETHERNET_HEADER;
  const from = ip + ipv6.header;
  const length = UDP_HEADER + frame.payload.length;
  if (length > 0xffff) throw new Error(`a payload of ${frame.payload.length} octets`);
  const bytes = new Uint8Array(from + length);
  putEthernet(bytes, frame, etherType.ipv6);
  bytes[ip + ipv6.version] = 0x60;
  write16(bytes, ip + ipv6.length, length);
  bytes[ip + ipv6.next] = PROTOCOL_UDP;
  bytes[ip + ipv6.hopLimit] = HOP_LIMIT;
  writeIp6(bytes, ip + ipv6.source, frame.source);
  writeIp6(bytes, ip + ipv6.destination, frame.destination);
  putUdp(bytes, from, frame, pseudo(bytes, ip));
  return bytes;
}

/** The addresses' part in the UDP checksum. */
function pseudo(bytes: Uint8Array, ip: number): number {
  return sum(bytes, ip + ipv6.source, ip + ipv6.header);
}
