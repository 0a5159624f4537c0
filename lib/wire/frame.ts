// Ethernet II, IPv4 and UDP around a payload: read from captures and packet sockets, written for clients that cannot answer ARP yet.
import type { Ip4 } from '../net/ip.js';
import { readIp4, writeIp4 } from '../net/ip.js';
import type { Failure, Result } from '../net/reason.js';
import { fail, ok } from '../net/reason.js';

/** A UDP datagram over IPv4 in an Ethernet frame. MACs are six octets. */
export interface Frame {
  readonly sourceMac: Uint8Array;
  readonly destinationMac: Uint8Array;
  readonly source: Ip4;
  readonly destination: Ip4;
  readonly sourcePort: number;
  readonly destinationPort: number;
  readonly payload: Uint8Array;
}

/** `ignore`: captures taken on the sending machine hold checksums that the NIC had yet to fill in. */
export type Checksums = 'verify' | 'ignore';

const MAC = 6;
const TYPE_IPV4 = 0x0800;
/** 802.1Q and 802.1ad tags. */
const TAGS: readonly number[] = [0x8100, 0x88a8];
const TAG = 4;
const MOST_TAGS = 2;
const PROTOCOL_UDP = 17;
const TTL = 64;
const DONT_FRAGMENT = 0x4000;
/** More Fragments, and the fragment offset. */
const FRAGMENTED = 0x3fff;

/** Where the fields are that are read or written: from the frame, from the IPv4 header, from the UDP header. */
const ethernet = { destination: 0, source: 6, type: 12, length: 14 } as const;
const ipv4 = {
  version: 0,
  length: 2,
  fragment: 6,
  ttl: 8,
  protocol: 9,
  checksum: 10,
  source: 12,
  destination: 16,
  header: 20,
} as const;
const udp = { source: 0, destination: 2, length: 4, checksum: 6, header: 8 } as const;

/**
 * Reads a frame with up to two VLAN tags and any IPv4 options; octets after the datagram (Ethernet padding) are ignored, and `payload`
 * is a view into `bytes`. Fragments are refused. Reasons: `bad-frame`, `bad-checksum`.
 */
export function decodeFrame(bytes: Uint8Array, checksums: Checksums = 'verify'): Result<Frame> {
  let at: number = ethernet.type;
  for (let tags = 0; tags < MOST_TAGS && at + TAG < bytes.length && TAGS.includes(read16(bytes, at)); tags++) at += TAG;
  const ip = at + 2;
  if (bytes.length < ip + ipv4.header) return fail('bad-frame', 'ends before the IPv4 header does');
  if (read16(bytes, at) !== TYPE_IPV4) return fail('bad-frame', `ethertype 0x${read16(bytes, at).toString(16)}`);
  const payload = readDatagram(bytes, ip, checksums);
  if ('ok' in payload) return payload;
  return ok({
    destinationMac: bytes.subarray(ethernet.destination, ethernet.destination + MAC),
    sourceMac: bytes.subarray(ethernet.source, ethernet.source + MAC),
    ...payload,
  });
}

function readDatagram(
  bytes: Uint8Array,
  ip: number,
  checksums: Checksums,
): Omit<Frame, 'sourceMac' | 'destinationMac'> | Failure {
  const version = bytes[ip + ipv4.version]!;
  const header = (version & 15) * 4;
  const total = read16(bytes, ip + ipv4.length);
  if (version >>> 4 !== 4 || header < ipv4.header) return fail('bad-frame', 'not an IPv4 header');
  if (bytes[ip + ipv4.protocol] !== PROTOCOL_UDP) return fail('bad-frame', `IP protocol ${bytes[ip + ipv4.protocol]!}`);
  if (read16(bytes, ip + ipv4.fragment) & FRAGMENTED) return fail('bad-frame', 'a fragment');
  if (total < header + udp.header || ip + total > bytes.length) return fail('bad-frame', `IPv4 total length ${total}`);
  const from = ip + header;
  const length = read16(bytes, from + udp.length);
  if (length < udp.header || header + length > total) return fail('bad-frame', `UDP length ${length}`);
  if (checksums === 'verify') {
    if (fold(sum(bytes, ip, from)) !== 0xffff) return fail('bad-checksum', 'IPv4 header');
    // A UDP checksum of zero means none (RFC 768).
    const absent = read16(bytes, from + udp.checksum) === 0;
    if (!absent && fold(sum(bytes, from, from + length) + pseudo(bytes, ip, length)) !== 0xffff) {
      return fail('bad-checksum', 'UDP');
    }
  }
  return {
    source: readIp4(bytes, ip + ipv4.source),
    destination: readIp4(bytes, ip + ipv4.destination),
    sourcePort: read16(bytes, from + udp.source),
    destinationPort: read16(bytes, from + udp.destination),
    payload: bytes.subarray(from + udp.header, from + length),
  };
}

/** Writes the frame, without padding and with both checksums; a payload over what IPv4 can carry is a defect of the caller. */
export function encodeFrame(frame: Frame): Uint8Array {
  const ip = ethernet.length;
  const from = ip + ipv4.header;
  const length = udp.header + frame.payload.length;
  if (ipv4.header + length > 0xffff) throw new Error(`a payload of ${frame.payload.length} octets`);
  const bytes = new Uint8Array(from + length);
  bytes.set(frame.destinationMac.subarray(0, MAC), ethernet.destination);
  bytes.set(frame.sourceMac.subarray(0, MAC), ethernet.source);
  write16(bytes, ethernet.type, TYPE_IPV4);
  bytes[ip + ipv4.version] = 0x45;
  write16(bytes, ip + ipv4.length, ipv4.header + length);
  write16(bytes, ip + ipv4.fragment, DONT_FRAGMENT);
  bytes[ip + ipv4.ttl] = TTL;
  bytes[ip + ipv4.protocol] = PROTOCOL_UDP;
  writeIp4(bytes, ip + ipv4.source, frame.source);
  writeIp4(bytes, ip + ipv4.destination, frame.destination);
  write16(bytes, ip + ipv4.checksum, ~fold(sum(bytes, ip, from)));
  write16(bytes, from + udp.source, frame.sourcePort);
  write16(bytes, from + udp.destination, frame.destinationPort);
  write16(bytes, from + udp.length, length);
  bytes.set(frame.payload, from + udp.header);
  const checksum = ~fold(sum(bytes, from, from + length) + pseudo(bytes, ip, length)) & 0xffff;
  // Zero would say that there is none (RFC 768); all ones are its equal in one's complement.
  write16(bytes, from + udp.checksum, checksum === 0 ? 0xffff : checksum);
  return bytes;
}

/** The 16-bit words from `from` to `to`, an odd last octet padded with zero; under 2^31 for what one datagram holds. */
function sum(bytes: Uint8Array, from: number, to: number): number {
  let total = 0;
  for (let at = from; at + 1 < to; at += 2) total += (bytes[at]! << 8) | bytes[at + 1]!;
  return (to - from) % 2 === 0 ? total : total + (bytes[to - 1]! << 8);
}

/** The pseudo header's part in the UDP checksum: both addresses, the protocol, the UDP length. */
function pseudo(bytes: Uint8Array, ip: number, length: number): number {
  return sum(bytes, ip + ipv4.source, ip + ipv4.header) + PROTOCOL_UDP + length;
}

/** One's complement addition keeps its carries (RFC 1071 §1). */
function fold(total: number): number {
  let folded = total;
  while (folded > 0xffff) folded = (folded & 0xffff) + (folded >>> 16);
  return folded;
}

function read16(bytes: Uint8Array, at: number): number {
  return (bytes[at]! << 8) | bytes[at + 1]!;
}

function write16(bytes: Uint8Array, at: number, value: number): void {
  bytes[at] = value >>> 8;
  bytes[at + 1] = value;
}
