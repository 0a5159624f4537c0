// Ethernet II, IPv4 and UDP around a payload: read from captures and packet sockets, written for clients that cannot answer ARP yet.
import type { Ip4 } from '../net/ip.js';
import { readIp4, writeIp4 } from '../net/ip.js';
import type { Failure, Result } from '../net/reason.js';
import { fail, ok } from '../net/reason.js';
import { read16, write16 } from './bytes.js';
import type { Checksums, FrameOf } from './ethernet.js';
import {
  ETHERNET_HEADER,
  etherType,
  fold,
  PROTOCOL_UDP,
  putEthernet,
  putUdp,
  readMacs,
  readUdp,
  skipTags,
  sum,
  UDP_HEADER,
} from './ethernet.js';

/** A UDP datagram over IPv4 in an Ethernet frame. */
export type Frame = FrameOf<Ip4>;

const TTL = 64;
const DONT_FRAGMENT = 0x4000;
/** More Fragments, and the fragment offset. */
const FRAGMENTED = 0x3fff;

/** Where the fields are that are read or written, from the IPv4 header. */
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

/**
 * Reads a frame with up to two VLAN tags and any IPv4 options; octets after the datagram (Ethernet padding) are ignored, and `payload`
 * is a view into `bytes`. Fragments are refused. Reasons: `bad-frame`, `bad-checksum`.
 */
export function decodeFrame(bytes: Uint8Array, checksums: Checksums = 'verify'): Result<Frame> {
  const at = skipTags(bytes);
  const ip = at + 2;
  if (bytes.length < ip + ipv4.header) return fail('bad-frame', 'ends before the IPv4 header does');
  if (read16(bytes, at) !== etherType.ipv4) return fail('bad-frame', `ethertype 0x${read16(bytes, at).toString(16)}`);
  const packet = readPacket(bytes, ip, checksums);
  return 'ok' in packet ? packet : ok({ ...readMacs(bytes), ...packet });
}

function readPacket(
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
  if (total < header + UDP_HEADER || ip + total > bytes.length) return fail('bad-frame', `IPv4 total length ${total}`);
  const verify = checksums === 'verify';
  if (verify && fold(sum(bytes, ip, ip + header)) !== 0xffff) return fail('bad-checksum', 'IPv4 header');
  const datagram = readUdp(bytes, ip + header, ip + total, verify ? pseudo(bytes, ip) : undefined, false);
  if ('ok' in datagram) return datagram;
  return { source: readIp4(bytes, ip + ipv4.source), destination: readIp4(bytes, ip + ipv4.destination), ...datagram };
}

/** Writes the frame, without padding and with both checksums; a payload over what IPv4 can carry is a defect of the caller. */
export function encodeFrame(frame: Frame): Uint8Array {
  const ip = ETHERNET_HEADER;
  const from = ip + ipv4.header;
  const total = ipv4.header + UDP_HEADER + frame.payload.length;
  if (total > 0xffff) throw new Error(`a payload of ${frame.payload.length} octets`);
  const bytes = new Uint8Array(ip + total);
  putEthernet(bytes, frame, etherType.ipv4);
  bytes[ip + ipv4.version] = 0x45;
  write16(bytes, ip + ipv4.length, total);
  write16(bytes, ip + ipv4.fragment, DONT_FRAGMENT);
  bytes[ip + ipv4.ttl] = TTL;
  bytes[ip + ipv4.protocol] = PROTOCOL_UDP;
  writeIp4(bytes, ip + ipv4.source, frame.source);
  writeIp4(bytes, ip + ipv4.destination, frame.destination);
  write16(bytes, ip + ipv4.checksum, ~fold(sum(bytes, ip, from)));
  putUdp(bytes, from, frame, pseudo(bytes, ip));
  return bytes;
}

/** The addresses' part in the UDP checksum. */
function pseudo(bytes: Uint8Array, ip: number): number {
  return sum(bytes, ip + ipv4.source, ip + ipv4.header);
}
