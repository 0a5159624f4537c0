// Random histories of a small world: two networks with pools of a few addresses, six MACs, edits, restarts, every message kind,
// and waits that fall on, before and after the times that matter. Small, so that everybody meets everybody.
import fc from 'fast-check';
import type { Declaration, Network, Request, Setup } from './system.js';
import { isNeverGiven } from './naive.js';

/** Addresses that no history names or gives, free for a server, a relay or a link of the adapter in the first and second network. */
export const spare = { a: '10.20.0.14', b: '10.30.0.2' } as const;

/** An address that a step names: one as it is, or `last`, the one that the MAC was offered or acknowledged there last. */
export type Named = string;

export type Step = { readonly wait: number } & (
  | { readonly do: 'edit'; readonly setup: Setup }
  | { readonly do: 'discover'; readonly mac: string; readonly network: string; readonly wanted?: Named | undefined }
  /** DISCOVER and, where an address is offered, the REQUEST that takes it. */
  | { readonly do: 'dora'; readonly mac: string; readonly network: string }
  | { readonly do: 'request'; readonly mac: string; readonly network: string; readonly request: Request }
  | {
      readonly do: 'release' | 'decline' | 'inform';
      readonly mac: string;
      readonly network: string;
      readonly address: Named;
    }
  | { readonly do: 'tick' | 'restart' }
);

/** A setup to begin with, and what happens then. */
export interface History {
  readonly first: Setup;
  readonly steps: readonly Step[];
}

const minute = 60_000;
const hour = 60 * minute;

const m1 = '02:00:00:00:00:01';
const m2 = '02:00:00:00:00:02';
const m3 = '02:00:00:00:00:03';
const m4 = '02:00:00:00:00:04';
const m5 = '02:00:00:00:00:05';
const m6 = '02:00:00:00:00:06';

const named = {
  a: ['10.20.0.2', '10.20.0.3', '10.20.0.4', '10.20.0.6', '10.20.0.9', '10.20.0.1', '10.20.0.0', '10.20.0.15'],
  b: ['10.30.0.4', '10.30.0.5', '10.30.0.6', '10.30.0.3', '10.30.0.1', '10.30.0.7'],
} as const;
/** In no network. */
const nowhere = '192.0.2.9';

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

function mostly<T>(usual: T, rare: T): fc.Arbitrary<T> {
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

/** Setups that the configuration's checks accept: what they refuse (a MAC or a fixed address twice, a fixed one never to be given) is left out. */
export const setupArb: fc.Arbitrary<Setup> = fc
  .record({ networks: networksArb, declarations: fc.array(declarationArb, { maxLength: 5 }) })
  .map(({ networks, declarations }) => {
    const accepted: Declaration[] = [];
    for (const one of declarations) {
      const setup = { networks, declarations: accepted };
      if (accepted.some((other) => other.macs.some((mac) => one.macs.includes(mac)))) continue;
      if (one.ipv4.policy === 'fixed' && isNeverGiven(setup, one.ipv4.address)) continue;
      accepted.push({ machine: `node${accepted.length + 1}`, ...one });
    }
    return { networks, declarations: accepted };
  });

const waitArb = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(0, 1, 1000, 10_000) },
  { weight: 3, arbitrary: fc.constantFrom(30_000 - 1, 30_000, minute - 1, minute, 5 * minute) },
  { weight: 2, arbitrary: fc.constantFrom(10 * minute - 1, 10 * minute, 30 * minute, hour - 1, hour, 3 * hour) },
);

const macArb = fc.constantFrom(m1, m1, m2, m2, m3, m4, m5, m6);
const networkNameArb = fc.constantFrom<'a' | 'b'>('a', 'a', 'b');

/** An address as a client names it: mostly the last it was given, else one of the network, of the other one, or of none. */
function namedArb(network: 'a' | 'b'): fc.Arbitrary<Named> {
  const other = network === 'a' ? 'b' : 'a';
  return fc.oneof(
    { weight: 8, arbitrary: fc.constant('last') },
    { weight: 4, arbitrary: fc.constantFrom(...named[network]) },
    { weight: 1, arbitrary: fc.constantFrom(...named[other], nowhere) },
  );
}

function requestArb(network: 'a' | 'b'): fc.Arbitrary<Request> {
  const address = namedArb(network);
  return fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({ kind: fc.constant('selecting' as const), address, serverIsUs: mostly(true, false) }),
    },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('init-reboot' as const), address }) },
    {
      weight: 3,
      arbitrary: fc.record({ kind: fc.constantFrom('renew' as const, 'rebind' as const), ciaddr: address }),
    },
  );
}

const stepArb: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: message('dora', () => fc.constant({})) },
  { weight: 6, arbitrary: message('discover', (network) => optional(namedArb(network)).map((wanted) => ({ wanted }))) },
  { weight: 10, arbitrary: message('request', (network) => requestArb(network).map((request) => ({ request }))) },
  { weight: 3, arbitrary: message('release', (network) => namedArb(network).map((address) => ({ address }))) },
  { weight: 3, arbitrary: message('decline', (network) => namedArb(network).map((address) => ({ address }))) },
  { weight: 1, arbitrary: message('inform', (network) => namedArb(network).map((address) => ({ address }))) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('edit' as const), wait: waitArb, setup: setupArb }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('tick' as const, 'restart' as const), wait: waitArb }) },
);

/** A client that gets an address and then does something with it: what single steps come to too seldom. */
const sessionArb: fc.Arbitrary<Step[]> = fc
  .tuple(
    macArb,
    networkNameArb,
    fc.constantFrom('release', 'decline', 'decline', 'renew', 'init-reboot'),
    waitArb,
    waitArb,
  )
  .map(([mac, network, then, wait, later]) => {
    const who = { wait: later, mac, network };
    const dora: Step = { ...who, wait, do: 'dora' };
    switch (then) {
      case 'release':
      case 'decline':
        return [dora, { ...who, do: then, address: 'last' }];
      case 'renew':
        return [dora, { ...who, do: 'request', request: { kind: 'renew', ciaddr: 'last' } }];
      default:
        return [dora, { ...who, do: 'request', request: { kind: 'init-reboot', address: 'last' } }];
    }
  });

function optional<T>(arb: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return fc.oneof(fc.constant(undefined), arb);
}

/** A step of one client: when, who and where, and `rest`, which may depend on the network. */
function message<D extends string, R extends object>(
  word: D,
  rest: (network: 'a' | 'b') => fc.Arbitrary<R>,
): fc.Arbitrary<{ do: D; wait: number; mac: string; network: string } & R> {
  return networkNameArb.chain((network) =>
    fc
      .tuple(
        fc.record({ do: fc.constant(word), wait: waitArb, mac: macArb, network: fc.constant(network) }),
        rest(network),
      )
      .map(([who, what]) => ({ ...who, ...what })),
  );
}

/** Histories of up to `length` parts, of one or two steps each. */
export function historyArb(length: number): fc.Arbitrary<History> {
  const part = fc.oneof({ weight: 3, arbitrary: stepArb.map((step) => [step]) }, { weight: 1, arbitrary: sessionArb });
  const parts = fc.array(part, { minLength: 1, maxLength: length, size: 'max' });
  return fc.record({ first: setupArb, steps: parts.map((all) => all.flat()) });
}

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
