// Random configurations of a small world: two networks with pools of a few addresses, six MACs, policies, guards and aliases.
import fc from 'fast-check';
import { isIn, isNeverGiven } from './naive.js';
import type { Declaration, Network, Setup } from './system.js';

/** Addresses that no history names or gives, free for a server, a relay or a link of the adapter in the first and second network. */
export const spare = { a: '10.20.0.14', b: '10.30.0.2' } as const;

const minute = 60_000;
const hour = 60 * minute;

const m1 = '02:00:00:00:00:01';
const m2 = '02:00:00:00:00:02';
const m3 = '02:00:00:00:00:03';
const m4 = '02:00:00:00:00:04';
const m5 = '02:00:00:00:00:05';
const m6 = '02:00:00:00:00:06';

/** Every MAC of the histories; the declared ones oftener. */
export const macArb = fc.constantFrom(m1, m1, m2, m2, m3, m4, m5, m6);

/** Addresses of each network that clients ask for: in pools, fixed, a gateway, the edges of the prefix. */
export const named = {
  a: ['10.20.0.2', '10.20.0.3', '10.20.0.4', '10.20.0.6', '10.20.0.9', '10.20.0.1', '10.20.0.0', '10.20.0.15'],
  b: ['10.30.0.4', '10.30.0.5', '10.30.0.6', '10.30.0.3', '10.30.0.1', '10.30.0.7'],
} as const;
/** In no network. */
export const nowhere = '192.0.2.9';

function networkArb(name: 'a' | 'b', prefix: string, gateways: string[], pools: string[][]): fc.Arbitrary<Network> {
  return fc.record({
    name: fc.constant(name),
    prefix: fc.constant(prefix),
    gateway: fc.option(fc.constantFrom(...gateways), { nil: undefined }),
    pools: fc.constantFrom(...pools),
    reserved: fc.oneof({ weight: 4, arbitrary: fc.constant([]) }, fc.constantFrom(...named[name].map((one) => [one]))),
    allocation: mostly<Network['allocation']>('dynamic', 'reserved'),
    unknown: mostly<Network['unknown']>('allow', 'ignore'),
    roaming: mostly<Network['roaming']>('allow', 'ignore'),
    lease: fc.constantFrom(hour, 10 * minute).map((time) => ({ default: time, min: 5 * minute, max: 24 * hour })),
  });
}

/** `usual` five times out of six. */
export function mostly<T>(usual: T, rare: T): fc.Arbitrary<T> {
  return fc.oneof({ weight: 5, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constant(rare) });
}

const networksArb = fc.tuple(
  networkArb(
    'a',
    '10.20.0.0/28',
    ['10.20.0.1', '10.20.0.3'],
    [
      ['10.20.0.2-10.20.0.4'],
      ['10.20.0.2-10.20.0.3'],
      ['10.20.0.0-10.20.0.3'],
      ['10.20.0.6-10.20.0.7', '10.20.0.2'],
      ['10.20.0.15', '10.20.0.3-10.20.0.4'],
      [],
    ],
  ),
  networkArb(
    'b',
    '10.30.0.0/29',
    ['10.30.0.1', '10.30.0.5'],
    [['10.30.0.4-10.30.0.5'], ['10.30.0.5-10.30.0.7'], ['10.30.0.6', '10.30.0.3-10.30.0.4']],
  ),
);

const ipv4Arb: fc.Arbitrary<Declaration['ipv4']> = fc.oneof(
  fc.record({ policy: fc.constantFrom<'dynamic' | 'retained' | 'preserved'>('dynamic', 'retained', 'preserved') }),
  fc.record({
    policy: fc.constant('fixed' as const),
    address: fc.constantFrom(
      '10.20.0.2',
      '10.20.0.3',
      '10.20.0.9',
      '10.20.0.10',
      '10.30.0.4',
      '10.30.0.3',
      '10.30.0.6',
      nowhere,
    ),
  }),
);

const declarationArb = fc.record({
  macs: fc.constantFrom<string[]>([m1], [m2], [m3], [m4], [m1, m5], [m5, m1], [m2, m6, m3], [m5], [m6]),
  ipv4: ipv4Arb,
  network: fc.oneof(
    { weight: 5, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.constantFrom('a', 'b') },
  ),
});

/** Whether a guard, where there is one, names the network of the fixed address. */
function guardReaches({ networks }: Setup, guard: string | undefined, address: string): boolean {
  return networks.every(({ name, prefix }) => name !== guard || isIn(prefix, address));
}

/**
 * Setups that the configuration's checks accept: what they refuse (a MAC or a fixed address twice, a fixed one never to be given or not in
 * the network of its guard) is left out.
 */
export const setupArb: fc.Arbitrary<Setup> = fc
  .record({ networks: networksArb, declarations: fc.array(declarationArb, { maxLength: 5 }) })
  .map(({ networks, declarations }) => {
    const accepted: Declaration[] = [];
    for (const one of declarations) {
      const setup = { networks, declarations: accepted };
      if (accepted.some((other) => other.macs.some((mac) => one.macs.includes(mac)))) continue;
      if (one.ipv4.policy === 'fixed' && isNeverGiven(setup, one.ipv4.address)) continue;
      if (one.ipv4.policy === 'fixed' && !guardReaches(setup, one.network, one.ipv4.address)) continue;
      accepted.push({ machine: `node${accepted.length + 1}`, ...one });
    }
    return { networks, declarations: accepted };
  });

/** A setup as a person reads it, one line a network and a declaration. */
export function formatSetup(setup: Setup): string[] {
  const networks = setup.networks.map((net) => {
    const unusual = [
      net.allocation === 'reserved' ? ' allocation: reserved' : '',
      net.unknown === 'ignore' ? ' unknown: ignore' : '',
      net.roaming === 'ignore' ? ' roaming: ignore' : '',
    ].join('');
    const reserved = net.reserved.length === 0 ? '' : ` reserved ${net.reserved.join(', ')}`;
    const pools = `pools ${net.pools.join(', ') || 'none'}`;
    return `network ${net.name} ${net.prefix} gateway ${net.gateway ?? 'none'} ${pools}${reserved}${unusual} lease ${formatTime(net.lease.default)}`;
  });
  const declarations = setup.declarations.map(({ macs: list, ipv4, network }) => {
    const address = ipv4.policy === 'fixed' ? ` ${ipv4.address}` : '';
    return `declare ${list.join(' + ')} ${ipv4.policy}${address}${network === undefined ? '' : ` only in ${network}`}`;
  });
  return [...networks, ...declarations];
}

/** Milliseconds as hours, minutes, seconds and what is left. */
export function formatTime(ms: number): string {
  const two = (n: number): string => String(n).padStart(2, '0');
  const text = `${Math.floor(ms / hour)}:${two(Math.floor(ms / minute) % 60)}:${two(Math.floor(ms / 1000) % 60)}`;
  return ms % 1000 === 0 ? text : `${text}.${String(ms % 1000).padStart(3, '0')}`;
}
