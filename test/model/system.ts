// What the naive model and the product both are to the comparison: a thing that takes operations at given times and can be asked
// what stands. Everything is text, so that a difference prints as it is.

/** A value, or a promise of it: the product commits before it answers. */
export type Maybe<T> = T | Promise<T>;

/** A network as the configuration gives it. Ranges are `first-last` or one address. */
export interface Network {
  readonly name: string;
  readonly prefix: string;
  readonly gateway: string | undefined;
  readonly pools: readonly string[];
  readonly reserved: readonly string[];
  readonly allocation: 'dynamic' | 'reserved';
  readonly unknown: 'allow' | 'ignore';
  readonly roaming: 'allow' | 'ignore';
  /** Lease time in milliseconds. No client of these histories asks for a time, so `default` is what is given. */
  readonly lease: { readonly default: number; readonly min: number; readonly max: number };
}

/** What is declared of one machine interface, IPv4 only. The first MAC names the owner, the others are its aliases. */
export interface Declaration {
  readonly machine: string;
  readonly macs: readonly string[];
  readonly ipv4:
    { readonly policy: 'dynamic' | 'retained' | 'preserved' } | { readonly policy: 'fixed'; readonly address: string };
  /** The guard: the one network in which the declaration applies; undefined: any. */
  readonly network: string | undefined;
}

/** A configuration. Every edit is a new revision, also where it says the same as the one before. */
export interface Setup {
  readonly networks: readonly Network[];
  readonly declarations: readonly Declaration[];
}

/** The four kinds of DHCPREQUEST, RFC 2131 section 4.3.2. `renew` is unicast, the others are broadcast. */
export type Request =
  | { readonly kind: 'selecting'; readonly address: string; readonly serverIsUs: boolean }
  | { readonly kind: 'init-reboot'; readonly address: string }
  | { readonly kind: 'renew' | 'rebind'; readonly ciaddr: string };

/** What the client gets: a DHCPOFFER or DHCPACK with its yiaddr (`ack` alone: none, for an INFORM), a DHCPNAK, or nothing. */
export type Outcome = `offer ${string}` | `ack ${string}` | 'ack' | 'nak' | 'silent';

/** One pinned resource: the pin, and the binding where there is one. */
export interface Standing {
  readonly network: string;
  readonly owner: string;
  readonly policy: string;
  readonly origin: string;
  /** The revision of the pin. */
  readonly revision: number;
  readonly address?: string | undefined;
  readonly kind?: 'lease' | 'static' | undefined;
  /** The end of a lease, integer milliseconds. */
  readonly end?: number | undefined;
}

/**
 * A DHCPv4 server as these histories see it. `now` is integer milliseconds and never runs backwards; `network` names the one
 * that the packet came in by. The first operation is always an edit, which makes revision 1.
 */
export interface System {
  /** Makes a new revision the current one, then reconciles. A setup that is refused is an error of the histories: throw. */
  edit(now: number, setup: Setup): Maybe<void>;
  discover(now: number, mac: string, network: string, wanted: string | undefined): Maybe<Outcome>;
  request(now: number, mac: string, network: string, request: Request): Maybe<Outcome>;
  release(now: number, mac: string, network: string, ciaddr: string): Maybe<void>;
  decline(now: number, mac: string, network: string, address: string): Maybe<void>;
  inform(now: number, mac: string, network: string, ciaddr: string): Maybe<Outcome>;
  /** Lets what has ended by `now` end. Called before every other operation, as a punctual timer would. */
  tick(now: number): Maybe<void>;
  /** The process ends and starts again on the same store and configuration. */
  restart(now: number): Maybe<void>;
  /** Every pinned resource, in any order. */
  standings(): Maybe<readonly Standing[]>;
  close(): Maybe<void>;
}
