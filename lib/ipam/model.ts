// The nouns of the contract: who holds what, why, and since when. Times are integer milliseconds since 1970.
import type { Event, Origin, Policy, Resource } from '../lifecycle/policy.js';
import type { Mac, Owner } from '../net/ids.js';
import type { Ip } from '../net/ip.js';
import type { Renames, Site } from './site.js';

/** A place in a configuration text: `file` as the revision names it, `line` from 1. */
export interface Source {
  readonly file: string;
  readonly line: number;
}

/** What a declaration says of one resource. */
export type Declared =
  { readonly policy: 'dynamic' | 'retained' | 'preserved' } | { readonly policy: 'fixed'; readonly address: Ip };

/** What the running revision says of one machine interface. The first MAC of its list is the owner, the others are aliases. */
export interface Declaration {
  readonly owner: Owner;
  readonly macs: readonly Mac[];
  readonly machine: string;
  readonly role: string;
  readonly primary: boolean;
  /** The guard: the one network in which the declaration applies; undefined: in any. */
  readonly network: string | undefined;
  readonly ipv4: Declared;
  readonly ipv6: Declared;
  readonly source: Source;
}

/** Who did it: a client's exchange, expiry, reconcile, config apply, or a person as `uid:N`. */
export type Actor = 'client' | 'expiry' | 'reconcile' | 'apply' | `uid:${number}`;

/** Why something is as it is; `seq` is the journal row that made it. */
export interface Provenance {
  readonly policy: Policy;
  readonly origin: Origin;
  /** Number of the config revision that was current. */
  readonly revision: number;
  /** The line of that revision; undefined for the undeclared. */
  readonly source: Source | undefined;
  readonly at: number;
  readonly actor: Actor;
  readonly seq: number;
}

export interface Pin extends Provenance {
  readonly event: Event;
  /** The address that the resource held last, where it holds none now. */
  readonly lastAddress: Ip | undefined;
  /** When it lost that address. */
  readonly lastEnd: number | undefined;
}

export interface Binding extends Provenance {
  readonly address: Ip;
  readonly kind: 'lease' | 'static';
  /** The end of a lease; a static has none. */
  readonly end: number | undefined;
  /** The end last promised to the client, for statics too; undefined: no client has it yet. */
  readonly clientUntil: number | undefined;
  /** The MAC that it was last confirmed to. */
  readonly mac: Mac | undefined;
}

/** One owner on one network, with what one resource of it has. */
export interface Standing {
  readonly iface: number;
  readonly network: string;
  readonly vrf: string;
  readonly owner: Owner;
  readonly pin: Pin | undefined;
  readonly binding: Binding | undefined;
}

/** An address that is kept from others though no binding holds it (or, on probation, beside the binding that does). */
export interface Hold {
  readonly vrf: string;
  readonly network: string;
  readonly address: Ip;
  readonly kind: 'parked' | 'cooling' | 'quarantine';
  readonly resource: Resource;
  /** Whose it was. */
  readonly owner: Owner;
  /** Whether that owner may take it back before `until`. */
  readonly retake: boolean;
  /** When it is free again; undefined: not by itself. */
  readonly until: number | undefined;
}

/** An address promised to a DISCOVER for a short while; memory only. */
export interface Offer {
  readonly vrf: string;
  readonly network: string;
  readonly owner: Owner;
  readonly resource: Resource;
  readonly address: Ip;
  readonly until: number;
}

/** A configuration text set that was accepted. */
export interface Revision {
  /** Hex SHA-256 of the texts with their names. */
  readonly hash: string;
  /** Path as the config names it -> text; the first is the main file. */
  readonly files: ReadonlyMap<string, string>;
  readonly at: number;
  readonly author: string;
}

type Made = Omit<Provenance, 'seq'>;

/** One thing to be written, applied by the store (or, for offers, by the writer) as soon as its decision is made. */
export type Change =
  /** Binds an address; makes, keeps or replaces the pin as the contract's step says; creates the interface where there is none. */
  | ({
      readonly kind: 'bind';
      readonly network: string;
      readonly vrf: string;
      readonly owner: Owner;
      readonly resource: Resource;
      readonly address: Ip;
      readonly binding: 'lease' | 'static';
      readonly end: number | undefined;
      readonly clientUntil: number | undefined;
      readonly mac: Mac | undefined;
      readonly pin: 'make' | 'keep' | 'replace';
      readonly event: Event;
    } & Made)
  /** A client has the binding until later than before. Not journaled. */
  | {
      readonly kind: 'extend';
      readonly iface: number;
      readonly resource: Resource;
      readonly end: number | undefined;
      readonly clientUntil: number;
      readonly mac: Mac | undefined;
    }
  /** The binding goes, the pin stays and remembers the address. */
  | {
      readonly kind: 'unbind';
      readonly standing: Standing;
      readonly resource: Resource;
      readonly event: Event;
      readonly at: number;
      readonly actor: Actor;
    }
  /** The client gave a static back, or declined it: the binding stays, no client has it now. */
  | {
      readonly kind: 'idle';
      readonly standing: Standing;
      readonly resource: Resource;
      readonly event: Event;
      readonly at: number;
      readonly actor: Actor;
    }
  | { readonly kind: 'hold'; readonly hold: Hold; readonly at: number; readonly actor: Actor }
  | { readonly kind: 'unhold'; readonly hold: Hold; readonly at: number; readonly actor: Actor }
  /** An owner that nobody declares and nothing holds is forgotten, pins and all. */
  | { readonly kind: 'purge'; readonly standing: Standing; readonly at: number; readonly actor: Actor }
  | { readonly kind: 'offer'; readonly offer: Offer }
  | { readonly kind: 'withdraw'; readonly offer: Offer }
  /** Writes a revision and its texts under `number`, not yet current. */
  | { readonly kind: 'draft'; readonly number: number; readonly revision: Revision }
  /** Writes a part of the declarations of a drafted revision. */
  | { readonly kind: 'stage'; readonly number: number; readonly declarations: readonly Declaration[] }
  /** Removes up to `limit` declarations of other revisions than the current one; with the last of them, drafts that never became current. */
  | { readonly kind: 'unstage'; readonly limit: number }
  /** Makes a revision and its declarations the current ones; `staged`: they were drafted and staged under that number. */
  | {
      readonly kind: 'revise';
      readonly revision: Revision;
      readonly site: Site;
      readonly declarations: readonly Declaration[];
      /** Networks that go on under another name. */
      readonly renames?: Renames;
      readonly staged?: number;
    };

/** What a decision comes to: what is to be written, and what the caller wants of it. */
export interface Decision<T> {
  readonly changes: readonly Change[];
  readonly value: T;
}
