// A stage for rows about the naive model: two networks, three MACs, a way to declare, and a clock that stands until told to pass.
import { Naive } from './naive.js';
import type { Declaration, Network, Outcome, Request, Setup } from './system.js';

export const second = 1000;
export const minute = 60 * second;
export const hour = 60 * minute;

export const [m1, m2, m3] = ['02:00:00:00:00:01', '02:00:00:00:00:02', '02:00:00:00:00:03'] as const;

export const a: Network = {
  name: 'a',
  prefix: '10.20.0.0/24',
  gateway: '10.20.0.1',
  pools: ['10.20.0.100-10.20.0.103'],
  reserved: [],
  allocation: 'dynamic',
  unknown: 'allow',
  roaming: 'allow',
  lease: { default: hour, min: 5 * minute, max: 24 * hour },
};
export const b: Network = {
  ...a,
  name: 'b',
  prefix: '10.30.0.0/24',
  gateway: '10.30.0.1',
  pools: ['10.30.0.100-10.30.0.103'],
};

type Policy = 'dynamic' | 'retained' | 'preserved';

/** A declaration of one interface: a policy, or an address, which means fixed. */
export function declare(macs: string | readonly string[], what: string, network?: string): Declaration {
  const list = typeof macs === 'string' ? [macs] : macs;
  const fixed = what.includes('.');
  const ipv4 = fixed ? ({ policy: 'fixed', address: what } as const) : { policy: what as Policy };
  return { machine: `node-${list[0]!}`, macs: list, ipv4, network };
}

/** The model with a clock that stands until it is told to pass. */
export class Scene {
  readonly model = new Naive();
  now = Date.UTC(2020, 0, 1);

  constructor(networks: readonly Network[], ...declarations: readonly Declaration[]) {
    this.edit(networks, ...declarations);
  }

  edit(networks: readonly Network[], ...declarations: readonly Declaration[]): void {
    const setup: Setup = { networks, declarations };
    this.model.edit(this.now, setup);
  }

  pass(time: number): void {
    this.now += time;
    this.model.tick(this.now);
  }

  discover(mac: string, network = 'a', wanted?: string): Outcome {
    return this.model.discover(this.now, mac, network, wanted);
  }

  request(mac: string, request: Request, network = 'a'): Outcome {
    return this.model.request(this.now, mac, network, request);
  }

  select(mac: string, address: string, network = 'a'): Outcome {
    return this.request(mac, { kind: 'selecting', address, serverIsUs: true }, network);
  }

  renew(mac: string, ciaddr: string, network = 'a'): Outcome {
    return this.request(mac, { kind: 'renew', ciaddr }, network);
  }

  /** DISCOVER, and the REQUEST for what is offered. */
  dora(mac: string, network = 'a'): Outcome {
    const outcome = this.discover(mac, network);
    return outcome.startsWith('offer ') ? this.select(mac, outcome.slice('offer '.length), network) : outcome;
  }

  decline(mac: string, address: string, network = 'a'): void {
    this.model.decline(this.now, mac, network, address);
  }

  release(mac: string, address: string, network = 'a'): void {
    this.model.release(this.now, mac, network, address);
  }

  /** What `owner` has on `network`: nothing, or its pin (policy, revision) and its binding. */
  has(owner: string, network = 'a'): string {
    const one = this.model.standings().find((each) => each.owner === owner && each.network === network);
    if (one === undefined) return 'nothing';
    const who = one.origin === 'declared' ? one.policy : `${one.origin} ${one.policy}`;
    return `${who} r${one.revision}: ${one.address === undefined ? 'unbound' : `${one.kind!} ${one.address}`}`;
  }
}
