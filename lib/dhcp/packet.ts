// What comes in and what goes out: packets with the circumstances that deciding needs.
import type { Mac } from '../net/ids.js';
import type { Ip4 } from '../net/ip.js';
import type { Reason } from '../net/reason.js';

/** A server's NIC. */
export interface Link {
  readonly name: string;
  /** The IPv4 addresses on it, the first is the one that answers. */
  readonly addresses: readonly { readonly ip: Ip4; readonly length: number }[];
}

export interface Packet {
  readonly link: Link;
  /** The UDP payload. */
  readonly bytes: Uint8Array;
  readonly source: Ip4;
  readonly sourcePort: number;
  /** Sent to 255.255.255.255, and not to one of our addresses. */
  readonly broadcast: boolean;
}

/**
 * Where an answer goes. `unicast`: by the kernel's routes, to a client that has the address, or to a relay. `frame`: to a client that
 * does not have `address` yet and so cannot answer ARP (RFC 2131 §4.1); a transport that cannot make frames broadcasts instead.
 */
export type Destination =
  | { readonly kind: 'unicast'; readonly address: Ip4; readonly port: number }
  | { readonly kind: 'frame'; readonly address: Ip4; readonly mac: Mac; readonly port: number }
  | { readonly kind: 'broadcast'; readonly port: number };

export interface Answer {
  readonly link: Link;
  readonly bytes: Uint8Array;
  readonly to: Destination;
}

/** What became of one packet. */
export interface Verdict {
  readonly reason: Reason;
  readonly detail?: string;
  readonly answer: Answer | undefined;
  /** What else is to be counted. */
  readonly beside?: Reason;
  /** For the log: the message type asked, the type answered, who asked and for what address. */
  readonly asked?: string;
  readonly answered?: string;
  readonly owner?: string;
  readonly network?: string;
  readonly address?: Ip4;
}
