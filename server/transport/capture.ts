// A transport without sockets: packets by hand or from the frames of a capture, answers kept as the frames that they would be.
import type { Answer, Destination, Link, Packet } from '../../lib/dhcp/packet.js';
import { macToBytes } from '../../lib/net/ids.js';
import type { Ip4 } from '../../lib/net/ip.js';
import { ANY4, BROADCAST4 } from '../../lib/net/ip.js';
import type { Reason, Result } from '../../lib/net/reason.js';
import { assertNever, fail, ok } from '../../lib/net/reason.js';
import type { Checksums } from '../../lib/wire/ethernet.js';
import type { Frame } from '../../lib/wire/frame.js';
import { decodeFrame } from '../../lib/wire/frame.js';
import { LINKTYPE_ETHERNET, readCapture } from '../../lib/wire/pcap.js';
import { askedAt } from './links.js';
import type { Transport } from './transport.js';

/** One answer, and the frame that would carry it; lib/wire/frame.ts writes it to octets. */
export interface Sent {
  readonly answer: Answer;
  readonly frame: Frame;
}

/** What became of a capture's frames. */
export interface Fed {
  readonly packets: number;
  /** Frames that are no datagram to the server's port, by the reason. */
  readonly skipped: ReadonlyMap<Reason, number>;
}

/** Stands in a frame where the transport has no way to know a MAC: its own, and that of a next hop which never sent anything. */
const SERVER_MAC = Uint8Array.of(2, 0, 0, 0, 0, 0xfe);
const UNKNOWN_MAC = new Uint8Array(6);
const BROADCAST_MAC = new Uint8Array(6).fill(0xff);

export class CaptureTransport implements Transport {
  readonly #port: number;
  readonly #sent: Sent[] = [];
  readonly #waiting: ((sent: Sent) => void)[] = [];
  /** Who sent what was fed, by IPv4 address. */
  readonly #neighbours = new Map<Ip4, Uint8Array>();
  #receive: ((packet: Packet) => void) | undefined;

  /** `port` is the server's, 67 unless it says otherwise. */
  constructor(port = 67) {
    this.#port = port;
  }

  open(receive: (packet: Packet) => void): Promise<void> {
    this.#receive = receive;
    return Promise.resolve();
  }

  /** Hands over one packet; nothing happens where the transport is not open. */
  feed(packet: Packet): void {
    this.#receive?.(packet);
  }

  /**
   * Hands over the datagram in an Ethernet frame, as come by `link`. Reasons where it is none for a server: `bad-frame`, `bad-checksum`,
   * `not-for-us` where it goes to another port.
   */
  feedFrame(bytes: Uint8Array, link: Link, checksums: Checksums = 'verify'): Result<Packet> {
    const decoded = decodeFrame(bytes, checksums);
    if (!decoded.ok) return decoded;
    const { source, sourcePort, sourceMac, destination, destinationPort, payload } = decoded.value;
    if (destinationPort !== this.#port) return fail('not-for-us', `port ${destinationPort}`);
    if (source !== ANY4) this.#neighbours.set(source, sourceMac);
    const broadcast = destination === BROADCAST4;
    const asked = broadcast ? link : askedAt(link, destination);
    const packet: Packet = { link: asked, bytes: payload, source, sourcePort, broadcast };
    this.feed(packet);
    return ok(packet);
  }

  /**
   * Hands over every datagram to the server's port in a pcap or pcapng file, in its order. Checksums are ignored: a capture taken on the
   * sending machine holds those that the NIC had yet to fill in. Reason: `bad-capture`.
   */
  feedCapture(file: Uint8Array, link: Link): Result<Fed> {
    const capture = readCapture(file);
    if (!capture.ok) return capture;
    const skipped = new Map<Reason, number>();
    let packets = 0;
    for (const { bytes, linkType } of capture.value.frames) {
      const fed = linkType === LINKTYPE_ETHERNET ? this.feedFrame(bytes, link, 'ignore') : fail('bad-frame');
      if (fed.ok) packets++;
      else skipped.set(fed.reason, (skipped.get(fed.reason) ?? 0) + 1);
    }
    return ok({ packets, skipped });
  }

  send(answer: Answer): void {
    const sent = { answer, frame: this.#frame(answer) };
    const waiting = this.#waiting.shift();
    if (waiting === undefined) this.#sent.push(sent);
    else waiting(sent);
  }

  /** The answers that nobody has taken yet; they are taken now. */
  taken(): readonly Sent[] {
    return this.#sent.splice(0);
  }

  /** The next answer, once there is one. */
  next(): Promise<Sent> {
    const sent = this.#sent.shift();
    return sent === undefined ? new Promise((resolve) => this.#waiting.push(resolve)) : Promise.resolve(sent);
  }

  close(): Promise<void> {
    this.#receive = undefined;
    return Promise.resolve();
  }

  #frame({ link, bytes, to }: Answer): Frame {
    return {
      sourceMac: SERVER_MAC,
      source: link.addresses[0]?.ip ?? ANY4,
      sourcePort: this.#port,
      destinationPort: to.port,
      payload: bytes,
      ...this.#target(to),
    };
  }

  #target(to: Destination): { destination: Ip4; destinationMac: Uint8Array } {
    switch (to.kind) {
      case 'broadcast':
        return { destination: BROADCAST4, destinationMac: BROADCAST_MAC };
      case 'frame':
        return { destination: to.address, destinationMac: macToBytes(to.mac) };
      case 'unicast':
        return { destination: to.address, destinationMac: this.#neighbours.get(to.address) ?? UNKNOWN_MAC };
      default:
        return assertNever(to);
    }
  }
}
