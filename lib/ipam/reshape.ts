// What an edit of the networks does to those who hold addresses in them: a network may be renamed, but not taken from under its holders.
import { formatIp } from '../net/ip.js';
import type { Ip } from '../net/ip.js';
import type { Prefix } from '../net/prefix.js';
import { contains, covers, formatPrefix } from '../net/prefix.js';
import type { Network, Renames, Site } from './site.js';
import type { StoredView } from './view.js';

function samePlace(a: Network, b: Network): boolean {
  const prefixes = (network: Network): string => network.prefixes.map(formatPrefix).sort().join(' ');
  return a.vrf === b.vrf && prefixes(a) === prefixes(b);
}

/** Networks of `before` that `after` has under another name: the same prefixes in the same VRF, and neither name in the other file. */
export function renamesBetween(before: Site, after: Site): Renames {
  const names = (site: Site): ReadonlySet<string> => new Set(site.networks.map(({ name }) => name));
  const [old, next] = [names(before), names(after)];
  const renames = new Map<string, string>();
  for (const network of before.networks) {
    if (next.has(network.name)) continue;
    const heir = after.networks.find((one) => !old.has(one.name) && samePlace(network, one));
    if (heir !== undefined) renames.set(network.name, heir.name);
  }
  return renames;
}

/** A prefix of `before` in which addresses may be held that `after` does not keep, with what becomes of its network. */
export interface Loss {
  readonly network: Network;
  readonly heir: Network | undefined;
  readonly prefix: Prefix;
}

/** The prefixes that `after` takes away, wholly or in part. */
export function lossesBetween(before: Site, after: Site, renames: Renames): readonly Loss[] {
  return before.networks.flatMap((network) => {
    const name = renames.get(network.name) ?? network.name;
    const heir = after.networks.find((one) => one.name === name && one.vrf === network.vrf);
    return network.prefixes
      .filter((prefix) => heir?.prefixes.some((kept) => covers(kept, prefix)) !== true)
      .map((prefix) => ({ network, heir, prefix }));
  });
}

/** Who holds `address` and would lose it with `loss`, as a sentence; undefined where nobody does. */
export function strandedAt(view: StoredView, { network, heir, prefix }: Loss, address: Ip): string | undefined {
  if (heir?.prefixes.some((kept) => contains(kept, address)) === true) return undefined;
  const where = `${formatIp(address)} in ${formatPrefix(prefix)} of network ${network.name}`;
  const holder = view.holder(network.vrf, address);
  if (holder?.binding !== undefined) {
    const free = holder.binding.kind === 'lease' ? 'it is free when its lease ends or is released' : 'it is static';
    return `${where} is held by ${holder.owner}: ${free}`;
  }
  const hold = view.hold(network.vrf, address);
  // A quarantined address has no holder who could lose it.
  return hold === undefined || hold.kind === 'quarantine' ? undefined : `${where} is ${hold.kind} for ${hold.owner}`;
}
