// The contract of the store: the one truth about who holds what. SQLite stands behind it (db/sqlite).
import type { Change, Declaration, Decision, Revision } from '../lib/ipam/model.js';
import type { StoredView } from '../lib/ipam/view.js';
import type { Result } from '../lib/net/reason.js';
import type { Owner } from '../lib/net/ids.js';
import type { Ip } from '../lib/net/ip.js';
import type { Range } from '../lib/net/prefix.js';
import type { Hold, Standing } from '../lib/ipam/model.js';
import type { Resource } from '../lib/lifecycle/policy.js';

/** Decides over the state as all earlier decisions of the same batch left it. Pure: it may be run again. */
export type Decide<T> = (view: StoredView) => Decision<T>;

/** Called after the changes of one decision stand in the transaction, before the next one decides. */
export type Applied = (changes: readonly Change[]) => void;

export type Settled<T> = readonly Result<T>[];

/** Why a store cannot be used, with the sentence for the operator. */
export class StoreUnusable extends Error {
  override readonly name = 'StoreUnusable';
}

/** A revision as the store keeps it. */
export interface StoredRevision extends Revision {
  readonly number: number;
}

/** One row of the journal. `before` and `after` are the state of that resource or hold as JSON, null where there was none. */
export interface JournalRow {
  readonly seq: number;
  readonly at: number;
  readonly event: string;
  readonly actor: string;
  readonly revision: number;
  readonly network: string | null;
  readonly owner: string | null;
  readonly resource: Resource | null;
  readonly address: string | null;
  readonly before: string | null;
  readonly after: string | null;
}

/** A resource of an interface with what it has, as lists show it. */
export type Listed = Standing & { readonly resource: Resource; readonly declaration: Declaration | undefined };

/** Reads for people and for the writer's index; none of them writes. */
export interface Reader {
  readonly view: StoredView;
  /** Every resource that has a pin or a binding, ordered by address; those that `match` where given. */
  list(match?: (row: Listed) => boolean): readonly Listed[];
  holds(): readonly Hold[];
  /** The journal rows that name `address` or `owner`, oldest first. */
  history(of: { readonly address?: Ip; readonly owner?: Owner }): readonly JournalRow[];
  /** Revision `number` with its texts. */
  revision(number: number): StoredRevision | undefined;
  /** What the current revision declares, in the order of its files. */
  declarations(): readonly Declaration[];
  close(): void;
}

export interface Store extends Reader {
  /**
   * Runs `decisions` in one transaction, each in its own savepoint, its changes applied before the next one decides. A decision that
   * throws, or whose changes a constraint refuses, is undone alone (`decision-failed`, `address-taken`). Nothing is durable, and
   * no result may be acted on, before this returns; if it throws `StoreUnusable`, nothing was written. A batch without changes commits nothing.
   */
  transact<T>(decisions: readonly Decide<T>[], applied: Applied): Settled<T>;
  /** What a read that threw `error` says about the store; throws `error` again where it says nothing, but is a defect of ours. */
  unusable(error: unknown): StoreUnusable;
  /** The addresses of `range` that are bound or kept back in `vrf`. */
  taken(vrf: string, range: Range): Iterable<Ip>;
  /** Up to `limit` interfaces by number after `after`, every resource that has a pin: what expiry walks over. */
  walk(after: number, limit: number): readonly (Standing & { readonly resource: Resource })[];
  /** Every DECLINE that was believed after `since`, latest first. */
  declines(since: number): Iterable<{ readonly owner: Owner; readonly at: number }>;
  /** The highest number that any revision has, current or drafted. */
  newest(): number;
  /** Whether anything stands of revisions that are not current: declarations of earlier ones, or drafts. */
  hasStale(): boolean;
  /** Up to `limit` declarations with a fixed IPv4 address, by number after `after`, with their numbers: what reconciling walks over. */
  fixedAfter(after: number, limit: number): readonly { readonly id: number; readonly declaration: Declaration }[];
  /** The fixed addresses that the current revision declares. */
  fixed(): Iterable<Ip>;
}
