// Which network a packet belongs to: by relay, by the address that the client has, or by the link.
import type { Network } from '../ipam/site.js';
import { networksOf } from '../ipam/site.js';
import type { Ip4 } from '../net/ip.js';
import { formatIp } from '../net/ip.js';
import type { Result } from '../net/reason.js';
import { fail, ok } from '../net/reason.js';
import type { Message4 } from '../wire/message4.js';
import type { Packet } from './packet.js';
import type { RelayFacts } from './relay.js';
import { isListed } from './relay.js';
import type { World } from './world.js';

/**
 * The network of `message`. Relayed: the one of link selection (RFC 3527) where its `relays` list the source, else the one of giaddr. Not
 * relayed and sent to us with ciaddr: the one of ciaddr, whatever link it came by. Else the one of the link. Fails with `no-network` or
 * `untrusted-relay`.
 */
export function locate(packet: Packet, message: Message4, relay: RelayFacts, world: World): Result<Network> {
  const { site } = world;
  if (message.giaddr !== 0) return behindRelay(packet, message.giaddr, relay, world);
  const local = packet.link.addresses.flatMap(({ ip }) => networksOf(site, ip));
  if (!packet.broadcast && message.ciaddr !== 0) {
    const candidates = networksOf(site, message.ciaddr);
    const network = candidates.find((one) => local.includes(one)) ?? candidates[0];
    return network === undefined ? fail('no-network', 'no network has ciaddr') : ok(network);
  }
  const [network] = local;
  return network === undefined
    ? fail('no-network', `no network has an address of link ${packet.link.name}`)
    : ok(network);
}

function behindRelay(packet: Packet, giaddr: Ip4, relay: RelayFacts, world: World): Result<Network> {
  const listed = (network: Network): boolean => isListed(packet, network);
  const selected = relay.linkSelection === undefined ? [] : networksOf(world.site, relay.linkSelection);
  const selectable = selected.find(listed);
  if (selectable !== undefined) return ok(selectable);
  const candidates = networksOf(world.site, giaddr);
  // Of networks in several VRFs the one that knows the relay comes first.
  const taken = candidates.find(listed) ?? candidates.find(({ relays }) => relays === undefined);
  if (taken !== undefined) return ok(taken);
  const [unwilling] = [...candidates, ...selected];
  return unwilling === undefined
    ? fail('no-network', 'no network has giaddr')
    : fail('untrusted-relay', `${formatIp(packet.source)} is not among the relays of network ${unwilling.name}`);
}
