// What the store and the current revision know of one address or owner: the facts of `leasehold explain`.
import type { JournalRow, Listed, Reader } from '../../db/store.js';
import { loadConfig } from '../../lib/config/load.js';
import type { Declaration, Hold } from '../../lib/ipam/model.js';
import type { Network, Site } from '../../lib/ipam/site.js';
import { networksOf } from '../../lib/ipam/site.js';
import type { Owner } from '../../lib/net/ids.js';
import { macOfOwner, ownerOfMac, parseMac } from '../../lib/net/ids.js';
import type { Ip } from '../../lib/net/ip.js';
import { parseIp } from '../../lib/net/ip.js';
import { contains } from '../../lib/net/prefix.js';

/** What is asked about. */
export type Subject =
  { readonly kind: 'address'; readonly address: Ip } | { readonly kind: 'owner'; readonly owner: Owner };

/** What an address is in the networks of the current revision, where nobody holds it. */
export type Place =
  | { readonly kind: 'outside' }
  | { readonly kind: 'never'; readonly network: string }
  | { readonly kind: 'pool'; readonly network: string }
  | { readonly kind: 'no-pool'; readonly network: string };

export interface Story {
  readonly subject: Subject;
  readonly now: number;
  /** Number of the current revision; 0 before the first. */
  readonly revision: number;
  /** Everything that the owner has, or the one resource that holds the address. */
  readonly resources: readonly Listed[];
  readonly holds: readonly Hold[];
  /** What the current revision declares of the owner, or the declaration that names the address as fixed. */
  readonly declaration: Declaration | undefined;
  readonly place: Place | undefined;
  readonly journal: readonly JournalRow[];
}

/** An address, a MAC in any usual spelling, or an owner key as `leases` shows it; undefined where it is none of them. */
export function subjectOf(text: string): Subject | undefined {
  const address = parseIp(text);
  if (address !== undefined) return { kind: 'address', address };
  const mac = parseMac(text);
  if (mac !== undefined) return { kind: 'owner', owner: ownerOfMac(mac) };
  return /^(client-id:[0-9a-f]+|hw:\d+:[0-9a-f]+)$/.test(text) ? { kind: 'owner', owner: text as Owner } : undefined;
}

/** Gathers the facts. An alias MAC stands for its owner. */
export function tell(reader: Reader, subject: Subject, now: number): Story {
  const { view } = reader;
  const revision = view.revision();
  if (subject.kind === 'address') {
    const { address } = subject;
    const site = siteOf(reader, revision);
    return {
      subject,
      now,
      revision,
      resources: reader.list(({ binding }) => binding?.address === address),
      holds: reader.holds().filter((hold) => hold.address === address),
      declaration: view.fixedAt(address),
      place: site && placeOf(site, address),
      journal: reader.history({ address }),
    };
  }
  const mac = macOfOwner(subject.owner);
  const declaration = mac && view.declaration(mac);
  const owner = declaration?.owner ?? subject.owner;
  return {
    subject: { kind: 'owner', owner },
    now,
    revision,
    resources: reader.list((row) => row.owner === owner),
    holds: reader.holds().filter((hold) => hold.owner === owner),
    declaration,
    place: undefined,
    journal: reader.history({ owner }),
  };
}

/** The networks as the current revision has them; its texts were checked when they were taken. */
function siteOf(reader: Reader, revision: number): Site | undefined {
  const files = revision === 0 ? undefined : reader.revision(revision)?.files;
  const loaded = files && loadConfig(files);
  return loaded?.ok === true ? loaded.site : undefined;
}

function placeOf(site: Site, address: Ip): Place {
  const inside = (ranges: Network['pools']): boolean => ranges.some((range) => contains(range, address));
  const [network] = networksOf(site, address);
  if (network === undefined) return { kind: 'outside' };
  const { name } = network;
  if (inside(network.never)) return { kind: 'never', network: name };
  return { kind: inside(network.pools) ? 'pool' : 'no-pool', network: name };
}
