// The product as the comparison sees it: real packets, the one door, a SQLite store.
import { formatIp } from '../../lib/net/ip.js';
import type { Got } from '../support/served.js';
import { Served } from '../support/served.js';
import { spare } from './setups.js';
import type { Outcome, Request, Setup, Standing, System } from './system.js';

export class Product implements System {
  #served: Served | undefined;
  #edits = 0;
  readonly #path: string;
  readonly #opened: (served: Served) => void;

  readonly #late: boolean;

  /**
   * `opened` gets the server when the first edit has started it. `late`: expiry comes only after each operation, so that operations meet
   * what has ended and still stands in the tables.
   */
  constructor(path = ':memory:', opened: (served: Served) => void = () => undefined, { late = false } = {}) {
    this.#path = path;
    this.#opened = opened;
    this.#late = late;
  }

  get #server(): Served {
    if (this.#served === undefined) throw new Error('the first operation is an edit');
    return this.#served;
  }

  async edit(now: number, setup: Setup): Promise<void> {
    const text = yamlOf(setup, ++this.#edits);
    if (this.#served === undefined) {
      const links = Object.fromEntries(
        setup.networks.map((network) => [network.name, network.name === 'a' ? spare.a : spare.b]),
      );
      this.#served = await Served.open({ text, path: this.#path, now, links });
      this.#opened(this.#served);
      return;
    }
    this.#served.now = now;
    await this.#served.edit(text);
  }

  discover(now: number, mac: string, network: string, wanted: string | undefined): Outcome {
    this.#server.now = now;
    return outcome(
      this.#server.discover(mac, { link: network, ...(wanted === undefined ? {} : { requested: wanted }) }),
    );
  }

  request(now: number, mac: string, network: string, request: Request): Outcome {
    this.#server.now = now;
    switch (request.kind) {
      case 'selecting': {
        const { address } = request;
        const foreign = request.serverIsUs ? {} : { server: '198.51.100.1' };
        return outcome(this.#server.select(mac, address, { link: network, ...foreign }));
      }
      case 'init-reboot':
        return outcome(this.#server.send({ type: 'request', mac, requested: request.address, link: network }));
      case 'renew':
      case 'rebind':
        return outcome(this.#server.renew(mac, request.ciaddr, { link: network, unicast: request.kind === 'renew' }));
    }
  }

  release(now: number, mac: string, network: string, ciaddr: string): void {
    this.#server.now = now;
    this.#server.release(mac, ciaddr, { link: network });
  }

  decline(now: number, mac: string, network: string, address: string): void {
    this.#server.now = now;
    this.#server.decline(mac, address, { link: network });
  }

  inform(now: number, mac: string, network: string, ciaddr: string): Outcome {
    this.#server.now = now;
    return outcome(this.#server.send({ type: 'inform', mac, ciaddr, source: ciaddr, link: network, unicast: true }));
  }

  async tick(now: number): Promise<void> {
    if (this.#served === undefined) return;
    this.#served.now = now;
    if (!this.#late) await this.#served.expire();
  }

  async restart(now: number): Promise<void> {
    this.#server.now = now;
    await this.#server.restart();
  }

  async standings(): Promise<readonly Standing[]> {
    if (this.#served === undefined) return [];
    if (this.#late) await this.#served.expire();
    return this.#served.store.list().map(({ network, owner, pin, binding }) => ({
      network,
      owner,
      policy: pin?.policy ?? '',
      origin: pin?.origin ?? '',
      revision: pin?.revision ?? 0,
      address: binding && formatIp(binding.address),
      kind: binding?.kind,
      end: binding?.end,
    }));
  }

  close(): void {
    this.#served?.close();
  }
}

function outcome(got: Got): Outcome {
  switch (got.type) {
    case 'OFFER':
      return `offer ${got.address ?? ''}`;
    case 'ACK':
    case 'BOOTREPLY':
      return got.address === undefined ? 'ack' : `ack ${got.address}`;
    case 'NAK':
      return 'nak';
    case 'silent':
      return 'silent';
  }
}

/** The configuration as an operator would write it; the first line makes every edit a new revision. */
function yamlOf(setup: Setup, edit: number): string {
  const networks = setup.networks.map((n) => ({
    name: n.name,
    prefixes: [n.prefix],
    ...(n.gateway === undefined ? {} : { gateway: n.gateway }),
    pools: n.pools,
    reserved: n.reserved,
    allocation: n.allocation,
    unknown: n.unknown,
    roaming: n.roaming,
    lease: { default: n.lease.default / 1000, min: n.lease.min / 1000, max: n.lease.max / 1000 },
  }));
  const machines = setup.declarations.map((d, i) => ({
    name: `${d.machine}-${i}`,
    interfaces: [
      {
        mac: d.macs,
        role: 'host',
        ...(d.ipv4.policy === 'fixed' ? { ipv4: d.ipv4.address } : { policy: d.ipv4.policy }),
        ...(d.network === undefined ? {} : { network: d.network }),
      },
    ],
  }));
  // JSON is YAML.
  return `# edit ${edit}\n${JSON.stringify({ listen: ['eth0'], networks, machines }, null, 1)}\n`;
}
