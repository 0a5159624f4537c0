// Offers in flight: memory only, each with an end, bounded in number.
import type { Offer } from '../lib/ipam/model.js';
import type { Renames } from '../lib/ipam/site.js';
import type { Resource } from '../lib/lifecycle/policy.js';
import type { Owner } from '../lib/net/ids.js';
import type { Ip } from '../lib/net/ip.js';

/** How many offers may be in flight; beyond that the oldest goes. */
export const MOST_OFFERS = 65_536;

function ownerKey(network: string, owner: Owner, resource: Resource): string {
  return `${network} ${resource} ${owner}`;
}

export class Offers {
  /** In the order in which they were made, which is the order in which they end. */
  readonly #byOwner = new Map<string, Offer>();
  readonly #byAddress = new Map<string, Map<Ip, Offer>>();

  get size(): number {
    return this.#byOwner.size;
  }

  to(network: string, owner: Owner, resource: Resource): Offer | undefined {
    return this.#byOwner.get(ownerKey(network, owner, resource));
  }

  of(vrf: string, address: Ip): Offer | undefined {
    return this.#byAddress.get(vrf)?.get(address);
  }

  /** Keeps `offer`; returns the one that it replaces, or that had to go for lack of room. */
  add(offer: Offer): readonly Offer[] {
    const gone: Offer[] = [];
    const before = this.to(offer.network, offer.owner, offer.resource);
    if (before !== undefined) gone.push(before);
    else if (this.size >= MOST_OFFERS) gone.push(...this.#oldest());
    for (const one of gone) this.remove(one);
    this.#byOwner.set(ownerKey(offer.network, offer.owner, offer.resource), offer);
    let ofVrf = this.#byAddress.get(offer.vrf);
    if (ofVrf === undefined) {
      ofVrf = new Map<Ip, Offer>();
      this.#byAddress.set(offer.vrf, ofVrf);
    }
    ofVrf.set(offer.address, offer);
    return gone;
  }

  remove(offer: Offer): void {
    this.#byOwner.delete(ownerKey(offer.network, offer.owner, offer.resource));
    const ofVrf = this.#byAddress.get(offer.vrf);
    if (ofVrf?.get(offer.address)?.owner === offer.owner) ofVrf.delete(offer.address);
  }

  #oldest(): readonly Offer[] {
    const first = this.#byOwner.values().next();
    return first.done === true ? [] : [first.value];
  }

  /** Takes out what has ended. */
  ended(now: number): readonly Offer[] {
    const gone: Offer[] = [];
    for (const offer of this.#byOwner.values()) {
      if (offer.until > now) break;
      gone.push(offer);
    }
    for (const offer of gone) this.remove(offer);
    return gone;
  }

  all(): Iterable<Offer> {
    return this.#byOwner.values();
  }

  /** The offers of a renamed network go on under its new name. */
  rename(renames: Renames): void {
    for (const offer of [...this.all()]) {
      const network = renames.get(offer.network);
      if (network === undefined) continue;
      this.remove(offer);
      this.add({ ...offer, network });
    }
  }

  clear(): void {
    this.#byOwner.clear();
    this.#byAddress.clear();
  }
}
