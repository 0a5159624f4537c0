// Looks a step up in the contract.
import type { Event, Policy, State } from './policy.js';
import type { Step } from './table.js';
import { steps, table } from './table.js';

/** The state of a resource, from what the store has of it. */
export function stateOf(pinned: boolean, binding: 'lease' | 'static' | undefined): State {
  if (!pinned) return 'eligible';
  if (binding === undefined) return 'ended';
  return binding === 'lease' ? 'leased' : 'static';
}

/**
 * What `event` does to a resource in `state` under `policy` (see {@link table} for whose policy that is).
 * Throws where the contract says that the state cannot meet the event: the caller is wrong then.
 */
export function step(policy: Policy, state: State, event: Event): Step {
  const cell = table[policy][state][event];
  if (cell === 'never') throw new Error(`the contract has no step for ${policy}, ${state}, ${event}`);
  return steps[cell];
}
