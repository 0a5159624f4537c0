// Where an answer goes (RFC 2131 §4.1, RFC 8357 §5).
import type { Ip4 } from '../net/ip.js';
import type { Message4 } from '../wire/message4.js';
import { BROADCAST_FLAG } from '../wire/message4.js';
import { macOf } from './identify.js';
import type { Destination, Packet } from './packet.js';
import type { RelayFacts } from './relay.js';
import type { Ports } from './world.js';

/**
 * To the relay where there is one; a NAK else to everybody; to ciaddr where the client has an address; else to everybody where the
 * client asks for that or has no Ethernet address, and as a frame to the offered address `yiaddr` where it does not.
 */
export function route(
  packet: Packet,
  message: Message4,
  relay: RelayFacts,
  ports: Ports,
  answer: { readonly nak: boolean; readonly yiaddr: Ip4 },
): Destination {
  if (message.giaddr !== 0) {
    return { kind: 'unicast', address: message.giaddr, port: relay.ownPort ? packet.sourcePort : ports.server };
  }
  const everybody: Destination = { kind: 'broadcast', port: ports.client };
  if (answer.nak) return everybody;
  if (message.ciaddr !== 0) return { kind: 'unicast', address: message.ciaddr, port: ports.client };
  const mac = macOf(message);
  if ((message.flags & BROADCAST_FLAG) !== 0 || mac === undefined || answer.yiaddr === 0) return everybody;
  return { kind: 'frame', address: answer.yiaddr, mac, port: ports.client };
}
