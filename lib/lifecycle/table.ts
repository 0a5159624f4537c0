// The lifecycle contract as data: policy x state x event -> step, total, one word a cell.
import type { Event, Policy, State } from './policy.js';

/**
 * What a step does.
 * - `pin`: `make` one (the resource was eligible), `keep`, `replace` (policy and provenance become new ones), `drop`; `none`: there is
 *   none and none is made.
 * - `binding`: what stands afterwards: a `lease`, a `static`, `none`, or `keep` what stands.
 * - `address`: `choose` by the order of choice, the `declared` one, the `given` one (operator), `held` the same as before, `none`.
 * - `former`: what becomes of the address that was held: `none` was held or it is kept, `free`, `cool` until the client's time is over
 *   (nobody but the former owner of a deleted interface may retake it), `quarantine`, `probation` (its own owner retries it), `park`.
 */
export interface Step {
  readonly pin: 'none' | 'make' | 'keep' | 'replace' | 'drop';
  readonly binding: 'none' | 'lease' | 'static' | 'keep';
  readonly address: 'none' | 'choose' | 'declared' | 'given' | 'held';
  readonly former: 'none' | 'free' | 'cool' | 'quarantine' | 'probation' | 'park';
}

/** The steps that a cell may name. */
export const steps = {
  /** Nothing is there that the event could touch. */
  nothing: { pin: 'none', binding: 'none', address: 'none', former: 'none' },
  /** What stands is not touched. */
  stays: { pin: 'keep', binding: 'keep', address: 'held', former: 'none' },
  /** The first commit of a leasing policy. */
  leaseFirst: { pin: 'make', binding: 'lease', address: 'choose', former: 'none' },
  /** The first commit of a policy that keeps what it chose. */
  keepFirst: { pin: 'make', binding: 'static', address: 'choose', former: 'none' },
  /** The first commit of a declared address. */
  fixFirst: { pin: 'make', binding: 'static', address: 'declared', former: 'none' },
  /** The pin outlived its address: ordinary dynamic allocation. */
  leaseAgain: { pin: 'keep', binding: 'lease', address: 'choose', former: 'none' },
  /** The address goes, the pin stays. */
  ends: { pin: 'keep', binding: 'none', address: 'none', former: 'free' },
  /** The client found the address in use: it goes into quarantine, the pin stays, the next request gets another. */
  loses: { pin: 'keep', binding: 'none', address: 'none', former: 'quarantine' },
  /** As above, but another address is bound at once under the same pin. */
  moves: { pin: 'keep', binding: 'static', address: 'choose', former: 'quarantine' },
  /** The address is the only right one: it is tried again after a short while. */
  retries: { pin: 'keep', binding: 'keep', address: 'held', former: 'probation' },
  /** A person gives an address by hand. */
  assignFirst: { pin: 'make', binding: 'static', address: 'given', former: 'none' },
  assignNew: { pin: 'replace', binding: 'static', address: 'given', former: 'cool' },
  assignAgain: { pin: 'replace', binding: 'static', address: 'given', former: 'none' },
  /** A person takes an address away: dynamic from now on, under the pin that is there. */
  unassigned: { pin: 'keep', binding: 'none', address: 'none', former: 'cool' },
  /** `reset` under a declaration that leases, keeps what it chose, or names an address; where the declaration permits the held
   * address it stays and nothing cools (that is for the caller to see, who knows the address). */
  resetLease: { pin: 'replace', binding: 'lease', address: 'choose', former: 'cool' },
  resetKeep: { pin: 'replace', binding: 'static', address: 'choose', former: 'cool' },
  resetFix: { pin: 'replace', binding: 'static', address: 'declared', former: 'cool' },
  /** The interface is deleted. */
  deleted: { pin: 'drop', binding: 'none', address: 'none', former: 'cool' },
  deletedParked: { pin: 'drop', binding: 'none', address: 'none', former: 'park' },
  deletedEmpty: { pin: 'drop', binding: 'none', address: 'none', former: 'none' },
} as const satisfies Record<string, Step>;

/** A cell: a step by name, or `never` where the state cannot meet the event (reaching it is a defect of ours). */
export type Cell = keyof typeof steps | 'never';

type Row = Readonly<Record<Event, Cell>>;

/** What is the same for every policy while nothing is bound. */
const unbound = { renew: 'never', end: 'never', release: 'never', decline: 'never' } as const;

/** A pin without an address: whatever its policy was, ordinary dynamic allocation serves it. */
const ended: Row = {
  ...unbound,
  request: 'leaseAgain',
  materialise: 'nothing',
  assign: 'assignAgain',
  unassign: 'nothing',
  reset: 'resetLease',
  delete: 'deletedEmpty',
};

/** A lease is a lease under any pin: dynamic, or another whose first address is gone. */
const leased: Row = {
  request: 'stays',
  materialise: 'stays',
  renew: 'stays',
  end: 'ends',
  release: 'ends',
  decline: 'loses',
  assign: 'assignNew',
  unassign: 'unassigned',
  reset: 'resetLease',
  delete: 'deleted',
};

const fixed: Row = {
  request: 'stays',
  materialise: 'stays',
  renew: 'stays',
  end: 'never',
  release: 'stays',
  decline: 'retries',
  assign: 'assignNew',
  unassign: 'unassigned',
  reset: 'resetFix',
  delete: 'deleted',
};

const eligible = {
  ...unbound,
  assign: 'assignFirst',
  unassign: 'nothing',
  reset: 'nothing',
  delete: 'nothing',
} as const;

/** No row of a static under `dynamic` exists: a pin is replaced whenever its binding becomes static. */
const never: Row = {
  request: 'never',
  materialise: 'never',
  renew: 'never',
  end: 'never',
  release: 'never',
  decline: 'never',
  assign: 'never',
  unassign: 'never',
  reset: 'never',
  delete: 'never',
};

/**
 * The contract. The policy is the pinned one; for an `eligible` resource, and for `reset` everywhere, it is the one that the current
 * declaration gives (`dynamic` for the undeclared).
 */
export const table: Readonly<Record<Policy, Readonly<Record<State, Row>>>> = {
  dynamic: {
    eligible: { ...eligible, request: 'leaseFirst', materialise: 'nothing' },
    leased,
    static: { ...never, reset: 'resetLease' },
    ended,
  },
  fixed: {
    eligible: { ...eligible, request: 'fixFirst', materialise: 'fixFirst' },
    leased: { ...leased, reset: 'resetFix' },
    static: fixed,
    ended: { ...ended, reset: 'resetFix' },
  },
  retained: {
    eligible: { ...eligible, request: 'keepFirst', materialise: 'nothing' },
    leased: { ...leased, reset: 'resetKeep' },
    static: { ...fixed, decline: 'moves', reset: 'resetKeep' },
    ended: { ...ended, reset: 'resetKeep' },
  },
  preserved: {
    eligible: { ...eligible, request: 'keepFirst', materialise: 'nothing' },
    leased: { ...leased, reset: 'resetKeep' },
    static: { ...fixed, decline: 'moves', reset: 'resetKeep', delete: 'deletedParked' },
    ended: { ...ended, reset: 'resetKeep' },
  },
  operator: {
    // Nothing can be declared `operator`, so no resource is eligible under it but for the verb that makes it.
    eligible: { ...eligible, request: 'never', materialise: 'never' },
    leased: { ...leased, reset: 'never' },
    static: { ...fixed, reset: 'never' },
    ended: { ...ended, reset: 'never' },
  },
};

/** What a network with `allocation: reserved` says to a new binding under each policy. */
export const whenReserved: Readonly<Record<Policy, 'refused' | 'served' | 'served-if-parked'>> = {
  dynamic: 'refused',
  fixed: 'served',
  retained: 'refused',
  preserved: 'served-if-parked',
  operator: 'served',
};
