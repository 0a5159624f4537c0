// The reads that a decision may make: over the store and the writer's memory, inside the transaction that will write.
import type { Resource } from '../lifecycle/policy.js';
import type { Mac, Owner } from '../net/ids.js';
import type { Family, Ip } from '../net/ip.js';
import type { Declaration, Hold, Offer, Standing } from './model.js';

/** What the store knows. */
export interface StoredView {
  /** Number of the current revision; 0 before the first. */
  revision(): number;
  /** The current declaration that names `mac`, as owner or alias. */
  declaration(mac: Mac): Declaration | undefined;
  /** The current declaration that names `address` as fixed; whatever its VRF, the address is then given to nobody else. */
  fixedAt(address: Ip): Declaration | undefined;
  /** The interface of `owner` on `network` with what `resource` of it has; undefined: no such interface. */
  standing(network: string, owner: Owner, resource: Resource): Standing | undefined;
  /** Who holds `address` by a binding, its end passed or not. */
  holder(vrf: string, address: Ip): (Standing & { readonly resource: Resource }) | undefined;
  /** Whether `address` is parked, cooling or quarantined, its end passed or not. */
  hold(vrf: string, address: Ip): Hold | undefined;
  /** What is parked or cooling for `owner` in `network`. */
  holdsFor(network: string, owner: Owner, resource: Resource): readonly Hold[];
}

/** The store together with what only the writer knows: offers, and which addresses are free. */
export interface View extends StoredView {
  /** The running offer to `owner`. */
  offerTo(network: string, owner: Owner, resource: Resource): Offer | undefined;
  /** The running offer of `address`. */
  offerOf(vrf: string, address: Ip): Offer | undefined;
  /** The lowest address in the pools of `network` that is neither held, offered nor never given; undefined: there is none. */
  lowestFree(network: string, family: Family): Ip | undefined;
  /** How many DECLINEs of `owner` were believed within the last hour. */
  declines(owner: Owner): number;
}
