// What only the writer knows, beside the store: offers, the index of free addresses, who declined lately. Lost with the process.
import type { Store } from '../db/store.js';
import { isNeverGiven } from '../lib/ipam/conflict.js';
import type { Change, Offer } from '../lib/ipam/model.js';
import type { Site } from '../lib/ipam/site.js';
import { networkOf } from '../lib/ipam/site.js';
import type { StoredView, View } from '../lib/ipam/view.js';
import type { Resource } from '../lib/lifecycle/policy.js';
import type { Mac, Owner } from '../lib/net/ids.js';
import type { Family, Ip } from '../lib/net/ip.js';
import { FreeIndex } from './free.js';
import { Offers } from './offers.js';

const HOUR = 3_600_000;

export class Memory implements View {
  readonly #stored: StoredView;
  readonly #store: Store;
  readonly #offers = new Offers();
  readonly #free = new FreeIndex();
  readonly #declines = new Map<Owner, number[]>();
  #site: Site;
  /** The site as the last commit left it. */
  #committed: Site;
  #own: readonly Ip[];
  #now = 0;

  constructor(store: Store, site: Site, own: readonly Ip[], now: number) {
    this.#store = store;
    this.#stored = store.view;
    this.#site = site;
    this.#committed = site;
    this.#own = own;
    this.#now = now;
    this.relearn();
  }

  get site(): Site {
    return this.#site;
  }

  get own(): readonly Ip[] {
    return this.#own;
  }

  /** How many offers are in flight. */
  get offers(): number {
    return this.#offers.size;
  }

  /** Begins a batch at `now`: what has ended by then is gone. */
  begin(now: number): void {
    this.#now = now;
    this.#committed = this.#site;
    for (const offer of this.#offers.ended(now)) this.#reconsider(offer.vrf, offer.address);
  }

  /** At the start, and after a commit that failed: everything is learnt from the store again, and what is not in it is forgotten. */
  relearn(): void {
    this.#offers.clear();
    this.#declines.clear();
    for (const { owner, at } of this.#store.declines(this.#now - HOUR)) this.#noteDecline(owner, at);
    this.#rebuild(this.#committed);
  }

  #rebuild(site: Site): void {
    this.#site = site;
    this.#free.rebuild(site);
    for (const address of this.#own) this.#free.take(address);
    for (const address of this.#store.fixed()) this.#free.take(address);
    for (const { vrf, pools } of site.networks) {
      for (const pool of pools) {
        for (const address of this.#store.taken(vrf, pool)) this.#free.set(vrf, address, true);
      }
    }
    for (const offer of this.#offers.all()) this.#free.set(offer.vrf, offer.address, true);
  }

  /** Takes up what one decision wrote, before the next one decides. */
  readonly applied = (changes: readonly Change[]): void => {
    for (const change of changes) this.#apply(change);
  };

  #apply(change: Change): void {
    switch (change.kind) {
      case 'bind': {
        // Whoever has an address, by whatever way, has no use for an offer.
        const offer = this.#offers.to(change.network, change.owner, change.resource);
        if (offer !== undefined) this.#withdraw(offer);
        return this.#free.set(change.vrf, change.address, true);
      }
      case 'unbind':
        if (change.standing.binding !== undefined)
          this.#reconsider(change.standing.vrf, change.standing.binding.address);
        return;
      case 'hold':
        if (change.hold.kind === 'quarantine') this.#noteDecline(change.hold.owner, this.#now);
        return this.#free.set(change.hold.vrf, change.hold.address, true);
      case 'unhold':
        return this.#reconsider(change.hold.vrf, change.hold.address);
      case 'offer':
        for (const gone of this.#offers.add(change.offer)) this.#reconsider(gone.vrf, gone.address);
        return this.#free.set(change.offer.vrf, change.offer.address, true);
      case 'withdraw':
        return this.#withdraw(change.offer);
      case 'revise':
        if (change.renames !== undefined) this.#offers.rename(change.renames);
        return this.#rebuild(change.site);
      case 'extend':
      case 'idle':
      case 'purge':
      case 'draft':
      case 'stage':
      case 'unstage':
        return;
    }
  }

  #withdraw(offer: Offer): void {
    this.#offers.remove(offer);
    this.#reconsider(offer.vrf, offer.address);
  }

  #reconsider(vrf: string, address: Ip): void {
    const taken =
      this.#offers.of(vrf, address) !== undefined ||
      this.#stored.holder(vrf, address) !== undefined ||
      this.#stored.hold(vrf, address) !== undefined ||
      isNeverGiven(networkOf(this.#site, vrf, address), this.#own, this.#stored, address);
    this.#free.set(vrf, address, taken);
  }

  #noteDecline(owner: Owner, at: number): void {
    const recent = (this.#declines.get(owner) ?? []).filter((one) => one > this.#now - HOUR);
    this.#declines.set(owner, [...recent, at]);
    for (const [other, times] of this.#declines) {
      if (times.every((one) => one <= this.#now - HOUR)) this.#declines.delete(other);
    }
  }

  declines(owner: Owner): number {
    return this.#declines.get(owner)?.filter((at) => at > this.#now - HOUR).length ?? 0;
  }

  offerTo(network: string, owner: Owner, resource: Resource): Offer | undefined {
    return this.#offers.to(network, owner, resource);
  }

  offerOf(vrf: string, address: Ip): Offer | undefined {
    return this.#offers.of(vrf, address);
  }

  lowestFree(network: string, family: Family): Ip | undefined {
    return this.#free.lowest(network, family);
  }

  revision(): number {
    return this.#stored.revision();
  }

  declaration(mac: Mac): ReturnType<StoredView['declaration']> {
    return this.#stored.declaration(mac);
  }

  fixedAt(address: Ip): ReturnType<StoredView['fixedAt']> {
    return this.#stored.fixedAt(address);
  }

  standing(network: string, owner: Owner, resource: Resource): ReturnType<StoredView['standing']> {
    return this.#stored.standing(network, owner, resource);
  }

  holder(vrf: string, address: Ip): ReturnType<StoredView['holder']> {
    return this.#stored.holder(vrf, address);
  }

  hold(vrf: string, address: Ip): ReturnType<StoredView['hold']> {
    return this.#stored.hold(vrf, address);
  }

  holdsFor(network: string, owner: Owner, resource: Resource): ReturnType<StoredView['holdsFor']> {
    return this.#stored.holdsFor(network, owner, resource);
  }
}
