// What a relay added: option 82, read once, and whether it counts.
import type { Network } from '../ipam/site.js';
import type { Ip4 } from '../net/ip.js';
import { readIp4 } from '../net/ip.js';
import { contains } from '../net/prefix.js';
import type { Message4 } from '../wire/message4.js';
import { code } from '../wire/options4.js';
import { relaySub } from '../wire/relay-information.js';
import { decodeSubOptions } from '../wire/suboptions.js';
import type { Packet } from './packet.js';
import { fromLoopback } from './world.js';

export interface RelayFacts {
  /** The subnet that the relay asks for instead of giaddr's (RFC 3527 §3). */
  readonly linkSelection: Ip4 | undefined;
  /** What the client is to take for the server, so that its unicasts come by the relay too (RFC 5107 §4). */
  readonly serverId: Ip4 | undefined;
  /** The relay listens on the port that it sent from (RFC 8357 §5). */
  readonly ownPort: boolean;
}

const none: RelayFacts = { linkSelection: undefined, serverId: undefined, ownPort: false };

/**
 * Reads option 82; without giaddr it means nothing here, and an ill-formed one is none (it is echoed all the same). Where several relays
 * added one each, the first that has a sub-option counts: it is the nearest to the client.
 */
export function relayFacts(message: Message4): RelayFacts {
  const value = message.giaddr === 0 ? undefined : message.options.get(code.relayAgentInformation);
  const subs = value && decodeSubOptions(value, false);
  if (subs === undefined) return none;
  return {
    linkSelection: addressIn(subs, relaySub.linkSelection),
    serverId: addressIn(subs, relaySub.serverIdOverride),
    ownPort: subs.has(relaySub.relayPort),
  };
}

/** The address in sub-option `sub`; undefined where it is absent, not four octets long, or 0.0.0.0. */
function addressIn(subs: ReadonlyMap<number, Uint8Array>, sub: number): Ip4 | undefined {
  const value = subs.get(sub);
  const address = value?.length === 4 ? readIp4(value, 0) : undefined;
  return address === 0 ? undefined : address;
}

/** Whether `network` lists the source of `packet` among its relays; who is on this machine need not be listed. */
export function isListed(packet: Packet, network: Network): boolean {
  return fromLoopback(packet) || (network.relays?.some((range) => contains(range, packet.source)) ?? false);
}

/** What of `relay` counts for a packet of `network`: all of it from a listed relay, nothing from another sender. */
export function trusted(relay: RelayFacts, packet: Packet, network: Network): RelayFacts {
  return isListed(packet, network) ? relay : none;
}
