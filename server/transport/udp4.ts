// DHCPv4 on real links: broadcasts told apart by link, unicasts by address, and frames for clients that have no address yet.
import type { Socket } from 'node:dgram';
import type { Answer, Link, Packet } from '../../lib/dhcp/packet.js';
import { macToBytes } from '../../lib/net/ids.js';
import type { Ip4 } from '../../lib/net/ip.js';
import { BROADCAST4, formatIp } from '../../lib/net/ip.js';
import { encodeFrame } from '../../lib/wire/frame.js';
import type { SendFailed } from './datagram.js';
import { bindSocket, closeSocket, sender, takePackets } from './datagram.js';
import type { HostLink, LinkSource } from './links.js';
import { askedAt, findLink, systemLinks } from './links.js';
import type * as rawModule from './raw.js';
import type { Opened } from './raw.js';
import type { Transport } from './transport.js';
import { TransportError } from './transport.js';
import { bindTrouble, deviceTrouble, packetTrouble } from './trouble.js';

type Raw = typeof rawModule;

/**
 * Octets that the kernel may keep for one socket. Received: while a commit waits for the disk, over 10,000 packets of 300 octets. Sent: for
 * three seconds up to 208 KB for each neighbour that does not answer ARP, which with the system's own bound would stop everybody's answers.
 */
const BUFFER = 8 << 20;

export interface Udp4Options {
  /** Names of the links to serve. */
  readonly links: readonly string[];
  /** The server's port, 67 unless it says otherwise; answers that leave as frames come from it. */
  readonly port?: number;
  readonly failed: SendFailed;
  /** Told a sentence for the operator about what works, but less well than it could. */
  readonly notice: (sentence: string) => void;
  readonly source?: LinkSource;
}

/** The ways out for the answers to what one socket received. */
interface Outlet {
  readonly send: ReturnType<typeof sender>;
  readonly frame: FrameOutlet | undefined;
  readonly address: Ip4;
}

interface FrameOutlet {
  readonly mac: Uint8Array;
  /** The link as AF_PACKET wants it. */
  readonly link: Uint8Array;
}

/**
 * For each link one socket bound to it and to 255.255.255.255, which receives exactly the limited broadcasts of that link; for each address
 * one socket bound to that address and to no link, since a routed unicast may arrive by any. All ordinary answers leave by the socket of an
 * address, so that their source is right; Linux sends a limited broadcast out of the link that has the socket's address.
 *
 * The `link` of a unicast {@link Packet} begins with the address that it was sent to, so that the answer comes from there.
 */
export class Udp4Transport implements Transport {
  readonly #options: Udp4Options;
  readonly #port: number;
  readonly #sockets: Socket[] = [];
  /** By the very object that was handed out with a packet. */
  readonly #outlets = new Map<Link, Outlet>();
  /** For answers that no packet led to. */
  readonly #byName = new Map<string, Outlet>();
  #raw: Raw | undefined;
  #packetSocket: number | undefined;

  constructor(options: Udp4Options) {
    this.#options = options;
    this.#port = options.port ?? 67;
  }

  async open(receive: (packet: Packet) => void): Promise<void> {
    const links = this.#findLinks();
    const raw = await loadRaw();
    this.#raw = raw;
    try {
      for (const link of links) await this.#openLink(raw, link, receive);
      this.#openPacketSocket(raw, links);
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  send(answer: Answer): void {
    const outlet = this.#outlets.get(answer.link) ?? this.#byName.get(answer.link.name);
    if (outlet === undefined) {
      this.#options.failed('ENODEV');
      return;
    }
    const { to } = answer;
    if (to.kind === 'unicast') outlet.send(answer.bytes, to.address, to.port);
    else if (to.kind === 'broadcast' || outlet.frame === undefined || this.#packetSocket === undefined) {
      outlet.send(answer.bytes, BROADCAST4, to.port);
    } else {
      const frame = encodeFrame({
        sourceMac: outlet.frame.mac,
        destinationMac: macToBytes(to.mac),
        source: outlet.address,
        destination: to.address,
        sourcePort: this.#port,
        destinationPort: to.port,
        payload: answer.bytes,
      });
      const code = this.#raw?.sendFrame(this.#packetSocket, outlet.frame.link, frame);
      if (code !== undefined) this.#options.failed(code);
    }
  }

  async close(): Promise<void> {
    this.#outlets.clear();
    this.#byName.clear();
    if (this.#packetSocket !== undefined) this.#raw?.closeDescriptor(this.#packetSocket);
    this.#packetSocket = undefined;
    await Promise.all(this.#sockets.splice(0).map(closeSocket));
  }

  /** All links, or one error with a sentence for each that cannot be served. */
  #findLinks(): readonly HostLink[] {
    const found = [...new Set(this.#options.links)].map((name) => findLink(name, this.#options.source ?? systemLinks));
    const links = found.flatMap((one) => (one.ok ? [one.link] : []));
    const wrong = found.flatMap((one) => (one.ok ? [] : [one.message]));
    const owners = new Map<Ip4, string>();
    for (const { name, addresses } of links) {
      for (const { ip } of addresses) {
        const other = owners.get(ip);
        if (other !== undefined) wrong.push(`Both ${other} and ${name} have the address ${formatIp(ip)}; remove one.`);
        owners.set(ip, name);
      }
    }
    if (found.length === 0) wrong.push('No link is named under `listen`, and nothing is served unless it is named.');
    if (wrong.length > 0) throw new TransportError(wrong.join('\n'));
    return links;
  }

  #openPacketSocket(raw: Raw, links: readonly HostLink[]): void {
    if (links.every((link) => link.mac === undefined)) return;
    const opened = raw.openPacketSocket();
    if (opened.ok) this.#packetSocket = opened.fd;
    else this.#options.notice(packetTrouble(opened.code));
  }

  async #openLink(raw: Raw, link: HostLink, receive: (packet: Packet) => void): Promise<void> {
    const { name, addresses, mac } = link;
    const frame = mac === undefined ? undefined : { mac: macToBytes(mac), link: raw.linkAddress(link.index) };
    for (const own of addresses) {
      const asked = askedAt(link, own.ip);
      const socket = await this.#adopt(raw, own.ip, undefined);
      takePackets(socket, asked, false, receive, this.#options.failed);
      const outlet: Outlet = { send: sender(socket, this.#options.failed), frame, address: own.ip };
      this.#outlets.set(asked, outlet);
      if (!this.#byName.has(name)) this.#byName.set(name, outlet);
    }
    // Broadcasts come by the plain link, whose outlet is found by its name: its first address.
    const socket = await this.#adopt(raw, BROADCAST4, name);
    takePackets(socket, { name, addresses }, true, receive, this.#options.failed);
  }

  /** Opens a socket and hands its descriptor to node:dgram. */
  async #adopt(raw: Raw, address: Ip4, device: string | undefined): Promise<Socket> {
    const opened = raw.openUdp4(address, this.#port, device, BUFFER);
    if (!opened.ok) throw new TransportError(this.#trouble(opened, address, device));
    try {
      const socket = await bindSocket({ fd: opened.fd });
      this.#sockets.push(socket);
      return socket;
    } catch (error) {
      raw.closeDescriptor(opened.fd);
      throw error;
    }
  }

  #trouble(opened: Opened & { ok: false }, address: Ip4, device: string | undefined): string {
    if (opened.call === 'setsockopt' && device !== undefined) return deviceTrouble(opened.code, device);
    return bindTrouble(opened.code, address, this.#port);
  }
}

/** The FFI is native code and is loaded only where real links are served. */
async function loadRaw(): Promise<Raw> {
  try {
    return await import('./raw.js');
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new TransportError(
      `Real links need the native part of the package koffi, which cannot be loaded here: ${why}`,
    );
  }
}
