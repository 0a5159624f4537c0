// The probe's socket: sends a client's message as a relay, again while nobody answers, and gives each answer to who waits for it.
import type { Socket } from 'node:dgram';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { Ip4 } from '../../lib/net/ip.js';
import { ANY4, formatIp, parseIp4 } from '../../lib/net/ip.js';
import type { Message4 } from '../../lib/wire/message4.js';
import { BOOTREPLY, decode4, encode4 } from '../../lib/wire/message4.js';
import { code } from '../../lib/wire/options4.js';

/** The end of a UDP conversation. */
export interface Endpoint {
  readonly address: Ip4;
  readonly port: number;
}

/** How long to wait for an answer, and when to ask again: after `again`, then after twice that, and so on. In milliseconds. */
export interface Patience {
  readonly timeout: number;
  readonly again: number;
}

export interface Reply {
  readonly message: Message4;
  readonly from: Endpoint;
}

interface Waiting {
  readonly chaddr: Uint8Array;
  readonly types: readonly number[];
  readonly answered: (reply: Reply) => void;
}

/** UDP payload that fits into an Ethernet frame of 1500 octets. */
const MOST_PAYLOAD = 1472;

export class Relay {
  readonly server: Endpoint;
  readonly self: Endpoint;
  readonly #socket: Socket;
  readonly #waiting = new Map<number, Waiting>();
  readonly #ignored = new Map<string, number>();
  readonly #broken = new Set<(error: Error) => void>();

  private constructor(server: Endpoint, self: Endpoint, socket: Socket) {
    this.server = server;
    this.self = self;
    this.#socket = socket;
    socket.on('message', (bytes, from) => {
      this.#receive(new Uint8Array(bytes), { address: parseIp4(from.address) ?? ANY4, port: from.port });
    });
    socket.on('error', (error) => {
      for (const broken of this.#broken) broken(error);
    });
  }

  /** Opens a socket at an ephemeral port of the address that this machine reaches `server` from; rejects with the system's error. */
  static async open(server: Endpoint): Promise<Relay> {
    const address = await sourceToward(server);
    // Not connected: an answer may come from another of the server's addresses.
    const socket = createSocket('udp4');
    socket.bind(0, address);
    await once(socket, 'listening');
    return new Relay(server, { address: parseIp4(address) ?? ANY4, port: socket.address().port }, socket);
  }

  /** What came and was no answer to anything asked: why, and how often. */
  get ignored(): ReadonlyMap<string, number> {
    return this.#ignored;
  }

  /**
   * Sends `message` until one of the `types` (option 53) comes for its xid and hardware address. `asked` is called each time it is sent.
   * Undefined where the patience ends; rejects where the system cannot send.
   */
  async ask(
    message: Message4,
    types: readonly number[],
    patience: Patience,
    asked: (times: number) => void,
  ): Promise<Reply | undefined> {
    let ended: NodeJS.Timeout | undefined;
    let next: NodeJS.Timeout | undefined;
    let broken: (error: Error) => void = () => undefined;
    try {
      return await new Promise((resolve, reject) => {
        broken = reject;
        this.#broken.add(broken);
        this.#waiting.set(message.xid, { chaddr: message.chaddr, types, answered: resolve });
        ended = setTimeout(() => {
          resolve(undefined);
        }, patience.timeout);
        let waited = 0;
        const send = (times: number, pause: number): void => {
          asked(times);
          this.tell({ ...message, secs: Math.floor(waited / 1000) }).catch(reject);
          next = setTimeout(() => {
            waited += pause;
            send(times + 1, pause * 2);
          }, pause);
        };
        send(1, patience.again);
      });
    } finally {
      clearTimeout(ended);
      clearTimeout(next);
      this.#broken.delete(broken);
      this.#waiting.delete(message.xid);
    }
  }

  /** Sends `message` once and waits for no answer; rejects where it is too large or the system cannot send it. */
  async tell(message: Message4): Promise<void> {
    const encoded = encode4(message, MOST_PAYLOAD);
    if (!encoded.ok) throw new Error(`the message cannot be written: ${encoded.detail ?? encoded.reason}`);
    if (encoded.relayInfoOmitted) throw new Error('the message has no room for the relay agent information');
    await new Promise<void>((resolve, reject) => {
      this.#socket.send(encoded.value, this.server.port, formatIp(this.server.address), (error) => {
        if (error === null) resolve();
        else reject(error);
      });
    });
  }

  async close(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#socket.close(resolve);
    });
  }

  #receive(bytes: Uint8Array, from: Endpoint): void {
    const decoded = decode4(bytes);
    if (!decoded.ok) {
      this.#ignore(decoded.detail === undefined ? decoded.reason : `${decoded.reason} (${decoded.detail})`);
      return;
    }
    const message = decoded.value;
    const waiting = this.#waiting.get(message.xid);
    const type = message.options.get(code.messageType)?.[0] ?? 0;
    if (message.op !== BOOTREPLY) this.#ignore('a request');
    else if (waiting === undefined) this.#ignore('an answer that nobody waits for');
    else if (!sameOctets(message.chaddr, waiting.chaddr)) this.#ignore('an answer for another hardware address');
    else if (!waiting.types.includes(type)) this.#ignore(`an answer of type ${type}`);
    else waiting.answered({ message, from });
  }

  #ignore(why: string): void {
    this.#ignored.set(why, (this.#ignored.get(why) ?? 0) + 1);
  }
}

/** The kernel's choice of a source address: connecting a UDP socket asks its routes and sends nothing. */
async function sourceToward(server: Endpoint): Promise<string> {
  const socket = createSocket('udp4');
  try {
    socket.connect(server.port, formatIp(server.address));
    await once(socket, 'connect');
    return socket.address().address;
  } finally {
    socket.close();
  }
}

function sameOctets(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((octet, i) => octet === b[i]);
}
