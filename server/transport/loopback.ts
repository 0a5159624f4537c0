// The transport of the demo: one ordinary socket on the loopback link, without a privilege and without a way to the outside.
import type { Socket } from 'node:dgram';
import type { Answer, Link, Packet } from '../../lib/dhcp/packet.js';
import type { Ip4 } from '../../lib/net/ip.js';
import { formatIp } from '../../lib/net/ip.js';
import type { SendFailed } from './datagram.js';
import { bindSocket, closeSocket, sender, takePackets } from './datagram.js';
import type { Transport } from './transport.js';
import { TransportError } from './transport.js';
import { bindTrouble } from './trouble.js';

const LOCALHOST = 0x7f000001 as Ip4;
const LOOPBACK: Link = { name: 'lo', addresses: [{ ip: LOCALHOST, length: 8 }] };

/**
 * Serves 127.0.0.1 at one port. Everything it receives was sent to 127.0.0.1 and therefore is unicast, from 127.0.0.0/8. There is no ARP and
 * no broadcast here, and whoever listens does so on this machine: `frame` and `broadcast` are sent to 127.0.0.1 at the answer's port.
 */
export class LoopbackTransport implements Transport {
  readonly #port: number;
  readonly #failed: SendFailed;
  #socket: Socket | undefined;
  #send: ReturnType<typeof sender> | undefined;

  /** `port` 0 takes a free one; {@link port} tells which. */
  constructor(options: { readonly port: number; readonly failed: SendFailed }) {
    this.#port = options.port;
    this.#failed = options.failed;
  }

  async open(receive: (packet: Packet) => void): Promise<void> {
    try {
      this.#socket = await bindSocket({ address: formatIp(LOCALHOST), port: this.#port });
    } catch (error) {
      throw new TransportError(bindTrouble((error as NodeJS.ErrnoException).code ?? '', LOCALHOST, this.#port));
    }
    this.#send = sender(this.#socket, this.#failed);
    takePackets(this.#socket, LOOPBACK, false, receive, this.#failed);
  }

  /** The UDP port it listens on, once it is open. */
  get port(): number {
    return this.#socket?.address().port ?? this.#port;
  }

  send(answer: Answer): void {
    const { to } = answer;
    this.#send?.(answer.bytes, to.kind === 'unicast' ? to.address : LOCALHOST, to.port);
  }

  async close(): Promise<void> {
    const socket = this.#socket;
    this.#socket = undefined;
    this.#send = undefined;
    if (socket !== undefined) await closeSocket(socket);
  }
}
