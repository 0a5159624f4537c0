// The site: what one configuration revision says, compiled once and never changed. The store holds the machines; this is the rest.
import type { Ip, Ip4 } from '../net/ip.js';
import type { Prefix, Range } from '../net/prefix.js';
import { contains } from '../net/prefix.js';

/** Option code -> value in wire form, already encoded; the order is the one of the file. */
export type OptionSet = ReadonlyMap<number, Uint8Array>;

/** Lease times in milliseconds. */
export interface LeaseTimes {
  readonly default: number;
  readonly min: number;
  readonly max: number;
}

/** One network: prefixes on one wire, with the rules for whoever is on it. */
export interface Network {
  readonly name: string;
  /** The collision domain: one address has one holder in it. */
  readonly vrf: string;
  readonly prefixes: readonly Prefix[];
  /** Never given; an IPv4 one becomes the router option of the prefix that holds it. */
  readonly gateways: readonly Ip[];
  readonly pools: readonly Range[];
  /** What is never given to anybody, fixed or not: network and broadcast addresses, gateways, server and relay addresses, `reserved`. */
  readonly never: readonly Range[];
  /** Sources whose relayed packets are taken; undefined: giaddr must lie in the network. */
  readonly relays: readonly Range[] | undefined;
  readonly allocation: 'dynamic' | 'reserved';
  readonly unknown: 'allow' | 'ignore';
  readonly roaming: 'allow' | 'ignore';
  readonly identity: 'mac' | 'client-id';
  readonly lease: LeaseTimes;
  /** DHCPv4 options of this network, those for everyone included. */
  readonly options4: OptionSet;
}

/** Everything of one revision that is not a machine. */
export interface Site {
  readonly networks: readonly Network[];
  /** DHCPv4 option 54 where the file names one; else the address of the link that answers. */
  readonly serverId: Ip4 | undefined;
  /** Machine name -> DHCPv4 options that say otherwise than its network; only machines that have any. */
  readonly machineOptions4: ReadonlyMap<string, OptionSet>;
  /** How long an interface that no declaration names is kept after its last lease ended, ms. */
  readonly keepInterfaces: number;
}

/** Networks that go on under another name: old name -> new name. */
export type Renames = ReadonlyMap<string, string>;

/** The networks whose prefixes contain `ip`, one a VRF at most (the config check sees to that). */
export function networksOf(site: Site, ip: Ip): readonly Network[] {
  return site.networks.filter((network) => network.prefixes.some((prefix) => contains(prefix, ip)));
}

/** The network whose prefixes contain `ip` in `vrf`. */
export function networkOf(site: Site, vrf: string, ip: Ip): Network | undefined {
  return site.networks.find((n) => n.vrf === vrf && n.prefixes.some((prefix) => contains(prefix, ip)));
}

/** The prefix of `network` that contains `ip`. */
export function prefixIn(network: Network, ip: Ip): Prefix | undefined {
  return network.prefixes.find((prefix) => contains(prefix, ip));
}
