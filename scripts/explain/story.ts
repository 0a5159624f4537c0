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
  | { readonly kind: 'gateway'; readonly network: string }
  | { readonly kind: 'never'; readonly network: string }
  | { readonly kind: 'pool'; readonly network: string }
  | { readonly kind: 'no-pool'; readonly network: string };

export interface Story {
  readonly subject: Subject;
  /** The MAC that was asked about, where it is another one of the owner's. */
  readonly alias: Owner | undefined;
  readonly now: number;
  /** Number of the current revision; 0 before the first. */
  readonly revision: number;
  /** Everything that the owner has, or the one resource that holds the address. */
  readonly resources: readonly Listed[];
  readonly holds: readonly Hold[];
  /** What the current revision declares of the owner, or the declaration that names the address as fixed. */
  readonly declaration: Declaration | undefined;
  /** Who holds the fixed address that the owner is declared to have. */
  readonly inTheWay: Owner | undefined;
  readonly place: Place | undefined;
  /** The networks of the current revision. */
  readonly networks: readonly Network[];
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
  const revision = reader.view.revision();
  const site = siteOf(reader, revision);
  const common = { now, revision, networks: site?.networks ?? [] };
  return subject.kind === 'address'
    ? { ...common, ...ofAddress(reader, subject.address, site) }
    : { ...common, ...ofOwner(reader, subject.owner) };
}

type Facts = Omit<Story, 'now' | 'revision' | 'networks'>;

function ofAddress(reader: Reader, address: Ip, site: Site | undefined): Facts {
  return {
    subject: { kind: 'address', address },
    alias: undefined,
    resources: reader.list(({ binding }) => binding?.address === address),
    holds: reader.holds().filter((hold) => hold.address === address),
    declaration: reader.view.fixedAt(address),
    inTheWay: undefined,
    place: site && placeOf(site, address),
    journal: reader.history({ address }),
  };
}

function ofOwner(reader: Reader, asked: Owner): Facts {
  const mac = macOfOwner(asked);
  const declaration = mac && reader.view.declaration(mac);
  const owner = declaration?.owner ?? asked;
  const alias = owner === asked ? undefined : asked;
  // What an alias got before it was declared to be one is still its own.
  const isMeant = (one: Owner): boolean => one === owner || one === alias;
  const history = [owner, ...(alias === undefined ? [] : [alias])].flatMap((one) => reader.history({ owner: one }));
  const fixed = declaration?.ipv4.policy === 'fixed' ? declaration.ipv4.address : undefined;
  const [holder] = fixed === undefined ? [] : reader.list(({ binding }) => binding?.address === fixed);
  return {
    subject: { kind: 'owner', owner },
    alias,
    resources: reader.list((row) => isMeant(row.owner)),
    holds: reader.holds().filter((hold) => isMeant(hold.owner)),
    declaration,
    inTheWay: holder === undefined || isMeant(holder.owner) ? undefined : holder.owner,
    place: undefined,
    journal: history.toSorted((a, b) => a.seq - b.seq),
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
  if (network.gateways.includes(address)) return { kind: 'gateway', network: name };
  if (inside(network.never)) return { kind: 'never', network: name };
  return { kind: inside(network.pools) ? 'pool' : 'no-pool', network: name };
}
