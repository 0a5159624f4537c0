// Which networks an address lies in, found in a sorted list for each VRF instead of by asking every network.
import type { Ip } from '../net/ip.js';
import { familyOf } from '../net/ip.js';
import type { Range } from '../net/prefix.js';
import { contains } from '../net/prefix.js';
import type { NetworkDraft } from './draft.js';

interface Home {
  readonly range: Range;
  readonly network: NetworkDraft;
}

/** Finds the networks of an address: one for each VRF at most, since overlapping prefixes are refused. */
export class Homes {
  private readonly lists = new Map<string, Home[]>();

  constructor(networks: readonly NetworkDraft[]) {
    for (const network of networks) {
      for (const { value } of network.prefixes) {
        const key = `${familyOf(value.first)} ${network.vrf}`;
        const list = this.lists.get(key) ?? [];
        list.push({ range: value, network });
        this.lists.set(key, list);
      }
    }
    for (const list of this.lists.values()) {
      list.sort(({ range: a }, { range: b }) => (a.first < b.first ? -1 : a.first > b.first ? 1 : 0));
    }
  }

  of(ip: Ip): readonly NetworkDraft[] {
    const found: NetworkDraft[] = [];
    for (const [key, list] of this.lists) {
      if (!key.startsWith(familyOf(ip))) continue;
      let low = 0;
      let high = list.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        const home = list[middle];
        if (home !== undefined && home.range.first <= ip) low = middle + 1;
        else high = middle;
      }
      // Where prefixes overlap by mistake the nearest may be too narrow and a wider one before it holds the address.
      const home = list.slice(Math.max(0, low - 4), low).findLast(({ range }) => contains(range, ip));
      if (home !== undefined) found.push(home.network);
    }
    return found;
  }
}
