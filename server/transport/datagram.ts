// What every UDP transport does with node:dgram: bind, hand over packets, send without a look-up, close.
import type { BindOptions, Socket } from 'node:dgram';
import { createSocket } from 'node:dgram';
import type { Link, Packet } from '../../lib/dhcp/packet.js';
import type { Ip4 } from '../../lib/net/ip.js';
import { ANY4, formatIp, parseIp4 } from '../../lib/net/ip.js';

/** Called with the errno's name, such as `ENETUNREACH`, for each answer that could not be sent and each error of a socket. */
export type SendFailed = (code: string) => void;

/** Octets that may wait in one socket for the kernel to take them; answers beyond that are dropped, for clients ask again. */
const MOST_WAITING = 4 << 20;

/** Binds a new socket; rejects with the system's error, whose `code` is the errno's name. */
export async function bindSocket(to: BindOptions & { fd?: number }): Promise<Socket> {
  // Addresses are literal here: asking the resolver would cost each answer a turn of the event loop.
  const socket = createSocket({
    type: 'udp4',
    lookup: (host, _options, found) => {
      found(null, host, 4);
    },
  });
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once('error', reject);
      socket.bind({ ...to, exclusive: true }, () => {
        socket.off('error', reject);
        resolve();
      });
    });
  } catch (error) {
    socket.close();
    throw error;
  }
  return socket;
}

/** Hands what `socket` receives to `receive`, as come by `link`. Errors of the socket are counted and end nothing. */
export function takePackets(
  socket: Socket,
  link: Link,
  broadcast: boolean,
  receive: (packet: Packet) => void,
  failed: SendFailed,
): void {
  socket.on('error', (error: NodeJS.ErrnoException) => {
    failed(error.code ?? error.name);
  });
  socket.on('message', (message, sender) => {
    receive({
      link,
      bytes: new Uint8Array(message.buffer, message.byteOffset, message.length),
      source: parseIp4(sender.address) ?? ANY4,
      sourcePort: sender.port,
      broadcast,
    });
  });
}

/** Makes the function that sends datagrams out of `socket`. */
export function sender(socket: Socket, failed: SendFailed): (bytes: Uint8Array, address: Ip4, port: number) => void {
  const sent = (error: NodeJS.ErrnoException | null): void => {
    if (error !== null) failed(error.code ?? error.name);
  };
  return (bytes, address, port) => {
    if (socket.getSendQueueSize() > MOST_WAITING) failed('ENOBUFS');
    else socket.send(bytes, port, formatIp(address), sent);
  };
}

export function closeSocket(socket: Socket): Promise<void> {
  return new Promise((resolve) =>
    socket.close(() => {
      resolve();
    }),
  );
}
