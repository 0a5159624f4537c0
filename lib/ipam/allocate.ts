// The order of choice: which address a dynamic allocation takes.
import type { Ip } from '../net/ip.js';
import { familyOf } from '../net/ip.js';
import { contains } from '../net/prefix.js';
import type { Failure } from '../net/reason.js';
import { fail } from '../net/reason.js';
import { clearing, isNeverGiven } from './conflict.js';
import type { Change, Standing } from './model.js';
import type { Ask, Scene } from './scene.js';

export interface Allocated {
  readonly ok: true;
  readonly address: Ip;
  /** What must be written before the address can be bound. */
  readonly clear: readonly Change[];
}

/**
 * Chooses an address for `ask`: parked for the owner; its running offer; cooling that it may retake; its previous address; the one it
 * asks for; the lowest free one of the pools. The first two outlive edits of the file; the others must be permitted by it. `avoid` is
 * an address that must not be chosen (the one just declined); `parkedOnly` serves nothing but the first of the list.
 * Fails with `pool-empty` or `no-pool`. The work is bounded by the number of the owner's own holds, whatever the pools are.
 */
export function allocate(
  scene: Scene,
  ask: Ask,
  standing: Standing | undefined,
  { avoid, parkedOnly = false }: { readonly avoid?: Ip | undefined; readonly parkedOnly?: boolean } = {},
): Allocated | Failure {
  const { view } = scene;
  const { network, owner, resource } = ask;
  const family = resource === 'ipv4' ? 'ipv4' : 'ipv6';

  const take = (address: Ip | undefined): Allocated | undefined => {
    if (address === undefined || address === avoid || familyOf(address) !== family) return undefined;
    const clear = clearing(scene, ask, address);
    return clear.ok ? { ok: true, address, clear: clear.changes } : undefined;
  };
  const inPool = (address: Ip): boolean => network.pools.some((pool) => contains(pool, address));
  const takePermitted = (address: Ip | undefined, pooled: boolean): Allocated | undefined =>
    address === undefined || (pooled && !inPool(address)) || isNeverGiven(network, scene.own, view, address)
      ? undefined
      : take(address);

  const kept = view.holdsFor(network.name, owner, resource);
  for (const hold of kept) {
    const parked = hold.kind === 'parked' ? take(hold.address) : undefined;
    if (parked !== undefined) return parked;
  }
  if (parkedOnly) return fail('allocation-reserved');

  const offered = take(view.offerTo(network.name, owner, resource)?.address);
  if (offered !== undefined) return offered;
  for (const hold of kept) {
    const cooling = hold.kind === 'cooling' ? takePermitted(hold.address, false) : undefined;
    if (cooling !== undefined) return cooling;
  }
  const previous = takePermitted(standing?.binding?.address ?? standing?.pin?.lastAddress, true);
  if (previous !== undefined) return previous;
  const asked = takePermitted(ask.wanted, true);
  if (asked !== undefined) return asked;

  if (!network.pools.some((pool) => familyOf(pool.first) === family)) return fail('no-pool');
  // The index says what is free; a candidate that turns out not to be would be a defect, which the store's constraints catch.
  return take(view.lowestFree(network.name, family)) ?? fail('pool-empty');
}
