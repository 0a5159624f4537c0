// What must hold of a system whatever the naive model says of it: judged from its answers and standings alone, after each step.
import { isInPool, isNeverGiven, ownerOf } from './naive.js';
import type { Outcome, Setup, Standing } from './system.js';

/** An offer that the system made and may still be bound by. */
interface Promised {
  readonly network: string;
  readonly owner: string;
  readonly address: string;
  readonly until: number;
}

const offerTime = 60_000;

/** Follows one system through its history; each method gives what is broken, empty where nothing is. */
export class Invariants {
  private revision = 0;
  private setup: Setup = { networks: [], declarations: [] };
  private before: readonly Standing[] = [];
  private promised: Promised[] = [];

  edited(setup: Setup): void {
    this.revision += 1;
    this.setup = setup;
  }

  restarted(): void {
    this.promised = [];
  }

  /** The client chose another server. */
  turnedDown(mac: string, network: string): void {
    this.withdraw(network, ownerOf(this.setup, mac));
  }

  /** An answer to `mac` on `network`: an offer must be of an address that may be given, and to nobody else at the same time. */
  answered(now: number, mac: string, network: string, outcome: Outcome): string[] {
    if (!outcome.startsWith('offer ')) return [];
    const address = outcome.slice('offer '.length);
    const owner = ownerOf(this.setup, mac);
    const broken: string[] = [];
    this.promised = this.promised.filter((each) => each.until > now);
    const held = this.before.find((standing) => standing.address === address);
    if (held !== undefined && (held.owner !== owner || held.network !== network))
      broken.push(`${address} is offered to ${owner} and held by ${held.owner}`);
    const other = this.promised.find((each) => each.address === address && each.owner !== owner);
    if (other !== undefined) broken.push(`${address} is offered to ${owner} and to ${other.owner}`);
    const again = this.promised.some((each) => each.address === address && each.owner === owner);
    if (held === undefined && !again && !this.mayBeGiven(network, owner, address))
      broken.push(`${address} is never to be given to ${owner}`);
    this.withdraw(network, owner);
    if (held === undefined) this.promised.push({ network, owner, address, until: now + offerTime });
    return broken;
  }

  /** The standings after a step that gave `outcome` to `mac` on `network`; `still` where the step may only add. */
  stands(now: number, after: readonly Standing[], still: boolean): string[] {
    const broken: string[] = [];
    const twice = (keys: readonly string[], what: string): void => {
      for (const key of new Set(keys.filter((each, at) => keys.indexOf(each) !== at)))
        broken.push(`${what} twice: ${key}`);
    };
    twice(
      after.flatMap(({ address }) => address ?? []),
      'an address is held',
    );
    twice(after.map(nameOf), 'an interface stands');
    for (const one of after) {
      if (one.revision < 1 || one.revision > this.revision)
        broken.push(`${nameOf(one)} is pinned under revision ${one.revision}, the current one is ${this.revision}`);
      if ((one.address === undefined) !== (one.kind === undefined))
        broken.push(`${nameOf(one)} has an address without a kind, or a kind without an address`);
      if ((one.kind === 'lease') !== (one.end !== undefined))
        broken.push(`${nameOf(one)} is a lease without an end, or has an end and is none`);
      if (one.end !== undefined && one.end <= now) broken.push(`the lease of ${nameOf(one)} is over and still stands`);
    }
    for (const old of this.before) {
      const one = after.find((each) => nameOf(each) === nameOf(old));
      if (one?.policy !== old.policy || one.origin !== old.origin || one.revision !== old.revision)
        broken.push(`the pin of ${nameOf(old)} changed or went`);
      if (still && old.address !== undefined && one?.address !== old.address)
        broken.push(`${nameOf(old)} moved from ${old.address} though no client said anything`);
    }
    for (const one of after) if (one.address !== undefined) this.withdraw(one.network, one.owner);
    this.before = after;
    return broken;
  }

  /** An ACK with an address is a binding of that address to who asked. */
  acknowledged(mac: string, outcome: Outcome): string[] {
    if (!outcome.startsWith('ack ')) return [];
    const owner = ownerOf(this.setup, mac);
    const address = outcome.slice('ack '.length);
    const bound = this.before.some((standing) => standing.address === address && standing.owner === owner);
    return bound ? [] : [`${address} is acknowledged to ${owner} and not bound to it`];
  }

  private withdraw(network: string, owner: string): void {
    this.promised = this.promised.filter((each) => each.owner !== owner || each.network !== network);
  }

  private mayBeGiven(network: string, owner: string, address: string): boolean {
    const declared = this.setup.declarations.find(({ macs }) => macs[0] === owner)?.ipv4;
    const pinned = this.before.some((standing) => standing.network === network && standing.owner === owner);
    if (!pinned && declared?.policy === 'fixed' && declared.address === address) return true;
    const net = this.setup.networks.find(({ name }) => name === network);
    return net !== undefined && isInPool(net, address) && !isNeverGiven(this.setup, address);
  }
}

function nameOf(standing: Standing): string {
  return `${standing.owner} on ${standing.network}`;
}
