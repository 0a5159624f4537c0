// The DHCPv4 part of the lifecycle contract as the plainest possible program: arrays, linear scans, text. It is the oracle for
// the product and shares nothing with it but the reading of addresses.
import type { Ip } from '../../lib/net/ip.js';
import { formatIp, parseIp4 } from '../../lib/net/ip.js';
import type { Declaration, Network, Outcome, Request, Setup, Standing, System } from './system.js';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** How long an offer stands. */
const offerTime = 60 * second;
/** How long an address that was declined is kept from everybody. */
const quarantineTime = 10 * minute;
/** How long a fixed address that was declined is not given to its own owner. */
const probationTime = 30 * second;
/** So many DECLINEs of one owner are believed within an hour. */
const declineLimit = 3;

interface Pin {
  policy: string;
  origin: 'declared' | 'undeclared';
  revision: number;
}

interface Binding {
  address: string;
  kind: 'lease' | 'static';
  /** Of a lease. */
  end: number | undefined;
  /** The end last promised to a client, and to which MAC. */
  clientUntil: number | undefined;
  mac: string | undefined;
}

/** One owner on one network. It is made with its pin, so one without a pin is not in the list. */
interface Interface {
  network: string;
  owner: string;
  pin: Pin;
  binding: Binding | undefined;
  /** The address that expired or was released last, and was not declined. */
  previous: string | undefined;
}

/** What the current declaration says of one owner on one network. */
type Rule =
  | { says: 'unknown' | 'elsewhere' | 'outside' }
  | { says: 'dynamic' | 'retained' | 'preserved' }
  | { says: 'fixed'; address: string };

/** A choice of address; `refused` is silence whatever was asked, `none` that there is nothing to give just now. */
type Choice = { address: string } | 'refused' | 'none';

/** `text` as a number. */
function num(text: string): number {
  const ip = parseIp4(text);
  if (ip === undefined) throw new Error(`not an address: ${text}`);
  return ip;
}

/** All addresses of `first-last`, or of one address, in order. */
export function addressesOf(range: string): string[] {
  const [first, last] = range.split('-') as [string, string | undefined];
  const all: string[] = [];
  for (let ip = num(first); ip <= num(last ?? first); ip++) all.push(formatIp(ip as Ip));
  return all;
}

/** The first and the last address of `address/length`. */
function edgesOf(prefix: string): [string, string] {
  const [first, length] = prefix.split('/') as [string, string];
  return [first, formatIp((num(first) + 2 ** (32 - Number(length)) - 1) as Ip)];
}

export function isIn(prefix: string, address: string): boolean {
  const [first, last] = edgesOf(prefix);
  return num(first) <= num(address) && num(address) <= num(last);
}

export function isInPool(network: Network, address: string): boolean {
  return network.pools.some((pool) => addressesOf(pool).includes(address));
}

/** The key under which `mac` holds addresses in `setup`: the first MAC of the declaration it stands in, else itself. */
export function ownerOf(setup: Setup, mac: string): string {
  return setup.declarations.find((declaration) => declaration.macs.includes(mac))?.macs[0] ?? mac;
}

/** Whether the contract forbids to give `address` to anybody dynamically. */
export function isNeverGiven(setup: Setup, address: string): boolean {
  for (const network of setup.networks) {
    const length = Number(network.prefix.split('/')[1]);
    if (length < 31 && edgesOf(network.prefix).includes(address)) return true;
    if (network.gateway === address) return true;
    if (network.reserved.some((range) => addressesOf(range).includes(address))) return true;
  }
  return setup.declarations.some(({ ipv4 }) => ipv4.policy === 'fixed' && ipv4.address === address);
}

export class Naive implements System {
  protected revision = 0;
  protected setup: Setup = { networks: [], declarations: [] };
  protected interfaces: Interface[] = [];
  protected offers: { network: string; owner: string; address: string; until: number }[] = [];
  protected quarantine: { address: string; until: number }[] = [];
  protected probation: { network: string; owner: string; until: number }[] = [];
  protected declines: { owner: string; at: number }[] = [];

  edit(now: number, setup: Setup): void {
    this.tick(now);
    this.revision += 1;
    this.setup = setup;
    this.reconcile();
  }

  restart(now: number): void {
    this.offers = [];
    this.tick(now);
    this.reconcile();
  }

  tick(now: number): void {
    for (const iface of this.interfaces) {
      const { binding } = iface;
      if (binding?.end !== undefined && binding.end <= now) this.end(iface);
    }
    this.offers = this.offers.filter((offer) => offer.until > now);
    this.quarantine = this.quarantine.filter((held) => held.until > now);
    this.probation = this.probation.filter((held) => held.until > now);
    this.declines = this.declines.filter((decline) => decline.at > now - hour);
  }

  discover(now: number, mac: string, network: string, wanted: string | undefined): Outcome {
    this.tick(now);
    const owner = ownerOf(this.setup, mac);
    const binding = this.find(network, owner)?.binding;
    if (binding !== undefined) {
      if (this.aliasHolds(binding, mac, now) || this.onProbation(network, owner)) return 'silent';
      return `offer ${binding.address}`;
    }
    const choice = this.choose(network, owner, wanted);
    if (choice === 'refused' || choice === 'none') return 'silent';
    this.withdraw(network, owner);
    this.offers.push({ network, owner, address: choice.address, until: now + offerTime });
    return `offer ${choice.address}`;
  }

  request(now: number, mac: string, receivedOn: string, request: Request): Outcome {
    this.tick(now);
    const owner = ownerOf(this.setup, mac);
    if (request.kind === 'selecting' && !request.serverIsUs) {
      this.withdraw(receivedOn, owner);
      return 'silent';
    }
    const asked = 'address' in request ? request.address : request.ciaddr;
    // Field case F47: a unicast for an address outside of every network is dropped.
    if (request.kind === 'renew' && this.isNowhere(asked)) return 'silent';
    const network = request.kind === 'renew' ? this.networkOfUnicast(asked, receivedOn) : receivedOn;
    if (!isIn(this.network(network).prefix, asked)) return 'nak';

    const iface = this.find(network, owner);
    if (iface?.binding !== undefined) {
      if (this.aliasHolds(iface.binding, mac, now) || this.onProbation(network, owner)) return 'silent';
      if (iface.binding.address !== asked) return 'nak';
      this.promise(iface, iface.binding, mac, now);
      return `ack ${asked}`;
    }

    const offered = this.offers.some((offer) => offer.network === network && offer.owner === owner);
    const known = iface !== undefined || offered;
    const choice = this.choose(network, owner, asked);
    if (choice === 'refused') return 'silent';
    if (!known && request.kind !== 'selecting') return 'silent';
    if (choice === 'none' || choice.address !== asked) return 'nak';
    const bound = this.bind(network, owner, asked);
    this.promise(bound.iface, bound.binding, mac, now);
    return `ack ${asked}`;
  }

  release(now: number, mac: string, receivedOn: string, ciaddr: string): void {
    this.tick(now);
    const network = this.networkOfUnicast(ciaddr, receivedOn);
    const iface = this.find(network, ownerOf(this.setup, mac));
    if (iface?.binding?.address !== ciaddr || this.aliasHolds(iface.binding, mac, now)) return;
    if (iface.binding.kind === 'lease') this.end(iface);
    else iface.binding.clientUntil = undefined;
  }

  decline(now: number, mac: string, network: string, address: string): void {
    this.tick(now);
    const owner = ownerOf(this.setup, mac);
    const iface = this.find(network, owner);
    if (iface?.binding?.address !== address || this.aliasHolds(iface.binding, mac, now)) return;
    if (!this.believes(owner)) return;
    this.declines.push({ owner, at: now });

    if (iface.binding.kind === 'static' && iface.pin.policy === 'fixed') {
      iface.binding.clientUntil = undefined;
      this.probation = this.probation.filter((held) => held.network !== network || held.owner !== owner);
      this.probation.push({ network, owner, until: now + probationTime });
      return;
    }
    const wasStatic = iface.binding.kind === 'static';
    iface.binding = undefined;
    iface.previous = undefined;
    this.quarantine.push({ address, until: now + quarantineTime });
    if (!wasStatic) return;
    const choice = this.choose(network, owner, undefined);
    if (choice === 'refused' || choice === 'none') return;
    this.hold(iface, choice.address, 'static');
  }

  inform(now: number, _mac: string, _network: string, ciaddr: string): Outcome {
    this.tick(now);
    return this.isNowhere(ciaddr) ? 'silent' : 'ack';
  }

  standings(): Standing[] {
    return this.interfaces.map(({ network, owner, pin, binding }) => ({
      network,
      owner,
      ...pin,
      address: binding?.address,
      kind: binding?.kind,
      end: binding?.end,
    }));
  }

  close(): void {
    this.interfaces = [];
  }

  protected isNowhere(address: string): boolean {
    return !this.setup.networks.some(({ prefix }) => isIn(prefix, address));
  }

  /** Binds every fixed address of the running revision that is free and whose owner has no pin in its network. */
  protected reconcile(): void {
    for (const { macs } of this.setup.declarations) {
      const owner = macs[0]!;
      for (const { name } of this.setup.networks) {
        const rule = this.rule(name, owner);
        if (rule.says !== 'fixed' || this.find(name, owner) !== undefined) continue;
        if (this.isFree(rule.address, owner)) this.bind(name, owner, rule.address);
      }
    }
  }

  /** The address that `owner`, who holds none on `network`, is to get. */
  protected choose(network: string, owner: string, wanted: string | undefined): Choice {
    const net = this.network(network);
    const rule = this.rule(network, owner);
    const iface = this.find(network, owner);
    if (rule.says === 'unknown' && net.unknown === 'ignore') return 'refused';
    if (rule.says === 'elsewhere' && net.roaming === 'ignore') return 'refused';
    if (iface === undefined) {
      if (rule.says === 'outside') return 'refused';
      if (rule.says === 'fixed') return this.isFree(rule.address, owner) ? { address: rule.address } : 'none';
    }
    if (net.allocation === 'reserved') return 'refused';

    const offer = this.offers.find((each) => each.network === network && each.owner === owner);
    if (offer !== undefined) return { address: offer.address };
    const inOrder = [iface?.previous, wanted, ...net.pools.flatMap(addressesOf)];
    for (const address of inOrder) {
      if (address === undefined || !isInPool(net, address)) continue;
      if (!this.isForbidden(address) && this.isFree(address, owner)) return { address };
    }
    return 'none';
  }

  /** What the running revision says of `owner` on `network`. */
  protected rule(network: string, owner: string): Rule {
    const declaration = this.declarationOf(owner);
    if (declaration === undefined) return { says: 'unknown' };
    if (declaration.network !== undefined && declaration.network !== network) return { says: 'elsewhere' };
    const { ipv4 } = declaration;
    if (ipv4.policy !== 'fixed') return { says: ipv4.policy };
    const home = this.setup.networks.find((each) => isIn(each.prefix, ipv4.address));
    if (home === undefined) return { says: 'outside' };
    return home.name === network ? { says: 'fixed', address: ipv4.address } : { says: 'elsewhere' };
  }

  /** Binds a free address. The first binding pins what the running revision says; with a pin there already it is a lease. */
  protected bind(network: string, owner: string, address: string): { iface: Interface; binding: Binding } {
    this.withdraw(network, owner);
    const old = this.find(network, owner);
    if (old !== undefined) return { iface: old, binding: this.hold(old, address, 'lease') };
    const rule = this.rule(network, owner);
    const stranger = rule.says === 'unknown' || rule.says === 'elsewhere';
    const pin: Pin = {
      policy: stranger ? 'dynamic' : rule.says,
      origin: stranger ? 'undeclared' : 'declared',
      revision: this.revision,
    };
    const iface: Interface = { network, owner, pin, binding: undefined, previous: undefined };
    this.interfaces.push(iface);
    return { iface, binding: this.hold(iface, address, pin.policy === 'dynamic' ? 'lease' : 'static') };
  }

  protected hold(iface: Interface, address: string, kind: 'lease' | 'static'): Binding {
    const binding = { address, kind, end: undefined, clientUntil: undefined, mac: undefined };
    iface.binding = binding;
    iface.previous = undefined;
    return binding;
  }

  /** A client is told that it has the address for the lease time from now. */
  protected promise(iface: Interface, binding: Binding, mac: string, now: number): void {
    const until = now + this.network(iface.network).lease.default;
    if (binding.kind === 'lease') binding.end = until;
    binding.clientUntil = until;
    binding.mac = mac;
  }

  /** The binding is over; the pin stays, and the address is remembered. */
  protected end(iface: Interface): void {
    iface.previous = iface.binding?.address;
    iface.binding = undefined;
  }

  protected withdraw(network: string, owner: string): void {
    this.offers = this.offers.filter((offer) => offer.network !== network || offer.owner !== owner);
  }

  /** Whether nobody has, is offered, or is kept from `address`; `owner`'s own offer of it does not count. */
  protected isFree(address: string, owner: string): boolean {
    if (this.interfaces.some((iface) => iface.binding?.address === address)) return false;
    if (this.offers.some((offer) => offer.address === address && offer.owner !== owner)) return false;
    return !this.quarantine.some((held) => held.address === address);
  }

  protected isForbidden(address: string): boolean {
    return isNeverGiven(this.setup, address);
  }

  /** Whether another MAC than `mac` was promised the address, and the promise still runs. */
  protected aliasHolds(binding: Binding, mac: string, now: number): boolean {
    return binding.mac !== mac && binding.clientUntil !== undefined && binding.clientUntil > now;
  }

  protected onProbation(network: string, owner: string): boolean {
    return this.probation.some((held) => held.network === network && held.owner === owner);
  }

  protected believes(owner: string): boolean {
    return this.declines.filter((decline) => decline.owner === owner).length < declineLimit;
  }

  protected find(network: string, owner: string): Interface | undefined {
    return this.interfaces.find((iface) => iface.network === network && iface.owner === owner);
  }

  protected declarationOf(owner: string): Declaration | undefined {
    return this.setup.declarations.find((declaration) => declaration.macs[0] === owner);
  }

  protected network(name: string): Network {
    const network = this.setup.networks.find((each) => each.name === name);
    if (network === undefined) throw new Error(`no network ${name}`);
    return network;
  }

  /** A unicast packet belongs to the network of the address that its sender has, wherever it came in. */
  protected networkOfUnicast(ciaddr: string, receivedOn: string): string {
    return this.setup.networks.find((each) => isIn(each.prefix, ciaddr))?.name ?? receivedOn;
  }
}
