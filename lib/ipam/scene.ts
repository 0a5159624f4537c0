// What every decision has at hand: the site, the view, the time, and who is asking for what.
import type { Resource } from '../lifecycle/policy.js';
import type { Mac, Owner } from '../net/ids.js';
import type { Ip } from '../net/ip.js';
import type { Network, Site } from './site.js';
import type { View } from './view.js';

export interface Scene {
  readonly site: Site;
  readonly view: View;
  /** Integer milliseconds since 1970, one for the whole transaction. */
  readonly now: number;
  /** The server's own addresses, which it gives to nobody. */
  readonly own: readonly Ip[];
}

/** One owner on one network who wants an address (or has one). */
export interface Ask {
  readonly network: Network;
  readonly owner: Owner;
  /** The hardware address of this very exchange, where it has one: tells the aliases of an owner apart. */
  readonly mac: Mac | undefined;
  readonly resource: Resource;
  /** The address that the client names; it counts as a wish, not as a claim. */
  readonly wanted?: Ip;
}
