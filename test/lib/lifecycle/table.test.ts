// The contract's table: total, as the contract's text says in every cell that it decides, and true of what the server journals.
import { expect } from 'chai';
import fc from 'fast-check';
import type { Event, Policy, State } from '../../../lib/lifecycle/policy.js';
import { events, policies, states } from '../../../lib/lifecycle/policy.js';
import { stateOf, step } from '../../../lib/lifecycle/step.js';
import { steps, table, whenReserved } from '../../../lib/lifecycle/table.js';
import type { Owner } from '../../../lib/net/ids.js';
import { historyArb } from '../../model/histories.js';
import { runHistory } from '../../model/compare.js';
import { Product } from '../../model/product.js';
import type { Served } from '../../support/served.js';

/** What a cell must come to, in words: what the pin does, what binding stands, which address, what becomes of the former one. */
type Row = readonly [
  policy: Policy | readonly Policy[],
  state: State | readonly State[],
  event: Event | readonly Event[],
  comes: string,
];

const all = policies;
const kept = ['retained', 'preserved'] as const;
const bound = ['leased', 'static'] as const;

/** Written from the contract's text, row by row, without the table at hand. */
const rows: readonly Row[] = [
  // "pinned when", "address", "binding"
  ['dynamic', 'eligible', 'request', 'make pin, lease, choose'],
  ['fixed', 'eligible', ['request', 'materialise'], 'make pin, static, declared'],
  [kept, 'eligible', 'request', 'make pin, static, choose'],
  ['operator', 'eligible', 'assign', 'make pin, static, given'],
  [['dynamic', ...kept], 'eligible', 'materialise', 'nothing'],
  // "Not eligible, binding exists: serve the binding"
  [all, 'leased', ['request', 'materialise', 'renew'], 'keep pin, keep binding, held'],
  [['fixed', ...kept, 'operator'], 'static', ['request', 'materialise', 'renew'], 'keep pin, keep binding, held'],
  // "Not eligible, binding gone: ordinary dynamic allocation", and no reconcile pass brings the declared address back
  [all, 'ended', 'request', 'keep pin, lease, choose'],
  [all, 'ended', 'materialise', 'nothing'],
  // "lease end passes"
  [all, 'leased', 'end', 'keep pin, no binding, former free'],
  [['fixed', ...kept, 'operator'], 'static', 'end', 'never'],
  // "RELEASE from the client"
  [all, 'leased', 'release', 'keep pin, no binding, former free'],
  [['fixed', ...kept, 'operator'], 'static', 'release', 'keep pin, keep binding, held'],
  // "DECLINE from the client"
  [all, 'leased', 'decline', 'keep pin, no binding, former quarantine'],
  [['fixed', 'operator'], 'static', 'decline', 'keep pin, keep binding, held, former probation'],
  [kept, 'static', 'decline', 'keep pin, static, choose, former quarantine'],
  // "interface deleted"
  [['fixed', 'retained', 'operator'], bound, 'delete', 'drop pin, no binding, former cool'],
  ['dynamic', 'leased', 'delete', 'drop pin, no binding, former cool'],
  ['preserved', 'static', 'delete', 'drop pin, no binding, former park'],
  [all, 'ended', 'delete', 'drop pin, no binding'],
  // "Operator assigns X, declaration says fixed Y: X"; "Operator removes X: pin stays, dynamic from now on"
  [all, 'eligible', 'assign', 'make pin, static, given'],
  [all, 'leased', 'assign', 'replace pin, static, given, former cool'],
  [['fixed', ...kept, 'operator'], 'static', 'assign', 'replace pin, static, given, former cool'],
  [all, 'ended', 'assign', 'replace pin, static, given'],
  [['fixed', ...kept, 'operator'], 'static', 'unassign', 'keep pin, no binding, former cool'],
  // "reset: pin and binding are replaced, the old address cools; it never parks"
  ['dynamic', bound, 'reset', 'replace pin, lease, choose, former cool'],
  ['fixed', bound, 'reset', 'replace pin, static, declared, former cool'],
  [kept, bound, 'reset', 'replace pin, static, choose, former cool'],
  // What is not bound cannot be renewed, end, be given back or declined
  [all, ['eligible', 'ended'], ['renew', 'end', 'release', 'decline'], 'never'],
  // A pin is replaced whenever its binding becomes static, so there is no dynamic static; only a reset meets one by the file's word
  [
    'dynamic',
    'static',
    ['request', 'materialise', 'renew', 'end', 'release', 'decline', 'assign', 'unassign', 'delete'],
    'never',
  ],
  // Nothing can be declared `operator`
  ['operator', 'eligible', ['request', 'materialise'], 'never'],
  ['operator', ['leased', 'static', 'ended'], 'reset', 'never'],
];

function words(policy: Policy, state: State, event: Event): string {
  const cell = table[policy][state][event];
  if (cell === 'never') return 'never';
  const { pin, binding, address, former } = steps[cell];
  if (pin === 'none') return 'nothing';
  const bindings = { none: 'no binding', keep: 'keep binding', lease: 'lease', static: 'static' };
  const said = [
    `${pin} pin`,
    bindings[binding],
    address === 'none' ? '' : address,
    former === 'none' ? '' : `former ${former}`,
  ];
  return said.filter((word) => word !== '').join(', ');
}

const list = <T>(one: T | readonly T[]): readonly T[] => (Array.isArray(one) ? (one as readonly T[]) : [one as T]);

describe('the contract as a table', () => {
  it('is total over policy, state and event', () => {
    for (const policy of policies)
      for (const state of states)
        for (const event of events) {
          const cell = table[policy][state][event];
          expect(cell === 'never' || cell in steps, `${policy}, ${state}, ${event}`).to.be.true;
        }
    expect(Object.keys(table)).to.have.members([...policies]);
  });

  for (const [policy, state, event, comes] of rows)
    it(`${list(policy).join('|')} ${list(state).join('|')}, ${list(event).join('|')} → ${comes}`, () => {
      for (const p of list(policy))
        for (const s of list(state))
          for (const e of list(event)) expect(words(p, s, e), `${p}, ${s}, ${e}`).to.equal(comes);
    });

  it('`reset` never parks, whatever is pinned', () => {
    for (const policy of policies)
      for (const state of states) expect(words(policy, state, 'reset')).not.to.include('park');
  });

  it('a step that makes or replaces a pin has an address, one that drops it has none', () => {
    for (const { pin, address, binding } of Object.values(steps)) {
      if (pin === 'make' || pin === 'replace') expect([address, binding]).not.to.include('none');
      if (pin === 'drop' || pin === 'none') expect([address, binding]).to.deep.equal(['none', 'none']);
    }
  });

  it('a network with `allocation: reserved` serves fixed, operator, and preserved if parked', () => {
    expect(whenReserved).to.deep.equal({
      dynamic: 'refused',
      fixed: 'served',
      retained: 'refused',
      preserved: 'served-if-parked',
      operator: 'served',
    });
  });

  it('a resource is eligible if and only if it has no pin', () => {
    expect(stateOf(false, undefined)).to.equal('eligible');
    expect(stateOf(true, undefined)).to.equal('ended');
    expect(stateOf(true, 'lease')).to.equal('leased');
    expect(stateOf(true, 'static')).to.equal('static');
  });

  it('a step that the contract does not have is a defect of the caller', () => {
    expect(() => step('dynamic', 'eligible', 'release')).to.throw(/no step for dynamic, eligible, release/);
  });
});

/** One row of the journal as a step: the policy pinned, the state before, the event, and the binding after. */
interface Journaled {
  readonly policy: Policy;
  readonly state: State;
  readonly event: Event;
  readonly after: 'lease' | 'static' | 'none';
}

interface Told {
  readonly kind?: 'lease' | 'static';
  readonly pin?: Policy;
}

/** The rows of one owner that are steps of the contract; the second half of a move (a new address after a DECLINE) belongs to the first. */
function journaled(server: Served, owner: Owner): readonly Journaled[] {
  return server.store
    .history({ owner })
    .filter(({ event }) => (events as readonly string[]).includes(event))
    .flatMap(({ event, before: was, after: is }) => {
      const before = was === null ? undefined : (JSON.parse(was) as Told);
      const after = is === null ? undefined : (JSON.parse(is) as Told);
      if (event === 'decline' && before?.kind === undefined) return [];
      const policy = before?.pin ?? after?.pin ?? expect.fail('a row without a pin');
      const state = stateOf(before?.pin !== undefined, before?.kind);
      return [{ policy, state, event: event as Event, after: after?.kind ?? 'none' }];
    });
}

describe('the contract in random histories', function () {
  this.timeout(300_000);

  it('no history comes to a `never` cell, and what is journaled is what the table says', async () => {
    const seen = new Set<string>();
    const property = fc.asyncProperty(historyArb(40), async (history) => {
      let server: Served | undefined;
      const product = new Product(':memory:', (served) => (server = served));
      await runHistory(history, product);
      if (server === undefined) return expect.fail('no history without an edit');
      expect(server.defects).to.deep.equal([]);
      for (let last = 1; last <= 6; last++) {
        for (const { policy, state, event, after } of journaled(server, `02:00:00:00:00:0${last}` as Owner)) {
          seen.add(`${state} ${event}`);
          const { binding } = step(policy, state, event);
          // A retained address that is declined moves only where another is free; the first row of a move says none.
          if (event === 'decline' && binding === 'static') expect(after).to.equal('none');
          else expect(after, `${policy}, ${state}, ${event}`).to.equal(binding === 'keep' ? 'static' : binding);
        }
      }
      product.close();
    });
    await fc.assert(property, { numRuns: 120 });
    expect([...seen]).to.include.members([
      'eligible request',
      'eligible materialise',
      'ended request',
      'leased end',
      'leased release',
      'leased decline',
      'static release',
      'static decline',
    ]);
  });
});
