// The words of the lifecycle contract: resources, policies, states, events, origins.

/** What a policy is pinned for; each is judged on its own. */
export type Resource = 'ipv4' | 'ipv6' | 'pd';

/** How an address is held. `operator` is the one that a person assigned by hand; it cannot be declared. */
export type Policy = 'dynamic' | 'fixed' | 'retained' | 'preserved' | 'operator';

export const policies = ['dynamic', 'fixed', 'retained', 'preserved', 'operator'] as const satisfies readonly Policy[];

/** Where the policy of a pin came from. */
export type Origin = 'undeclared' | 'declared' | 'operator' | 'cni' | 'imported';

/**
 * What one resource of an interface is in: `eligible` has no pin; `leased` and `static` have a pin and a binding of that kind;
 * `ended` has a pin whose binding expired, was released, declined or removed.
 */
export type State = 'eligible' | 'leased' | 'static' | 'ended';

export const states = ['eligible', 'leased', 'static', 'ended'] as const satisfies readonly State[];

/**
 * What can happen to one resource of an interface. `request` is a stateful client exchange that ends in an address;
 * `materialise` a reconcile pass or config apply; `renew` a client's extension of what it holds; `end` the passing of a lease's
 * end; `release` and `decline` the client's messages; `assign`, `unassign`, `reset` and `delete` the operator's verbs.
 */
export type Event =
  'request' | 'materialise' | 'renew' | 'end' | 'release' | 'decline' | 'assign' | 'unassign' | 'reset' | 'delete';

export const events = [
  'request',
  'materialise',
  'renew',
  'end',
  'release',
  'decline',
  'assign',
  'unassign',
  'reset',
  'delete',
] as const satisfies readonly Event[];
