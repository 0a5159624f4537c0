// Random histories of the small world that setups.ts makes: edits, restarts, every message kind, and waits that fall on, before
// and after the times that matter. Small, so that everybody meets everybody.
import fc from 'fast-check';
import { macArb, mostly, named, nowhere, setupArb } from './setups.js';
import type { Request, Setup } from './system.js';

/**
 * An address that a step names: one as it is; `last`, the one that the MAC was offered or acknowledged last on that network; or
 * `last elsewhere`, the same of the other network.
 */
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

const waitArb = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(0, 1, 1000, 10_000) },
  { weight: 3, arbitrary: fc.constantFrom(30_000 - 1, 30_000, minute - 1, minute, 5 * minute) },
  { weight: 2, arbitrary: fc.constantFrom(10 * minute - 1, 10 * minute, 30 * minute, hour - 1, hour, 3 * hour) },
);

const networkNameArb = fc.constantFrom<'a' | 'b'>('a', 'a', 'b');

/** An address as a client names it: mostly the last it was given, else one of the network, of the other one, or of none. */
function namedArb(network: 'a' | 'b'): fc.Arbitrary<Named> {
  const other = network === 'a' ? 'b' : 'a';
  return fc.oneof(
    { weight: 8, arbitrary: fc.constant('last') },
    { weight: 4, arbitrary: fc.constantFrom(...named[network]) },
    { weight: 1, arbitrary: fc.constantFrom('last elsewhere', ...named[other], nowhere) },
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

interface Session {
  readonly mac: string;
  readonly other: string;
  readonly network: 'a' | 'b';
  readonly wait: number;
  readonly setup: Setup;
}

/** Steps of one client that belong together: what single steps come to too seldom. */
const sessions: readonly ((session: Session) => Step[])[] = [
  (it) => [dora(it, 0), { ...who(it), do: 'release', address: 'last' }],
  (it) => [dora(it, 0), { ...who(it), do: 'decline', address: 'last' }],
  (it) => [dora(it, 0), ask(it, { kind: 'renew', ciaddr: 'last' })],
  (it) => [dora(it, 0), ask(it, { kind: 'init-reboot', address: 'last' })],
  (it) => [dora(it, 0), { ...away(it), do: 'release', address: 'last elsewhere' }, discover(it, it.other)],
  (it) => [dora(it, 0), { ...away(it), do: 'request', request: { kind: 'renew', ciaddr: 'last elsewhere' } }],
  // An offer, and what may come between it and its REQUEST.
  (it) => [discover(it), ask(it, { kind: 'selecting', address: 'last', serverIsUs: false }), discover(it, it.other)],
  (it) => [discover(it), { wait: 0, do: 'edit', setup: it.setup }, ask(it, selecting)],
  (it) => [discover(it), { wait: 0, do: 'edit', setup: it.setup }, discover(it), ask(it, selecting)],
  (it) => [discover(it), { wait: 0, do: 'restart' }, discover(it, it.other), ask(it, selecting)],
  (it) => [discover(it), { ...discover(it), wait: minute - 1 }, { ...discover(it, it.other), wait: it.wait }],
  // A DECLINE, and what is remembered of it.
  (it) => [...declined(it, 0), { wait: 0, do: 'restart' }, dora(it, 0)],
  (it) => [...declined(it, 0), { ...discover(it, it.other, 'last'), wait: it.wait }, dora(it, 0)],
  (it) => [...declined(it, 0), { ...who(it), wait: 10_000, do: 'decline', address: 'last' }, dora(it, 25_000)],
  // A minute is longer than a probation, and four of them are well within an hour; the last may fall on its end.
  (it) => [minute, minute, minute, minute].flatMap((wait) => declined(it, wait)),
  (it) => [0, 5 * minute, 5 * minute, 50 * minute - 1, 1].flatMap((wait) => declined(it, wait)),
  (it) => [
    ...[0, minute, minute].flatMap((wait) => declined(it, wait)),
    { wait: 0, do: 'restart' },
    ...declined(it, minute),
  ],
];

const selecting: Request = { kind: 'selecting', address: 'last', serverIsUs: true };

function who({ mac, network, wait }: Session): { mac: string; network: string; wait: number } {
  return { mac, network, wait };
}

/** The same client seen on the other network. */
function away(it: Session): { mac: string; network: string; wait: number } {
  return { ...who(it), network: it.network === 'a' ? 'b' : 'a' };
}

function discover(it: Session, mac = it.mac, wanted?: Named): Step {
  return { mac, network: it.network, wait: 0, do: 'discover', wanted };
}

function dora({ mac, network }: Session, wait: number): Step {
  return { mac, network, wait, do: 'dora' };
}

function ask(it: Session, request: Request): Step {
  return { ...who(it), do: 'request', request };
}

function declined(it: Session, wait: number): Step[] {
  return [dora(it, wait), { ...who(it), wait: 0, do: 'decline', address: 'last' }];
}

const sessionArb: fc.Arbitrary<Step[]> = fc
  .tuple(
    fc.constantFrom(...sessions),
    fc.record({ mac: macArb, other: macArb, network: networkNameArb, wait: waitArb, setup: setupArb }),
  )
  .map(([session, it]) => session(it));

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
