// The seam between sockets and everything else: three methods, with a real side (udp4, raw) and a fake one (capture).
import type { Answer, Packet } from '../../lib/dhcp/packet.js';

export interface Transport {
  /** Opens the sockets and hands every packet to `receive`, which returns at once. Rejects with a {@link TransportError}, all sockets closed again. */
  open(receive: (packet: Packet) => void): Promise<void>;
  /** Sends one answer; what cannot be sent is counted by the caller's `failed`, never thrown. */
  send(answer: Answer): void;
  /** Takes no more packets, and resolves when the sockets are closed. */
  close(): Promise<void>;
}

/** What {@link Transport.open} rejects with where the machine is in the way: `message` is a whole sentence that says what to do. */
export class TransportError extends Error {
  override readonly name = 'TransportError';
}
