// What frames of both families share: Ethernet II with VLAN tags below, UDP above, and the sum that both families check by.
import type { Ip } from '../net/ip.js';
import type { Failure } from '../net/reason.js';
import { fail } from '../net/reason.js';
import { read16, write16 } from './bytes.js';

/** A UDP datagram over IPv4 or IPv6 in an Ethernet frame. MACs are six octets. */
export interface FrameOf<Address extends Ip> {
  readonly sourceMac: Uint8Array;
  readonly destinationMac: Uint8Array;
  readonly source: Address;
  readonly destination: Address;
  readonly sourcePort: number;
  readonly destinationPort: number;
  readonly payload: Uint8Array;
}

/** `ignore`: captures taken on the sending machine hold checksums that the NIC had yet to fill in. */
export type Checksums = 'verify' | 'ignore';

export const etherType = { ipv4: 0x0800, ipv6: 0x86dd } as const;
export const PROTOCOL_UDP = 17;
/** The octets of an Ethernet header without tags, and of a UDP header. */
export const ETHERNET_HEADER = 14;
export const UDP_HEADER = 8;

const MAC = 6;
/** 802.1Q and 802.1ad tags. */
const TAGS: readonly number[] = [0x8100, 0x88a8];
const TAG = 4;
const MOST_TAGS = 2;

/** Where the fields are: from the frame, from the UDP header. */
const ethernet = { destination: 0, source: 6, type: 12 } as const;
const udp = { source: 0, destination: 2, length: 4, checksum: 6 } as const;

/** Where the EtherType stands behind up to two tags; the two octets of it may lie beyond the end. */
export function skipTags(bytes: Uint8Array): number {
  let at: number = ethernet.type;
  for (let tags = 0; tags < MOST_TAGS && at + TAG < bytes.length && TAGS.includes(read16(bytes, at)); tags++) at += TAG;
  return at;
}

export function readMacs(bytes: Uint8Array): Pick<FrameOf<Ip>, 'sourceMac' | 'destinationMac'> {
  return {
    destinationMac: bytes.subarray(ethernet.destination, ethernet.destination + MAC),
    sourceMac: bytes.subarray(ethernet.source, ethernet.source + MAC),
  };
}

export function putEthernet(bytes: Uint8Array, frame: FrameOf<Ip>, type: number): void {
  bytes.set(frame.destinationMac.subarray(0, MAC), ethernet.destination);
  bytes.set(frame.sourceMac.subarray(0, MAC), ethernet.source);
  write16(bytes, ethernet.type, type);
}

/**
 * The datagram at `from`, in an IP packet that ends at `end`. `pseudo`: the sum of the addresses of the pseudo header, undefined where
 * checksums are not to be looked at; `required`: a checksum of zero, which says that there is none (RFC 768), is refused (RFC 8200 §8.1).
 */
export function readUdp(
  bytes: Uint8Array,
  from: number,
  end: number,
  pseudo: number | undefined,
  required: boolean,
): Pick<FrameOf<Ip>, 'sourcePort' | 'destinationPort' | 'payload'> | Failure {
  if (from + UDP_HEADER > end) return fail('bad-frame', 'ends before the UDP header does');
  const length = read16(bytes, from + udp.length);
  if (length < UDP_HEADER || from + length > end) return fail('bad-frame', `UDP length ${length}`);
  if (pseudo !== undefined) {
    const none = read16(bytes, from + udp.checksum) === 0;
    const right = fold(sum(bytes, from, from + length) + pseudo + PROTOCOL_UDP + length) === 0xffff;
    if (none ? required : !right) return fail('bad-checksum', 'UDP');
  }
  return {
    sourcePort: read16(bytes, from + udp.source),
    destinationPort: read16(bytes, from + udp.destination),
    payload: bytes.subarray(from + UDP_HEADER, from + length),
  };
}

/** Writes the datagram at `from`; `pseudo` as for {@link readUdp}. */
export function putUdp(bytes: Uint8Array, from: number, frame: FrameOf<Ip>, pseudo: number): void {
  const length = UDP_HEADER + frame.payload.length;
  write16(bytes, from + udp.source, frame.sourcePort);
  write16(bytes, from + udp.destination, frame.destinationPort);
  write16(bytes, from + udp.length, length);
  bytes.set(frame.payload, from + UDP_HEADER);
  const checksum = ~fold(sum(bytes, from, from + length) + pseudo + PROTOCOL_UDP + length) & 0xffff;
  // Zero would say that there is none (RFC 768); all ones are its equal in one's complement.
  write16(bytes, from + udp.checksum, checksum === 0 ? 0xffff : checksum);
}

/** The 16-bit words from `from` to `to`, an odd last octet padded with zero; under 2^31 for what one datagram holds. */
export function sum(bytes: Uint8Array, from: number, to: number): number {
  let total = 0;
  for (let at = from; at + 1 < to; at += 2) total += (bytes[at]! << 8) | bytes[at + 1]!;
  return (to - from) % 2 === 0 ? total : total + (bytes[to - 1]! << 8);
}

/** One's complement addition keeps its carries (RFC 1071 §1). */
export function fold(total: number): number {
  let folded = total;
  while (folded > 0xffff) folded = (folded & 0xffff) + (folded >>> 16);
  return folded;
}
