// A tiny DHCP server on the loopback link for tests of the probe: keeps what it got, and answers as the test says.
import type { Socket } from 'node:dgram';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { ipToBytes, parseIp4 } from '../../../lib/net/ip.js';
import type { Message4 } from '../../../lib/wire/message4.js';
import { decode4, encode4 } from '../../../lib/wire/message4.js';
import type { Endpoint } from '../../../scripts/probe/relay.js';

/** The answers to one message, in the order in which they are sent; octets go out as they are. */
export type Behaviour = (message: Message4, server: FakeServer) => readonly (Message4 | Uint8Array)[];

const self = parseIp4('127.0.0.1')!;

export class FakeServer {
  readonly got: Message4[] = [];
  readonly #socket: Socket;

  private constructor(socket: Socket, behaviour: Behaviour) {
    this.#socket = socket;
    socket.on('message', (bytes, from) => {
      const decoded = decode4(new Uint8Array(bytes));
      if (!decoded.ok) throw new Error(`the probe sent ${decoded.reason}`);
      this.got.push(decoded.value);
      for (const answer of behaviour(decoded.value, this)) {
        socket.send(answer instanceof Uint8Array ? answer : octets(answer), from.port, from.address);
      }
    });
  }

  static async open(behaviour: Behaviour): Promise<FakeServer> {
    const socket = createSocket('udp4');
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
    return new FakeServer(socket, behaviour);
  }

  get endpoint(): Endpoint {
    return { address: self, port: this.#socket.address().port };
  }

  /** The types (option 53) of what it got, in its order. */
  get types(): number[] {
    return this.got.map(typeOf);
  }

  close(): Promise<void> {
    return new Promise((resolve) =>
      this.#socket.close(() => {
        resolve();
      }),
    );
  }
}

export function typeOf(message: Message4): number {
  return message.options.get(53)?.[0] ?? 0;
}

/** An answer of `type` to `message`: the address ends with the last octet of the MAC. */
export function reply(message: Message4, type: number, options: [number, Uint8Array][] = []): Message4 {
  const nak = type === 6;
  return {
    ...message,
    op: 2,
    hops: 0,
    yiaddr: nak ? message.ciaddr : parseIp4(`10.20.0.${message.chaddr[5]!}`)!,
    options: new Map([
      [53, Uint8Array.of(type)],
      [54, ipToBytes(parseIp4('10.20.0.1')!)],
      ...(nak ? [] : ([[51, Uint8Array.of(0, 0, 14, 16)]] as [number, Uint8Array][])),
      ...options,
    ]),
  };
}

/** OFFER to a DISCOVER, ACK to a REQUEST, nothing to all else. */
export const wellBehaved: Behaviour = (message) => {
  const answers: Record<number, number> = { 1: 2, 3: 5 };
  const type = answers[typeOf(message)];
  return type === undefined ? [] : [reply(message, type)];
};

function octets(message: Message4): Uint8Array {
  const encoded = encode4(message, 1472);
  if (!encoded.ok) throw new Error(encoded.reason);
  return encoded.value;
}
