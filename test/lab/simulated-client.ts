// A small client behind the same interface as the real ones: it speaks in frames, on a wire that is a function.
import { expect } from 'chai';
import type { Mac } from '../../lib/net/ids.js';
import { macToBytes } from '../../lib/net/ids.js';
import { BROADCAST4, formatIp, readIp4 } from '../../lib/net/ip.js';
import type { Frame } from '../../lib/wire/frame.js';
import { decodeFrame, encodeFrame } from '../../lib/wire/frame.js';
import type { Message4 } from '../../lib/wire/message4.js';
import { BROADCAST_FLAG, decode4, encode4 } from '../../lib/wire/message4.js';
import { code, messageType } from '../../lib/wire/options4.js';
import type { Sent } from '../support/served.js';
import { ip4, messageOf } from '../support/served.js';
import type { Client, Got } from './clients/client.js';
import { within } from './program.js';

/** A wire as one client sees it: what it sends goes out, and it hears everything. */
export interface SimulatedWire {
  send(frame: Uint8Array): void;
  /** Calls `hear` with every frame of the server's until what this returns is called. */
  listen(hear: (frame: Uint8Array) => void): () => void;
}

/** In what the clients differ that a server can see. */
export interface Habits {
  /** Option 61 as hex, `MAC` standing for the client's own. */
  readonly clientId?: string;
  readonly broadcastFlag?: boolean;
  /** Option 55; without it the client asks for nothing in particular. */
  readonly asks?: readonly number[];
}

const BROADCAST_MAC = new Uint8Array(6).fill(0xff);
const SILENCE = 2000;
let lastXid = 0x10000;

export class SimulatedClient implements Client {
  readonly remembers = true;
  readonly mac: string;
  readonly #wire: SimulatedWire;
  readonly #habits: Habits;
  #lease: Message4 | undefined;
  /** As ARP would find it: who answered last. */
  #serverMac: Uint8Array = BROADCAST_MAC;

  constructor(wire: SimulatedWire, mac: string, habits: Habits) {
    this.mac = mac;
    this.#wire = wire;
    this.#habits = habits;
  }

  async bind(): Promise<Got> {
    const offer = await this.#ask('offer', { type: 'discover' });
    const requested = formatIp(offer.yiaddr);
    return this.#take(await this.#ask('ack', { type: 'request', requested, server: addresses(offer, 54)[0] ?? '' }));
  }

  async renew(): Promise<Got> {
    const { server, own } = this.#held();
    return this.#take(await this.#ask('ack', { type: 'request', ciaddr: own, source: own }, server));
  }

  async reboot(): Promise<Got> {
    const { own } = this.#held();
    return this.#take(await this.#ask('ack', { type: 'request', requested: own }));
  }

  release(): Promise<void> {
    const { server, own } = this.#held();
    this.#send(this.#message({ type: 'release', ciaddr: own, source: own, server }), own, server);
    this.#lease = undefined;
    return Promise.resolve();
  }

  #held(): { readonly own: string; readonly server: string } {
    const ack = this.#lease ?? expect.fail(`${this.mac} has no lease`);
    return { own: formatIp(ack.yiaddr), server: addresses(ack, code.serverIdentifier)[0] ?? '' };
  }

  #message(sent: Omit<Sent, 'mac'>): Message4 {
    const { clientId, broadcastFlag = false, asks } = this.#habits;
    const id = clientId?.replace('MAC', this.mac.replaceAll(':', ''));
    const options = new Map(asks === undefined ? [] : [[code.parameterRequestList, Uint8Array.from(asks)]]);
    const more = { ...(id === undefined ? {} : { clientId: id }), ...(sent.type === 'release' ? {} : { options }) };
    // RFC 2131 table 5: the flag is for those who cannot take a unicast yet.
    const flags = broadcastFlag && sent.ciaddr === undefined ? BROADCAST_FLAG : 0;
    return { ...messageOf({ mac: this.mac, flags, ...sent, ...more }), xid: ++lastXid };
  }

  /** Sends and waits for an answer of `type` to this client; a NAK fails. */
  async #ask(type: 'offer' | 'ack', sent: Omit<Sent, 'mac'>, to?: string): Promise<Message4> {
    const message = this.#message(sent);
    let stop = (): void => undefined;
    const answer = new Promise<Message4>((resolve, reject) => {
      stop = this.#wire.listen((bytes) => {
        const frame = decodeFrame(bytes);
        if (!frame.ok || !this.#hears(frame.value, sent.source)) return;
        const reply = decode4(frame.value.payload);
        if (!reply.ok || reply.value.xid !== message.xid) return;
        const got = reply.value.options.get(code.messageType)?.[0];
        this.#serverMac = frame.value.sourceMac;
        if (got === messageType[type]) resolve(reply.value);
        else reject(new Error(`${this.mac} waits for ${type}, and gets message type ${got ?? 'none'}`));
      });
    });
    this.#send(message, sent.source, to);
    try {
      return await within(answer, () => `No ${type} came for ${this.mac} to ${sent.type ?? 'BOOTP'}`, SILENCE);
    } finally {
      stop();
    }
  }

  /** What the NIC and the kernel of this client let through: to its MAC or everybody, port 68, its own address where it has one. */
  #hears({ destinationMac, destination, destinationPort }: Frame, own: string | undefined): boolean {
    const mine = String(destinationMac) === String(macToBytes(this.mac as Mac));
    const all = String(destinationMac) === String(BROADCAST_MAC) && destination === BROADCAST4;
    return destinationPort === 68 && (all || (mine && (own === undefined || destination === ip4(own))));
  }

  #send(message: Message4, source = '0.0.0.0', to?: string): void {
    const encoded = encode4(message, 1472);
    if (!encoded.ok) expect.fail(encoded.reason);
    const frame = encodeFrame({
      sourceMac: macToBytes(this.mac as Mac),
      destinationMac: to === undefined ? BROADCAST_MAC : this.#serverMac,
      source: ip4(source),
      destination: to === undefined ? BROADCAST4 : ip4(to),
      sourcePort: 68,
      destinationPort: 67,
      payload: encoded.value,
    });
    this.#wire.send(frame);
  }

  #take(ack: Message4): Got {
    this.#lease = ack;
    const [mask = ''] = addresses(ack, code.subnetMask);
    const [routers, dns] = [addresses(ack, code.routers), addresses(ack, code.domainNameServers)];
    return { address: formatIp(ack.yiaddr), mask, routers, dns, seconds: numberIn(ack, code.leaseTime) };
  }
}

function addresses(message: Message4, option: number): readonly string[] {
  const value = message.options.get(option) ?? new Uint8Array(0);
  return Array.from({ length: value.length / 4 }, (_, i) => formatIp(readIp4(value, 4 * i)));
}

/** Four octets are read as an address is, and are the same number. */
function numberIn(message: Message4, option: number): number {
  const value = message.options.get(option);
  return value?.length === 4 ? readIp4(value, 0) : Number.NaN;
}
