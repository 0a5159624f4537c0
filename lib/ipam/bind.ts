// Binding: what an owner may have, and what is written when it gets, keeps, loses or gives back an address. Only this file asks the contract.
import type { Event, Origin, Policy } from '../lifecycle/policy.js';
import { stateOf, step } from '../lifecycle/step.js';
import type { Step } from '../lifecycle/table.js';
import { whenReserved } from '../lifecycle/table.js';
import type { Mac } from '../net/ids.js';
import type { Ip } from '../net/ip.js';
import type { Failure } from '../net/reason.js';
import { fail } from '../net/reason.js';
import { allocate } from './allocate.js';
import { clearing, holds, isKeptBack } from './conflict.js';
import type { Actor, Change, Declaration, Declared, Source, Standing } from './model.js';
import type { Ask, Scene } from './scene.js';
import type { Network } from './site.js';
import { networksOf, prefixIn } from './site.js';

/** How long a declined fixed address rests before its own owner tries it again. */
export const PROBATION = 30_000;
/** How long any other declined address is given to nobody. */
export const QUARANTINE = 600_000;
/** How many DECLINEs of one owner are believed within an hour. */
export const DECLINES_AN_HOUR = 3;

/** What an owner gets: the address, and the step of the contract by which it does. */
export interface Choice {
  readonly ok: true;
  readonly address: Ip;
  readonly kind: 'lease' | 'static';
  /** Whether the binding stands already. */
  readonly held: boolean;
  readonly standing: Standing | undefined;
  readonly step: Step;
  readonly policy: Policy;
  readonly origin: Origin;
  readonly source: Source | undefined;
  /** What must be written before the address can be bound. */
  readonly clear: readonly Change[];
}

/** Whose word counts for a resource that is eligible. */
type Ruling =
  { readonly ok: true; readonly declared: Declared; readonly declaration: Declaration | undefined } | Failure;

const undeclared: Declared = { policy: 'dynamic' };

/**
 * Which declaration reaches `ask` in its network, and what the network says to those whom none reaches. Judged only when a new
 * binding would be made, never at renewal.
 */
function ruling(scene: Scene, ask: Ask, declaration: Declaration | undefined, pinned: boolean): Ruling {
  const { network } = ask;
  if (declaration === undefined) {
    return network.unknown === 'ignore'
      ? fail('unknown-ignored')
      : { ok: true, declared: undeclared, declaration: undefined };
  }
  const declared = ask.resource === 'ipv4' ? declaration.ipv4 : declaration.ipv6;
  if (declaration.network === undefined || declaration.network === network.name) {
    const reaches = declared.policy !== 'fixed' || prefixIn(network, declared.address) !== undefined;
    if (reaches) return { ok: true, declared, declaration };
    if (networksOf(scene.site, declared.address).length === 0) {
      // With a pin the address does not matter any more: dynamic allocation goes on.
      return pinned ? { ok: true, declared: undeclared, declaration } : fail('fixed-outside');
    }
  }
  // The guard names another network, or the fixed address lies in another one: here the owner counts as undeclared.
  return network.roaming === 'ignore'
    ? fail('roaming-ignored')
    : { ok: true, declared: undeclared, declaration: undefined };
}

/** What a network with `allocation: reserved` says to a new binding under `policy`; any other network serves it. */
function reservedFor({ allocation }: Network, policy: Policy): (typeof whenReserved)[Policy] {
  return allocation === 'reserved' ? whenReserved[policy] : 'served';
}

/**
 * Decides what `ask.owner` gets for a stateful exchange, a reconcile pass or a config apply (`event`). Writes nothing: the caller
 * offers it, or commits it by {@link commit}. Fails with the reason why there is no address; a failure leaves no pin.
 */
export function choose(
  scene: Scene,
  ask: Ask,
  declaration: Declaration | undefined,
  event: 'request' | 'materialise' = 'request',
): Choice | Failure {
  const standing = scene.view.standing(ask.network.name, ask.owner, ask.resource);
  const pin = standing?.pin;
  if (isBound(standing) && holds(standing, scene.now)) {
    return serveHeld(scene, ask, standing);
  }

  const ruled = ruling(scene, ask, declaration, pin !== undefined);
  if (!ruled.ok) return ruled;
  const state = stateOf(pin !== undefined, undefined);
  const policy = pin === undefined ? ruled.declared.policy : pin.policy;
  const next = step(policy, state, event);
  if (next.address === 'none') return fail('unchanged');

  // A pin without an address is served as any dynamic owner is, so the network judges it as one.
  const reserved = reservedFor(ask.network, pin === undefined ? policy : 'dynamic');
  if (reserved === 'refused') return fail('allocation-reserved');
  const found =
    next.address === 'declared' && ruled.declared.policy === 'fixed'
      ? declaredAddress(scene, ask, ruled.declared.address)
      : allocate(scene, ask, standing, { parkedOnly: reserved === 'served-if-parked' });
  if (!found.ok) return found;
  // A lease of its own whose end has passed, and which expiry has not come to yet, ends first.
  const ended = standing === undefined ? [] : ending(standing, ask.resource, scene.now);
  return {
    ok: true,
    address: found.address,
    kind: next.binding === 'static' ? 'static' : 'lease',
    held: false,
    standing,
    step: next,
    policy,
    origin: pin?.origin ?? (ruled.declaration === undefined ? 'undeclared' : 'declared'),
    source: pin === undefined ? ruled.declaration?.source : pin.source,
    clear: [...ended, ...found.clear],
  };
}

/** A binding that stands is served whatever the declaration says today, unless another MAC of the same interface has it in use. */
function serveHeld(scene: Scene, ask: Ask, standing: Standing & Bound): Choice | Failure {
  const { pin, binding } = standing;
  const other = otherAlias(scene, ask, binding);
  if (other !== undefined) return fail('alias-in-use', `leased to ${other}`);
  if (binding.kind === 'static') {
    const hold = scene.view.hold(ask.network.vrf, binding.address);
    if (hold !== undefined && (hold.until === undefined || hold.until > scene.now)) return fail('on-probation');
  }
  return {
    ok: true,
    address: binding.address,
    kind: binding.kind,
    held: true,
    standing,
    step: step(pin.policy, stateOf(true, binding.kind), 'request'),
    policy: pin.policy,
    origin: pin.origin,
    source: pin.source,
    clear: [],
  };
}

type Bound = { readonly pin: NonNullable<Standing['pin']>; readonly binding: NonNullable<Standing['binding']> };

/** The other MAC of the same interface that has the binding in use, while its time runs. */
function otherAlias({ now }: Scene, { mac }: Ask, binding: Bound['binding']): Mac | undefined {
  const inUse = binding.clientUntil !== undefined && binding.clientUntil > now;
  return inUse && mac !== undefined && binding.mac !== mac ? binding.mac : undefined;
}

/** What `ask.owner` holds, its time not over, where this very client is the holder of `address`: what it may give back or decline. */
export function holding(scene: Scene, ask: Ask, address: Ip): (Standing & Bound) | undefined {
  const standing = scene.view.standing(ask.network.name, ask.owner, ask.resource);
  if (!isBound(standing) || standing.binding.address !== address || !holds(standing, scene.now)) return undefined;
  return otherAlias(scene, ask, standing.binding) === undefined ? standing : undefined;
}

/** Narrows a standing to one that has an address. */
export function isBound(standing: Standing | undefined): standing is Standing & Bound {
  return standing?.pin !== undefined && standing.binding !== undefined;
}

/** The declared address, where the file permits it and nobody else has it. */
function declaredAddress(
  scene: Scene,
  ask: Ask,
  address: Ip,
): { ok: true; address: Ip; clear: readonly Change[] } | Failure {
  if (isKeptBack(ask.network, scene.own, address)) return fail('address-reserved');
  const clear = clearing(scene, ask, address);
  return clear.ok ? { ok: true, address, clear: clear.changes } : clear;
}

/**
 * What is written when the client gets `choice` until `clientUntil` (undefined: bound before any client asked): a binding that stands
 * is extended, another is made together with its pin. `end` of a lease is what the client is told.
 */
export function commit(
  scene: Scene,
  ask: Ask,
  choice: Choice,
  clientUntil: number | undefined,
  by: { readonly event: Event; readonly actor: Actor },
): readonly Change[] {
  const { network, owner, resource, mac } = ask;
  const end = choice.kind === 'lease' ? clientUntil : undefined;
  if (choice.held && choice.standing !== undefined) {
    const { iface } = choice.standing;
    return clientUntil === undefined ? [] : [{ kind: 'extend', iface, resource, end, clientUntil, mac }];
  }
  const { step: taken, policy, origin, source, address, kind } = choice;
  const pin = taken.pin === 'make' || taken.pin === 'replace' ? taken.pin : 'keep';
  const bind: Change = {
    kind: 'bind',
    network: network.name,
    vrf: network.vrf,
    owner,
    resource,
    address,
    binding: kind,
    end,
    clientUntil,
    mac,
    pin,
    policy,
    origin,
    source,
    revision: scene.view.revision(),
    at: scene.now,
    event: by.event,
    actor: by.actor,
  };
  return choice.clear.length === 0 ? [bind] : [...choice.clear, bind];
}

/** Ends a lease whose time is over. */
export function ending(standing: Standing, resource: Ask['resource'], now: number): readonly Change[] {
  if (!isBound(standing)) return [];
  const taken = step(standing.pin.policy, stateOf(true, standing.binding.kind), 'end');
  return taken.binding === 'none' ? [unbinding(standing, resource, 'end', now, 'expiry')] : [];
}

function unbinding(
  standing: Standing,
  resource: Ask['resource'],
  event: Event,
  at: number,
  actor: Actor,
): Extract<Change, { kind: 'unbind' }> {
  return { kind: 'unbind', standing, resource, event, at, actor };
}

/** The holder gives its address back: a lease ends, a static stays and notes that no client has it now. */
export function release(scene: Scene, ask: Ask, standing: Standing & Bound): readonly Change[] {
  const taken = step(standing.pin.policy, stateOf(true, standing.binding.kind), 'release');
  const at = scene.now;
  if (taken.binding === 'none') return [unbinding(standing, ask.resource, 'release', at, 'client')];
  return idling(standing, ask.resource, 'release', at);
}

/** No client has the binding now, whatever it was promised. */
function idling(standing: Standing & Bound, resource: Ask['resource'], event: Event, at: number): readonly Change[] {
  const hasClient = standing.binding.clientUntil !== undefined;
  return hasClient ? [{ kind: 'idle', standing, resource, event, at, actor: 'client' }] : [];
}

/**
 * The holder found its address in use by somebody else. A lease loses it, a retained or preserved one moves to another address under
 * the same pin (or loses it, where none is free), a fixed or assigned one rests for {@link PROBATION}.
 */
export function decline(
  scene: Scene,
  ask: Ask,
  standing: Standing & Bound,
  declaration: Declaration | undefined,
): readonly Change[] {
  const { pin, binding } = standing;
  const { network, owner, resource } = ask;
  const taken = step(pin.policy, stateOf(true, binding.kind), 'decline');
  const at = scene.now;
  const hold: Change = {
    kind: 'hold',
    hold: {
      vrf: network.vrf,
      network: network.name,
      address: binding.address,
      kind: 'quarantine',
      resource,
      owner,
      retake: false,
      until: at + (taken.former === 'probation' ? PROBATION : QUARANTINE),
    },
    at,
    actor: 'client',
  };
  if (taken.former === 'probation') return [...idling(standing, resource, 'decline', at), hold];
  const lost: readonly Change[] = [unbinding(standing, resource, 'decline', at, 'client'), hold];
  if (taken.binding !== 'static') return lost;

  // A new binding is made, so the network is asked whether it would make one.
  const reserved = reservedFor(network, pin.policy);
  if (reserved === 'refused' || !ruling(scene, ask, declaration, true).ok) return lost;
  const parkedOnly = reserved === 'served-if-parked';
  const found = allocate(scene, { ...ask, mac: undefined }, standing, { avoid: binding.address, parkedOnly });
  if (!found.ok) return lost;
  const choice: Choice = {
    ok: true,
    address: found.address,
    kind: 'static',
    held: false,
    standing,
    step: taken,
    policy: pin.policy,
    origin: pin.origin,
    source: pin.source,
    clear: found.clear,
  };
  return [
    ...lost,
    ...commit(scene, { ...ask, mac: undefined }, choice, undefined, { event: 'decline', actor: 'client' }),
  ];
}

/**
 * Binds the fixed address of `declaration` before its client asks (a reconcile pass, a config apply). Fails with `unchanged` where
 * there is nothing to do.
 */
export function materialise(
  scene: Scene,
  network: Network,
  declaration: Declaration,
  resource: Ask['resource'],
): { readonly ok: true; readonly changes: readonly Change[] } | Failure {
  const ask: Ask = { network, owner: declaration.owner, mac: undefined, resource };
  const choice = choose(scene, ask, declaration, 'materialise');
  if (!choice.ok) return choice;
  if (choice.held) return fail('unchanged');
  return { ok: true, changes: commit(scene, ask, choice, undefined, { event: 'materialise', actor: 'reconcile' }) };
}

/** The network in which the fixed address of `declaration` lies, seen from its guard and its VRF. */
export function networkOfFixed(scene: Scene, declaration: Declaration, resource: Ask['resource']): Network | undefined {
  const declared = resource === 'ipv4' ? declaration.ipv4 : declaration.ipv6;
  if (declared.policy !== 'fixed') return undefined;
  const candidates = networksOf(scene.site, declared.address);
  return (
    candidates.find((n) => n.name === declaration.network) ??
    (declaration.network === undefined ? candidates[0] : undefined)
  );
}
