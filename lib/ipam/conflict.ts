// Whether an address may be given: who holds it, and what is never given to anybody.
import type { Ip } from '../net/ip.js';
import { contains } from '../net/prefix.js';
import type { Failure } from '../net/reason.js';
import { fail } from '../net/reason.js';
import type { Change, Hold, Standing } from './model.js';
import type { Ask, Scene } from './scene.js';
import type { Network } from './site.js';
import type { StoredView } from './view.js';

/** Whether `standing` has a binding that still counts: a static, or a lease whose end has not come. */
export function holds(standing: Pick<Standing, 'binding'> | undefined, now: number): boolean {
  const binding = standing?.binding;
  return binding !== undefined && (binding.end === undefined || binding.end > now);
}

function isOver(hold: Hold, now: number): boolean {
  return hold.until !== undefined && hold.until <= now;
}

/**
 * What must be cleared away before `ask.owner` can have `address`: bindings and holds whose time is over but which expiry has not
 * come to yet, and the owner's own parked or cooling address. Fails with `address-taken` where another has it, and with
 * `on-probation` where the owner itself found it in use a moment ago.
 */
export function clearing(
  scene: Scene,
  ask: Ask,
  address: Ip,
): { readonly ok: true; readonly changes: readonly Change[] } | Failure {
  const { view, now } = scene;
  const { vrf, name } = ask.network;
  const changes: Change[] = [];

  const holder = view.holder(vrf, address);
  if (holder !== undefined) {
    const own = holder.owner === ask.owner && holder.network === name && holder.resource === ask.resource;
    if (!own && holds(holder, now)) return fail('address-taken', `bound to ${holder.owner}`);
    if (!own) {
      changes.push({
        kind: 'unbind',
        standing: holder,
        resource: holder.resource,
        event: 'end',
        at: now,
        actor: 'expiry',
      });
    }
  }

  const hold = view.hold(vrf, address);
  if (hold !== undefined) {
    const own = hold.owner === ask.owner && hold.network === name && hold.resource === ask.resource;
    if (!isOver(hold, now)) {
      if (own && hold.kind === 'quarantine') return fail('on-probation', 'declined by its owner a moment ago');
      if (!own || !hold.retake) return fail('address-taken', `${hold.kind}, last held by ${hold.owner}`);
    }
    changes.push({ kind: 'unhold', hold, at: now, actor: own ? 'client' : 'expiry' });
  }

  const offer = view.offerOf(vrf, address);
  if (offer !== undefined && (offer.owner !== ask.owner || offer.network !== name)) {
    return fail('address-taken', `offered to ${offer.owner}`);
  }
  return { ok: true, changes };
}

/** Whether `address` is given to nobody at all, fixed or not: the file keeps it back in `network`, or it is the server's own. */
export function isKeptBack(network: Network | undefined, own: readonly Ip[], address: Ip): boolean {
  return own.includes(address) || (network?.never.some((range) => contains(range, address)) ?? false);
}

/** Whether `address` is never given dynamically: the above, and every fixed address of the running revision, bound or not. */
export function isNeverGiven(
  network: Network | undefined,
  own: readonly Ip[],
  view: Pick<StoredView, 'fixedAt'>,
  address: Ip,
): boolean {
  return isKeptBack(network, own, address) || view.fixedAt(address) !== undefined;
}
