// What spans the fields of a network, and what spans networks.
import type { Ip } from '../net/ip.js';
import { familyOf, formatIp } from '../net/ip.js';
import type { Prefix, Range } from '../net/prefix.js';
import { contains, covers, formatPrefix, formatRange, overlaps } from '../net/prefix.js';
import type { Draft, LeaseDraft, NetworkDraft, Written } from './draft.js';
import { rawAt } from './draft.js';
import type { Never } from './never.js';
import type { Notebook } from './place.js';
import { lineOf, under } from './place.js';
import { nearest } from './suggest.js';
import { formatDuration } from './words.js';

/** Notes what is wrong within and between networks; `never` holds what {@link neverOf} says of each. */
export function checkNetworks(draft: Draft, never: ReadonlyMap<NetworkDraft, readonly Never[]>, notes: Notebook): void {
  if (draft.networks.length === 0 && draft.whole && !meantSome(draft)) {
    notes.mistake(
      under(draft.main, 'networks'),
      'no network is declared, so nobody would be served; write one item a network, beginning with `- name: `',
    );
  }
  checkNames(draft.networks, notes);
  checkPrefixes(draft.networks, notes);
  checkLease(draft.lease, undefined, notes);
  for (const network of draft.networks) {
    checkInside(network, notes);
    checkGateways(network, never.get(network) ?? [], notes);
    checkPools(network, notes);
    checkDelegate(network, notes);
    checkLease(network.lease, draft.lease, notes);
  }
}

/** Whether the file has networks that could not be read, or under a key that is written wrong. */
function meantSome({ main }: Draft): boolean {
  const raw = rawAt(under(main, 'networks'));
  if (raw !== undefined) return !Array.isArray(raw);
  return Object.keys(rawAt(main) ?? {}).some((key) => nearest(key, ['networks']) !== undefined);
}

function checkNames(networks: readonly NetworkDraft[], notes: Notebook): void {
  const first = new Map<string, NetworkDraft>();
  for (const network of networks) {
    if (network.name === undefined) continue;
    const earlier = first.get(network.name);
    const place = under(network.place, 'name');
    if (earlier === undefined) first.set(network.name, network);
    else {
      const line = lineOf(under(earlier.place, 'name'), place);
      notes.mistake(place, `another network is called ${network.name} too (${line}); give each a name of its own`);
    }
  }
}

interface Held {
  readonly network: NetworkDraft;
  readonly prefix: Written<Prefix>;
  /** Its turn in the files. */
  readonly turn: number;
}

/** Sweeps the prefixes of each VRF in order, so that thousands of networks cost no more than sorting them. */
function checkPrefixes(networks: readonly NetworkDraft[], notes: Notebook): void {
  const byVrf = new Map<string, Held[]>();
  let turn = 0;
  for (const network of networks) {
    for (const prefix of network.prefixes) {
      const key = `${network.vrf} ${familyOf(prefix.value.first)}`;
      const all = byVrf.get(key) ?? [];
      all.push({ network, prefix, turn: turn++ });
      byVrf.set(key, all);
    }
  }
  for (const all of byVrf.values()) {
    all.sort(({ prefix: { value: a } }, { prefix: { value: b } }) =>
      a.first < b.first ? -1 : a.first > b.first ? 1 : a.length - b.length,
    );
    // Prefixes are disjoint or one holds the other, so the widest so far is the only one to compare with.
    let wide = all[0];
    for (const here of all.slice(1)) {
      if (wide !== undefined && overlaps(wide.prefix.value, here.prefix.value)) noteOverlap(wide, here, notes);
      else wide = here;
    }
  }
}

function noteOverlap(one: Held, two: Held, notes: Notebook): void {
  const [first, second] = one.turn < two.turn ? [one, two] : [two, one];
  const same = first.network === second.network;
  const owner = same ? 'the same network' : `network ${first.network.name ?? '(without name)'}`;
  const line = lineOf(first.prefix.place, second.prefix.place);
  const right = same ? 'remove one of the two' : 'set them apart, or give one of the networks a `vrf` of its own';
  notes.mistake(
    second.prefix.place,
    `${formatPrefix(second.prefix.value)} overlaps ${formatPrefix(first.prefix.value)} of ${owner} (${line}); ${right}`,
  );
}

function prefixesOf(network: NetworkDraft): string {
  return network.prefixes.map(({ value }) => formatPrefix(value)).join(', ');
}

function checkInside(network: NetworkDraft, notes: Notebook): void {
  if (!network.whole) return;
  const check = (items: readonly Written<Range>[], noun: string): void => {
    for (const { value, place } of items) {
      if (network.prefixes.some((prefix) => covers(prefix.value, value))) continue;
      const touching = network.prefixes.find((prefix) => overlaps(prefix.value, value));
      const text =
        touching === undefined
          ? `${noun} ${formatRange(value)} lies in none of the prefixes of this network; write it within ${prefixesOf(network)}`
          : `${noun} ${formatRange(value)} runs out of ${formatPrefix(touching.value)}; write it within ${formatRange(touching.value)}`;
      notes.mistake(place, text);
    }
  };
  check(network.pools, 'the pool');
  check(network.reserved, 'the reserved range');
}

function checkGateways(network: NetworkDraft, never: readonly Never[], notes: Notebook): void {
  const seen = new Map<Ip, Written<Ip>>();
  for (const gateway of network.gateways) {
    const { value, place } = gateway;
    const shown = formatIp(value);
    if (network.whole && !network.prefixes.some((prefix) => contains(prefix.value, value))) {
      notes.mistake(
        place,
        `the gateway ${shown} lies in none of the prefixes of this network; write one within ${prefixesOf(network)}`,
      );
    }
    const useless = never.find(({ range, what }) => /network address|broadcast/.test(what) && contains(range, value));
    if (useless !== undefined) {
      notes.mistake(place, `the gateway ${shown} is ${useless.what}; write the address that the router has`);
    }
    if (seen.has(value)) notes.mistake(place, `the gateway ${shown} stands here twice; remove one of the two`);
    seen.set(value, gateway);
  }
}

function checkPools(network: NetworkDraft, notes: Notebook): void {
  network.pools.forEach((pool, index) => {
    const other = network.pools.slice(0, index).find((earlier) => overlaps(earlier.value, pool.value));
    if (other === undefined) return;
    const line = lineOf(other.place, pool.place);
    notes.mistake(
      pool.place,
      `the pool ${formatRange(pool.value)} overlaps ${formatRange(other.value)} (${line}); set them apart, or join them into one`,
    );
  });
  const serves4 = network.prefixes.some(({ value }) => familyOf(value.first) === 'ipv4');
  const asked = network.unknown === 'allow' && network.allocation === 'dynamic';
  const pools4 = network.pools.some(({ value }) => familyOf(value.first) === 'ipv4');
  const raw = rawAt(under(network.place, 'pools'));
  const readable = raw === undefined || network.pools.length === (Array.isArray(raw) ? raw.length : 1);
  if (serves4 && asked && network.whole && readable && !pools4) {
    notes.warn(
      under(network.place, 'name'),
      'this network has no IPv4 pool, so only fixed addresses are served; write `pools`, or `allocation: reserved` if that is meant',
    );
  }
}

function checkDelegate(network: NetworkDraft, notes: Notebook): void {
  if (network.delegate === undefined) return;
  const { place, prefix, length } = network.delegate;
  if (familyOf(prefix.first) === 'ipv4') {
    notes.mistake(
      under(place, 'prefix'),
      `${formatPrefix(prefix)} is IPv4, and prefixes are delegated in IPv6 only; write one such as "fd00:2000::/40"`,
    );
  } else if (length < prefix.length) {
    notes.mistake(
      under(place, 'length'),
      `a delegated prefix of length ${length} does not fit into ${formatPrefix(prefix)}; write a length from ${prefix.length} to 128`,
    );
  }
}

/** Times are compared as far as they are written: what is not written gives way (see site.ts). */
function checkLease(lease: LeaseDraft, everyone: LeaseDraft | undefined, notes: Notebook): void {
  const timeOf = (key: 'min' | 'default' | 'max'): number | undefined => lease[key] ?? everyone?.[key];
  const order = (low: 'min' | 'default', high: 'default' | 'max'): void => {
    const [a, b] = [timeOf(low), timeOf(high)];
    const here = lease[low] !== undefined ? low : lease[high] !== undefined ? high : undefined;
    if (here === undefined || a === undefined || b === undefined || a <= b) return;
    notes.mistake(
      under(lease.place, here),
      `${low} ${formatDuration(a)} is longer than ${high} ${formatDuration(b)}; min is the shortest, default between, max the longest`,
    );
  };
  order('min', 'default');
  order('default', 'max');
  if (timeOf('default') === undefined) order('min', 'max');
}
