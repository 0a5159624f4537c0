// The index of free addresses: a bitmap a pool, built from the store and kept in step with what is written.
import { Bitmap } from '../lib/ipam/bitmap.js';
import type { Site } from '../lib/ipam/site.js';
import type { Family, Ip, Ip4 } from '../lib/net/ip.js';
import { overlaps } from '../lib/net/prefix.js';

interface Pool {
  readonly network: string;
  readonly first: number;
  readonly last: number;
  readonly map: Bitmap;
}

export class FreeIndex {
  /** The pools of each collision domain, ordered by their first address; they do not overlap. */
  readonly #byVrf = new Map<string, Pool[]>();
  /** The pools of each network, in the order of the file. */
  readonly #byNetwork = new Map<string, Pool[]>();

  /** Starts anew for `site`, with what its file keeps back already taken. */
  rebuild(site: Site): void {
    this.#byVrf.clear();
    this.#byNetwork.clear();
    for (const network of site.networks) {
      const pools: Pool[] = [];
      for (const range of network.pools) {
        if (typeof range.first !== 'number' || typeof range.last !== 'number') continue;
        const { first, last } = range;
        const map = new Bitmap(last - first + 1);
        for (const never of network.never) {
          if (typeof never.first !== 'number' || typeof never.last !== 'number' || !overlaps(never, range)) continue;
          const end = Math.min(never.last, last);
          for (let address = Math.max(never.first, first); address <= end; address++) map.add(address - first);
        }
        pools.push({ network: network.name, first, last, map });
      }
      this.#byNetwork.set(network.name, pools);
      const ofVrf = [...(this.#byVrf.get(network.vrf) ?? []), ...pools];
      this.#byVrf.set(
        network.vrf,
        ofVrf.sort((a, b) => a.first - b.first),
      );
    }
  }

  /** Notes whether `address` can be had; without effect where no pool has it. */
  set(vrf: string, address: Ip, taken: boolean): void {
    const pool = this.#poolOf(vrf, address);
    if (pool === undefined) return;
    const index = Number(address) - pool.first;
    if (taken) pool.map.add(index);
    else pool.map.delete(index);
  }

  /** The same for an address that is taken in every collision domain. */
  take(address: Ip): void {
    for (const vrf of this.#byVrf.keys()) this.set(vrf, address, true);
  }

  lowest(network: string, family: Family): Ip | undefined {
    if (family === 'ipv6') return undefined;
    for (const pool of this.#byNetwork.get(network) ?? []) {
      const index = pool.map.lowestFree();
      if (index !== undefined) return (pool.first + index) as Ip4;
    }
    return undefined;
  }

  #poolOf(vrf: string, address: Ip): Pool | undefined {
    const pools = this.#byVrf.get(vrf);
    if (pools === undefined || typeof address !== 'number') return undefined;
    let [low, high] = [0, pools.length - 1];
    while (low <= high) {
      const middle = (low + high) >>> 1;
      const pool = pools[middle];
      if (pool === undefined) return undefined;
      if (address < pool.first) high = middle - 1;
      else if (address > pool.last) low = middle + 1;
      else return pool;
    }
    return undefined;
  }
}
