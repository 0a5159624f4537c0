// From a draft without mistakes to the site: what a revision says that is not a machine.
import type { LeaseTimes, Network, OptionSet, Site } from '../ipam/site.js';
import type { Draft, LeaseDraft, NetworkDraft } from './draft.js';
import type { Never } from './never.js';
import { merged } from './never.js';
import type { Place } from './place.js';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** What holds where the file says nothing. */
const usual = { default: hour, min: 5 * minute, max: day, keep: 30 * day } as const;

/** The site of `draft`; `options` holds what {@link optionsAt} made of each place with options. */
export function siteOf(
  draft: Draft,
  never: ReadonlyMap<NetworkDraft, readonly Never[]>,
  options: ReadonlyMap<Place, OptionSet>,
): Site {
  const network = (one: NetworkDraft): Network => ({
    name: one.name ?? '',
    vrf: one.vrf,
    prefixes: one.prefixes.map(({ value }) => value),
    gateways: one.gateways.map(({ value }) => value),
    pools: one.pools.map(({ value }) => value),
    never: merged((never.get(one) ?? []).map(({ range }) => range)),
    relays: one.relays?.map(({ value }) => value),
    allocation: one.allocation,
    unknown: one.unknown,
    roaming: one.roaming,
    identity: one.identity,
    lease: timesOf(one.lease, draft.lease),
    options4: new Map([...(options.get(draft.options) ?? []), ...(options.get(one.options) ?? [])]),
  });
  const machineOptions4 = new Map<string, OptionSet>();
  for (const machine of draft.machines) {
    const own = options.get(machine.options);
    if (machine.name !== undefined && own !== undefined && own.size > 0) machineOptions4.set(machine.name, own);
  }
  return {
    networks: draft.networks.map(network),
    serverId: draft.serverId?.value,
    machineOptions4,
    keepInterfaces: draft.keep ?? usual.keep,
  };
}

/** A network's own times, else everyone's, else the usual ones, which give way to those that are written. */
function timesOf(own: LeaseDraft, everyone: LeaseDraft): LeaseTimes {
  const written = {
    default: own.default ?? everyone.default,
    min: own.min ?? everyone.min,
    max: own.max ?? everyone.max,
  };
  const min = written.min ?? Math.min(usual.min, written.default ?? usual.min, written.max ?? usual.min);
  const max = written.max ?? Math.max(usual.max, written.default ?? usual.max, min);
  return { min, max, default: written.default ?? Math.min(Math.max(usual.default, min), max) };
}
