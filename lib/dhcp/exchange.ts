// One packet in, one decision out: decode, classify, locate, identify, decide, answer, route.
import type { Change, Decision } from '../ipam/model.js';
import type { Ip4 } from '../net/ip.js';
import type { Failure, Reason } from '../net/reason.js';
import { fail } from '../net/reason.js';
import { decode4 } from '../wire/message4.js';
import { answer } from './answer.js';
import { classify, typeName } from './classify.js';
import type { Request } from './decide4.js';
import { decide4 } from './decide4.js';
import { identify } from './identify.js';
import { locate } from './locate.js';
import type { Packet, Verdict } from './packet.js';
import type { RelayFacts } from './relay.js';
import { relayFacts, trusted } from './relay.js';
import { route } from './route.js';
import type { World } from './world.js';
import { isOurs } from './world.js';

/** What becomes of `packet` in `world`. Never throws for what a packet contains. */
export function exchange(packet: Packet, world: World): Decision<Verdict> {
  const decoded = decode4(packet.bytes);
  if (!decoded.ok) return dropped(decoded);
  const message = decoded.value;
  const asked = typeName(message);
  const classified = classify(message);
  if (!classified.ok) return dropped(classified, { asked });
  const told = relayFacts(message);
  const located = locate(packet, message, told, world);
  if (!located.ok) return dropped(located, { asked });
  const network = located.value;
  const relay = trusted(told, packet, network);
  const identity = identify(message, network, world.view);
  if (!identity.ok) return dropped(identity, { asked, network: network.name });

  const request = { asked: classified.asked, server: serverMeant(world, classified.server, relay) };
  const { due, changes, reason, detail, address } = decide4(world, network, identity, message, request);
  const about = {
    asked,
    owner: identity.owner,
    network: network.name,
    ...(address === undefined ? {} : { address }),
    ...(detail === undefined ? {} : { detail }),
  };
  const serverId = relay.serverId ?? world.site.serverId ?? packet.link.addresses[0]?.ip;
  if (due.kind === 'none') return said(reason, about, changes);
  if (serverId === undefined) return dropped(fail('no-network', `link ${packet.link.name} has no address`), about);
  const encoded = answer(world, { message, network, declaration: identity.declaration, serverId }, due);
  if (encoded === undefined) return said(reason, about, changes);
  if (!encoded.ok) return dropped(encoded, about);
  const yiaddr = 'address' in due ? due.address : (0 as Ip4);
  const to = route(packet, message, relay, world.ports, { nak: due.kind === 'nak', yiaddr });
  return {
    changes,
    value: {
      reason,
      ...about,
      answered: answers[due.kind],
      answer: { link: packet.link, bytes: encoded.value, to },
      ...(encoded.relayInfoOmitted ? { beside: 'relay-info-omitted' as const } : {}),
    },
  };
}

function serverMeant(world: World, named: Ip4 | undefined, relay: RelayFacts): Request['server'] {
  if (named === undefined) return 'none';
  if (isOurs(world, named)) return 'us';
  return named === relay.serverId ? 'relay' : 'foreign';
}

const answers = { offer: 'OFFER', ack: 'ACK', inform: 'ACK', nak: 'NAK', bootp: 'BOOTREPLY' } as const;

type About = Omit<Verdict, 'reason' | 'answer'>;

/** Nothing is answered and nothing written. */
function dropped({ reason, detail }: Failure, about: About = {}): Decision<Verdict> {
  return said(reason, detail === undefined ? about : { ...about, detail }, []);
}

function said(reason: Reason, about: About, changes: readonly Change[]): Decision<Verdict> {
  return { changes, value: { reason, ...about, answer: undefined } };
}
