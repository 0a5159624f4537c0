// What a DHCPv4 client gets: the protocol's rules over the contract's (RFC 2131 §4.3). Pure: it reads the view and names changes.
import { choose, commit, decline, DECLINES_AN_HOUR, holding, release } from '../ipam/bind.js';
import type { Change } from '../ipam/model.js';
import type { Ask } from '../ipam/scene.js';
import type { LeaseTimes, Network } from '../ipam/site.js';
import { prefixIn } from '../ipam/site.js';
import type { Ip4 } from '../net/ip.js';
import { formatIp } from '../net/ip.js';
import type { Reason } from '../net/reason.js';
import { assertNever } from '../net/reason.js';
import type { Message4 } from '../wire/message4.js';
import { code } from '../wire/options4.js';
import type { Asked } from './classify.js';
import type { Identity } from './identify.js';
import type { World } from './world.js';

/** How long an offer is kept for its client, ms. */
export const OFFER_TIME = 60_000;

/** The answer that is due, before it is a message. `lease` in milliseconds. */
export type Due =
  | { readonly kind: 'offer' | 'ack'; readonly address: Ip4; readonly lease: number }
  | { readonly kind: 'bootp'; readonly address: Ip4 }
  | { readonly kind: 'inform' }
  | { readonly kind: 'nak'; readonly message: string }
  | { readonly kind: 'none' };

/** What is asked of which server: of `none` in particular, of `us`, of our `relay` that stands for us and others, or of a `foreign` one. */
export interface Request {
  readonly asked: Asked;
  readonly server: 'none' | 'us' | 'relay' | 'foreign';
}

export interface Decided {
  readonly due: Due;
  readonly changes: readonly Change[];
  readonly reason: Reason;
  readonly detail?: string | undefined;
  readonly address?: Ip4 | undefined;
}

/** Refusals that RFC 2131 and the contract answer with silence, even to a REQUEST. */
const silentRefusals: ReadonlySet<Reason> = new Set<Reason>([
  'unknown-ignored',
  'roaming-ignored',
  'allocation-reserved',
  'alias-in-use',
  'on-probation',
  'fixed-outside',
  'address-reserved',
]);

export function decide4(
  world: World,
  network: Network,
  { owner, mac, declaration }: Identity,
  message: Message4,
  { asked, server }: Request,
): Decided {
  const ask: Ask = { network, owner, mac, resource: 'ipv4' };
  const foreign = server === 'foreign';
  switch (asked.kind) {
    case 'discover':
      return discover(world, withWish(ask, asked.wanted), declaration, message);
    case 'selecting':
    case 'reboot':
    case 'extend':
      if (foreign) return chosenElsewhere(world, ask);
      return grant(world, withWish(ask, asked.wanted), declaration, message, asked, server);
    case 'empty':
      if (foreign) return chosenElsewhere(world, ask);
      return nak('wrong-address', 'a REQUEST that names no address');
    case 'release':
      return foreign ? silent('not-for-us') : giveBack(world, ask, asked.address);
    case 'decline':
      return foreign ? silent('not-for-us') : refuse(world, ask, declaration, asked.address);
    case 'inform':
      return { due: { kind: 'inform' }, changes: [], reason: 'informed' };
    case 'bootp':
      return bootp(world, ask, declaration, message);
    default:
      return assertNever(asked);
  }
}

function withWish(ask: Ask, wanted: Ip4 | undefined): Ask {
  return wanted === undefined ? ask : { ...ask, wanted };
}

function silent(reason: Reason, detail?: string, changes: readonly Change[] = []): Decided {
  return { due: { kind: 'none' }, changes, reason, detail };
}

function nak(reason: Reason, message: string): Decided {
  return { due: { kind: 'nak', message }, changes: [], reason, detail: message };
}

/** What the client asks for by option 51, within the network's bounds; 1 s and infinity are asked for in the field. */
function leaseTime(message: Message4, times: LeaseTimes): number {
  const value = message.options.get(code.leaseTime);
  if (value?.length !== 4) return times.default;
  const seconds = new DataView(value.buffer, value.byteOffset, 4).getUint32(0);
  return Math.min(Math.max(seconds * 1000, times.min), times.max);
}

type Declared = Identity['declaration'];

/** RFC 2131 §4.3.1. Nothing is written: an offer is memory. */
function discover(world: World, ask: Ask, declaration: Declared, message: Message4): Decided {
  const choice = choose(world, ask, declaration);
  if (!choice.ok) return silent(choice.reason, choice.detail);
  const { vrf, name } = ask.network;
  const address = choice.address as Ip4;
  const { owner, resource } = ask;
  const changes: readonly Change[] = choice.held
    ? []
    : [
        {
          kind: 'offer',
          offer: { vrf, network: name, owner, resource, address, until: world.now + OFFER_TIME },
        },
      ];
  const lease = leaseTime(message, ask.network.lease);
  return { due: { kind: 'offer', address, lease }, changes, reason: 'offered', address };
}

/** The client took another server's offer: ours is free again (RFC 2131 §3.1(4)). */
function chosenElsewhere(world: World, ask: Ask): Decided {
  const offer = world.view.offerTo(ask.network.name, ask.owner, ask.resource);
  return silent('not-for-us', undefined, offer === undefined ? [] : [{ kind: 'withdraw', offer }]);
}

/** A REQUEST in any state (RFC 2131 §4.3.2): the address named is granted if it is the one that the contract gives. */
function grant(
  world: World,
  ask: Ask,
  declaration: Declared,
  message: Message4,
  asked: Extract<Asked, { wanted: Ip4; kind: 'selecting' | 'reboot' | 'extend' }>,
  server: Request['server'],
): Decided {
  const { network, owner, resource } = ask;
  const { wanted } = asked;
  if (prefixIn(network, wanted) === undefined) {
    return nak('wrong-network', `${formatIp(wanted)} is not an address of this network`);
  }
  // Silence to strangers: another server may know them (RFC 2131 §4.3.2). Who answers our own OFFER is none.
  const known =
    (asked.kind === 'selecting' && server === 'us') ||
    world.view.standing(network.name, owner, resource)?.pin !== undefined ||
    world.view.offerTo(network.name, owner, resource) !== undefined;
  // Who selects our relay may have the offer of another server behind it; or ours, which we forgot when we were restarted.
  if (!known && asked.kind !== 'selecting') return silent('unknown-client');

  const choice = choose(world, ask, declaration);
  if (!choice.ok) {
    return silentRefusals.has(choice.reason) || !known
      ? silent(choice.reason, choice.detail)
      : nak(choice.reason, `${formatIp(wanted)} cannot be had`);
  }
  if (choice.address !== wanted && !known) return silent('unknown-client');
  if (choice.address !== wanted) return nak('wrong-address', `${formatIp(wanted)} is not your address`);
  const lease = leaseTime(message, network.lease);
  const by = { event: choice.held ? 'renew' : 'request', actor: 'client' } as const;
  return {
    due: { kind: 'ack', address: wanted, lease },
    changes: commit(world, ask, choice, world.now + lease, by),
    reason: choice.held ? 'renewed' : 'granted',
    address: wanted,
  };
}

/** RELEASE counts only from the holder, on its network (RFC 2131 §4.3.4); a second one changes nothing. */
function giveBack(world: World, ask: Ask, address: Ip4): Decided {
  const standing = holding(world, ask, address);
  if (standing === undefined) return silent('not-holder');
  const changes = release(world, ask, standing);
  const reason = standing.binding.kind === 'static' ? 'static-kept' : 'released';
  return { due: { kind: 'none' }, changes, reason, address };
}

/** DECLINE counts only from the holder, and a few times an hour (RFC 2131 §4.3.3). */
function refuse(world: World, ask: Ask, declaration: Declared, address: Ip4): Decided {
  const standing = holding(world, ask, address);
  if (standing === undefined) return silent('not-holder');
  if (world.view.declines(ask.owner) >= DECLINES_AN_HOUR) return silent('decline-limit');
  return { due: { kind: 'none' }, changes: decline(world, ask, standing, declaration), reason: 'declined', address };
}

/** A client without option 53 gets its static address at once, and no lease (RFC 1534 §2). */
function bootp(world: World, ask: Ask, declaration: Declared, message: Message4): Decided {
  const choice = choose(world, ask, declaration);
  if (!choice.ok) return silent(choice.reason, choice.detail);
  if (choice.kind !== 'static') return silent('bootp-dynamic');
  const until = world.now + leaseTime(message, ask.network.lease);
  const changes = commit(world, ask, choice, until, { event: 'request', actor: 'client' });
  const address = choice.address as Ip4;
  return { due: { kind: 'bootp', address }, changes, reason: choice.held ? 'renewed' : 'granted', address };
}
