// Holds the naive model itself to the scenarios of the contract, as far as IPv4 goes now, and to the details decided for it.
import { expect } from 'chai';
import { Naive } from './naive.js';
import type { Declaration, Network, Outcome, Request, Setup } from './system.js';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

const [m1, m2, m3] = ['02:00:00:00:00:01', '02:00:00:00:00:02', '02:00:00:00:00:03'] as const;

const a: Network = {
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
const b: Network = {
  ...a,
  name: 'b',
  prefix: '10.30.0.0/24',
  gateway: '10.30.0.1',
  pools: ['10.30.0.100-10.30.0.103'],
};

type Policy = 'dynamic' | 'retained' | 'preserved';

/** A declaration of one interface: a policy, or an address, which means fixed. */
function declare(macs: string | readonly string[], what: string, network?: string): Declaration {
  const list = typeof macs === 'string' ? [macs] : macs;
  const fixed = what.includes('.');
  const ipv4 = fixed ? ({ policy: 'fixed', address: what } as const) : { policy: what as Policy };
  return { machine: `node-${list[0]!}`, macs: list, ipv4, network };
}

/** The model with a clock that stands until it is told to pass. */
class Scene {
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

describe('the naive model keeps the contract', () => {
  it('C01: retained and bound, then declared dynamic: static at the same address', () => {
    const scene = new Scene([a], declare(m1, 'retained'));
    expect(scene.dora(m1)).to.equal('ack 10.20.0.100');
    scene.edit([a], declare(m1, 'dynamic'));
    expect(scene.renew(m1, '10.20.0.100')).to.equal('ack 10.20.0.100');
    expect(scene.has(m1)).to.equal('retained r1: static 10.20.0.100');
  });

  it('C02: a dynamic lease, then declared retained: it stays a lease, and ends', () => {
    const scene = new Scene([a], declare(m1, 'dynamic'));
    scene.dora(m1);
    scene.edit([a], declare(m1, 'retained'));
    expect(scene.renew(m1, '10.20.0.100')).to.equal('ack 10.20.0.100');
    expect(scene.has(m1)).to.equal('dynamic r1: lease 10.20.0.100');
    scene.pass(hour - 1);
    expect(scene.has(m1)).to.equal('dynamic r1: lease 10.20.0.100');
    scene.pass(1);
    expect(scene.has(m1)).to.equal('dynamic r1: unbound');
  });

  it('C03: fixed outside every network is refused without a pin, and served once corrected', () => {
    const scene = new Scene([a], declare(m1, '192.0.2.9'));
    expect(scene.discover(m1)).to.equal('silent');
    expect(scene.select(m1, '10.20.0.100')).to.equal('silent');
    expect(scene.has(m1)).to.equal('nothing');
    scene.edit([a], declare(m1, '10.20.0.9'));
    expect(scene.dora(m1)).to.equal('ack 10.20.0.9');
    expect(scene.has(m1)).to.equal('fixed r2: static 10.20.0.9');
  });

  for (const later of ['10.20.0.9', 'retained'])
    it(`C04: a dynamic lease ends after it was declared ${later}: a lease from the pool, same interface`, () => {
      const scene = new Scene([a], declare(m1, 'dynamic'));
      scene.dora(m1);
      scene.edit([a], declare(m1, later));
      scene.pass(hour);
      expect(scene.has(m1)).to.equal('dynamic r1: unbound');
      expect(scene.dora(m1)).to.equal('ack 10.20.0.100');
      expect(scene.has(m1)).to.equal('dynamic r1: lease 10.20.0.100');
    });

  it('C04, stricter: a leased address that became fixed is not regained once it ended, not even by its declarer', () => {
    const scene = new Scene([a], declare(m1, 'dynamic'));
    scene.dora(m1);
    scene.edit([a], declare(m1, '10.20.0.100'));
    expect(scene.renew(m1, '10.20.0.100')).to.equal('ack 10.20.0.100');
    scene.pass(hour);
    expect(scene.dora(m1)).to.equal('ack 10.20.0.101');
  });

  it('C05: dynamic for IPv4 whatever else is declared: a lease, not a static', () => {
    const scene = new Scene([a], declare(m1, 'dynamic'));
    expect(scene.dora(m1)).to.equal('ack 10.20.0.100');
    expect(scene.has(m1)).to.equal('dynamic r1: lease 10.20.0.100');
  });

  for (const policy of ['retained', 'preserved'])
    it(`C06: ${policy}: an offer binds nothing, the REQUEST one static, which has no end`, () => {
      const scene = new Scene([a], declare(m1, policy));
      expect(scene.discover(m1)).to.equal('offer 10.20.0.100');
      expect(scene.has(m1)).to.equal('nothing');
      expect(scene.select(m1, '10.20.0.100')).to.equal('ack 10.20.0.100');
      scene.pass(1000 * hour);
      expect(scene.has(m1)).to.equal(`${policy} r1: static 10.20.0.100`);
      expect(scene.model.standings()).to.have.lengthOf(1);
    });

  it('C18: an INFORM leaves no pin, so the edited declaration decides', () => {
    const scene = new Scene([a], declare(m1, 'dynamic'));
    expect(scene.model.inform(scene.now, m1, 'a', '10.20.0.50')).to.equal('ack');
    expect(scene.has(m1)).to.equal('nothing');
    scene.edit([a], declare(m1, 'retained'));
    scene.dora(m1);
    expect(scene.has(m1)).to.equal('retained r2: static 10.20.0.100');
  });

  describe('C19: allocation: reserved', () => {
    const closed: Network = { ...a, allocation: 'reserved' };
    for (const what of [undefined, 'dynamic', 'retained', 'preserved'])
      it(`refuses ${what ?? 'an undeclared owner'} without a pin`, () => {
        const scene = new Scene([closed], ...(what === undefined ? [] : [declare(m1, what)]));
        expect(scene.discover(m1)).to.equal('silent');
        expect(scene.select(m1, '10.20.0.100')).to.equal('silent');
        expect(scene.has(m1)).to.equal('nothing');
      });
    it('serves the fixed', () => {
      expect(new Scene([closed], declare(m1, '10.20.0.9')).dora(m1)).to.equal('ack 10.20.0.9');
    });
    it('renews what was bound before, and gives it no more once it ended', () => {
      const scene = new Scene([a]);
      scene.dora(m1);
      scene.edit([closed]);
      expect(scene.renew(m1, '10.20.0.100')).to.equal('ack 10.20.0.100');
      scene.pass(hour);
      expect(scene.discover(m1)).to.equal('silent');
      expect(scene.renew(m1, '10.20.0.100')).to.equal('silent');
    });
  });

  it('C20: one address and two clients: one is served, the other once the first released', () => {
    const scene = new Scene([{ ...a, pools: ['10.20.0.100'] }]);
    expect(scene.dora(m1)).to.equal('ack 10.20.0.100');
    expect(scene.discover(m2)).to.equal('silent');
    scene.release(m1, '10.20.0.100');
    expect(scene.has(m1)).to.equal('undeclared dynamic r1: unbound');
    expect(scene.dora(m2)).to.equal('ack 10.20.0.100');
  });

  it('C21: two DISCOVERs before either REQUEST: two addresses', () => {
    const scene = new Scene([a]);
    expect(scene.discover(m1)).to.equal('offer 10.20.0.100');
    expect(scene.discover(m2)).to.equal('offer 10.20.0.101');
  });

  it('C22: 50 clients at once and 50 addresses: 50 different ones, and none for the 51st', () => {
    const scene = new Scene([{ ...a, pools: ['10.20.0.100-10.20.0.119', '10.20.0.130-10.20.0.159'] }]);
    const clients = Array.from({ length: 50 }, (_, i) => `02:00:00:00:01:${i.toString(16).padStart(2, '0')}`);
    const offers = clients.map((mac) => scene.discover(mac));
    expect(new Set(offers)).to.have.lengthOf(50);
    expect(offers).not.to.include('silent');
    expect(scene.discover(m1)).to.equal('silent');
    for (const [i, mac] of clients.entries())
      expect(scene.select(mac, offers[i]!.slice('offer '.length))).to.match(/^ack /);
    expect(scene.discover(m1)).to.equal('silent');
    expect(new Set(scene.model.standings().map(({ address }) => address))).to.have.lengthOf(50);
  });

  it('C38: a fixed address in the pool is given to nobody while its declarer is kept on dynamic', () => {
    const scene = new Scene([{ ...a, pools: ['10.20.0.100-10.20.0.101'] }], declare(m1, 'dynamic'));
    scene.dora(m1);
    scene.edit([{ ...a, pools: ['10.20.0.100-10.20.0.101'] }], declare(m1, '10.20.0.101'));
    expect(scene.has(m1)).to.equal('dynamic r1: lease 10.20.0.100');
    expect(scene.discover(m2)).to.equal('silent');
    expect(scene.select(m2, '10.20.0.101')).to.equal('nak');
  });
});

describe('the naive model keeps what was decided for IPv4', () => {
  it('materialises fixed addresses after an edit and a restart, not those that are held', () => {
    const scene = new Scene([a], declare(m2, '10.20.0.9'));
    expect(scene.has(m2)).to.equal('fixed r1: static 10.20.0.9');
    scene.dora(m1);
    scene.edit([a], declare(m3, '10.20.0.100'));
    expect(scene.has(m3)).to.equal('nothing');
    expect(scene.discover(m3)).to.equal('silent');
    expect(scene.select(m3, '10.20.0.100')).to.equal('nak');
    scene.pass(hour);
    expect(scene.has(m3)).to.equal('nothing');
    scene.model.restart(scene.now);
    expect(scene.has(m3)).to.equal('fixed r2: static 10.20.0.100');
    expect(scene.has(m2)).to.equal('fixed r1: static 10.20.0.9');
  });

  it('prefers the running offer, the previous address, the wanted one, the lowest free, in this order', () => {
    const scene = new Scene([{ ...a, pools: ['10.20.0.102-10.20.0.103', '10.20.0.100-10.20.0.101'] }]);
    expect(scene.discover(m1, 'a', '10.20.0.50'), 'outside the pools').to.equal('offer 10.20.0.102');
    expect(scene.discover(m2, 'a', '10.20.0.101'), 'wanted').to.equal('offer 10.20.0.101');
    expect(scene.discover(m2, 'a', '10.20.0.100'), 'offered').to.equal('offer 10.20.0.101');
    scene.select(m2, '10.20.0.101');
    scene.release(m2, '10.20.0.101');
    expect(scene.discover(m2, 'a', '10.20.0.100'), 'previous').to.equal('offer 10.20.0.101');
    scene.pass(minute);
    expect(scene.discover(m3, 'a', '10.20.0.101'), 'wanted, released by another').to.equal('offer 10.20.0.101');
    expect(scene.discover(m2, 'a', '10.20.0.100'), 'previous is taken').to.equal('offer 10.20.0.100');
  });

  it('never gives network, broadcast, gateway and reserved addresses', () => {
    const net = { ...a, prefix: '10.20.0.0/29', pools: ['10.20.0.0-10.20.0.7'], reserved: ['10.20.0.3-10.20.0.5'] };
    const scene = new Scene([net]);
    expect(scene.dora(m1)).to.equal('ack 10.20.0.2');
    expect(scene.dora(m2)).to.equal('ack 10.20.0.6');
    for (const wanted of net.pools) expect(scene.discover(m3, 'a', wanted.split('-')[0])).to.equal('silent');
    const pair = { ...a, prefix: '10.20.0.2/31', gateway: undefined, pools: ['10.20.0.2-10.20.0.3'] };
    const small = new Scene([pair]);
    expect([small.dora(m1), small.dora(m2)]).to.deep.equal(['ack 10.20.0.2', 'ack 10.20.0.3']);
  });

  it('keeps an offer for 60 s and not over a restart', () => {
    const scene = new Scene([{ ...a, pools: ['10.20.0.100'] }]);
    scene.discover(m1);
    scene.pass(minute - 1);
    expect(scene.discover(m2)).to.equal('silent');
    scene.pass(1);
    expect(scene.discover(m2)).to.equal('offer 10.20.0.100');
    scene.model.restart(scene.now);
    expect(scene.select(m1, '10.20.0.100'), 'a lost offer, still possible').to.equal('ack 10.20.0.100');
    expect(scene.select(m2, '10.20.0.100')).to.equal('nak');
  });

  it('grants an offer that an edit made another’s fixed address or took out of the pool', () => {
    const scene = new Scene([a]);
    scene.discover(m1);
    scene.edit([{ ...a, pools: ['10.20.0.103'] }], declare(m2, '10.20.0.100'));
    expect(scene.has(m2)).to.equal('nothing');
    expect(scene.discover(m2)).to.equal('silent');
    expect(scene.discover(m1)).to.equal('offer 10.20.0.100');
    expect(scene.select(m1, '10.20.0.100')).to.equal('ack 10.20.0.100');
  });

  it('NAKs the old offer of an owner that was declared fixed meanwhile', () => {
    const scene = new Scene([a]);
    scene.discover(m1);
    scene.dora(m2);
    scene.edit([a], declare(m1, '10.20.0.101'));
    expect(scene.select(m1, '10.20.0.100'), 'its fixed address is held by another').to.equal('nak');
    expect(scene.has(m1)).to.equal('nothing');
    scene.edit([a], declare(m1, '10.20.0.9'));
    expect(scene.select(m1, '10.20.0.100')).to.equal('nak');
    expect(scene.has(m1)).to.equal('fixed r3: static 10.20.0.9');
    expect(scene.discover(m3), 'the offer went when the owner was bound').to.equal('offer 10.20.0.100');
  });

  it('answers a bound client with what it has, and NAKs a REQUEST for anything else', () => {
    const scene = new Scene([a]);
    scene.dora(m1);
    expect(scene.discover(m1, 'a', '10.20.0.103')).to.equal('offer 10.20.0.100');
    for (const kind of ['selecting', 'init-reboot'] as const)
      expect(scene.request(m1, { kind, address: '10.20.0.103', serverIsUs: true })).to.equal('nak');
    for (const kind of ['renew', 'rebind'] as const)
      expect(scene.request(m1, { kind, ciaddr: '10.20.0.103' })).to.equal('nak');
    expect(scene.has(m1)).to.equal('undeclared dynamic r1: lease 10.20.0.100');
  });

  it('is silent to those without a record unless they select us, and drops the offer of those who select another', () => {
    const scene = new Scene([{ ...a, pools: ['10.20.0.100-10.20.0.101'] }]);
    expect(scene.request(m1, { kind: 'init-reboot', address: '10.20.0.100' })).to.equal('silent');
    expect(scene.renew(m1, '10.20.0.100')).to.equal('silent');
    expect(scene.request(m1, { kind: 'rebind', ciaddr: '10.20.0.100' })).to.equal('silent');
    expect(scene.select(m1, '10.20.0.101')).to.equal('ack 10.20.0.101');
    expect(scene.discover(m2)).to.equal('offer 10.20.0.100');
    expect(scene.request(m2, { kind: 'selecting', address: '10.20.0.100', serverIsUs: false })).to.equal('silent');
    expect(scene.discover(m3)).to.equal('offer 10.20.0.100');
    expect(scene.discover(m2)).to.equal('silent');
    expect(scene.select(m2, '10.20.0.100')).to.equal('nak');
    expect(scene.request(m2, { kind: 'init-reboot', address: '10.20.0.100' })).to.equal('silent');
  });

  it('grants an expired address to its holder while it is free, else NAKs', () => {
    const scene = new Scene([a]);
    scene.dora(m1);
    scene.dora(m2);
    scene.pass(hour);
    expect(scene.request(m1, { kind: 'init-reboot', address: '10.20.0.101' })).to.equal('nak');
    expect(scene.request(m1, { kind: 'init-reboot', address: '10.20.0.100' })).to.equal('ack 10.20.0.100');
    expect(scene.select(m3, '10.20.0.101')).to.equal('ack 10.20.0.101');
    expect(scene.renew(m2, '10.20.0.101')).to.equal('nak');
  });

  it('NAKs an address of another network even under ignore, and renews by the network of ciaddr', () => {
    const scene = new Scene([a, { ...b, unknown: 'ignore' }]);
    scene.dora(m1);
    expect(scene.discover(m1, 'b')).to.equal('silent');
    expect(scene.request(m1, { kind: 'init-reboot', address: '10.20.0.100' }, 'b')).to.equal('nak');
    expect(scene.request(m1, { kind: 'rebind', ciaddr: '10.20.0.100' }, 'b')).to.equal('nak');
    expect(scene.renew(m1, '10.20.0.100', 'b')).to.equal('ack 10.20.0.100');
    expect(scene.select(m2, '10.30.0.100', 'b')).to.equal('silent');
  });

  it('judges unknown only where a new binding would be made', () => {
    const scene = new Scene([a]);
    scene.dora(m1);
    scene.edit([{ ...a, unknown: 'ignore' }]);
    expect(scene.renew(m1, '10.20.0.100')).to.equal('ack 10.20.0.100');
    scene.release(m1, '10.20.0.100');
    expect(scene.discover(m1)).to.equal('silent');
    expect(scene.select(m1, '10.20.0.100')).to.equal('silent');
  });

  for (const [why, declaration] of [
    ['a guard that names another network', declare(m1, 'retained', 'b')],
    ['a fixed address in another network', declare(m1, '10.30.0.9')],
  ] as const)
    it(`counts an owner as undeclared where it has ${why}, and refuses it under roaming: ignore`, () => {
      const scene = new Scene([a, b], declaration);
      expect(scene.dora(m1)).to.equal('ack 10.20.0.100');
      expect(scene.has(m1)).to.equal('undeclared dynamic r1: lease 10.20.0.100');
      const closed = new Scene([{ ...a, roaming: 'ignore' }, b], declaration);
      expect(closed.discover(m1)).to.equal('silent');
      expect(closed.discover(m2)).to.equal('offer 10.20.0.100');
    });

  it('ends a lease on RELEASE from its holder only, and leaves a static', () => {
    const scene = new Scene([a], declare(m2, 'retained'));
    scene.dora(m1);
    scene.dora(m2);
    scene.release(m2, '10.20.0.100');
    scene.release(m1, '10.20.0.101');
    expect(scene.has(m1)).to.equal('undeclared dynamic r1: lease 10.20.0.100');
    scene.release(m2, '10.20.0.101');
    expect(scene.has(m2)).to.equal('retained r1: static 10.20.0.101');
    scene.release(m1, '10.20.0.100');
    expect(scene.has(m1)).to.equal('undeclared dynamic r1: unbound');
  });

  it('quarantines a declined lease for 10 minutes', () => {
    const scene = new Scene([a]);
    scene.dora(m1);
    scene.decline(m2, '10.20.0.100');
    expect(scene.has(m1)).to.equal('undeclared dynamic r1: lease 10.20.0.100');
    scene.decline(m1, '10.20.0.100');
    expect(scene.has(m1)).to.equal('undeclared dynamic r1: unbound');
    expect(scene.dora(m1)).to.equal('ack 10.20.0.101');
    scene.model.restart(scene.now);
    scene.pass(10 * minute - 1);
    expect(scene.discover(m2, 'a', '10.20.0.100')).to.equal('offer 10.20.0.102');
    scene.pass(1);
    expect(scene.discover(m3, 'a', '10.20.0.100')).to.equal('offer 10.20.0.100');
  });

  it('is silent to the owner of a declined fixed address for 30 s, then gives the same', () => {
    const scene = new Scene([a], declare(m1, '10.20.0.9'));
    scene.dora(m1);
    scene.decline(m1, '10.20.0.9');
    scene.pass(30 * second - 1);
    expect(scene.discover(m1)).to.equal('silent');
    expect(scene.renew(m1, '10.20.0.9')).to.equal('silent');
    expect(scene.has(m1)).to.equal('fixed r1: static 10.20.0.9');
    scene.pass(1);
    expect(scene.dora(m1)).to.equal('ack 10.20.0.9');
  });

  it('re-binds a declined retained address under the same pin, and unbinds it where none is free', () => {
    const net = { ...a, pools: ['10.20.0.100-10.20.0.101'] };
    const scene = new Scene([net], declare(m1, 'retained'));
    scene.dora(m1);
    scene.edit([net], declare(m1, 'retained'));
    scene.decline(m1, '10.20.0.100');
    expect(scene.has(m1)).to.equal('retained r1: static 10.20.0.101');
    scene.decline(m1, '10.20.0.101');
    expect(scene.has(m1)).to.equal('retained r1: unbound');
    expect(scene.discover(m1)).to.equal('silent');
    scene.pass(10 * minute);
    scene.dora(m1);
    expect(scene.has(m1)).to.equal('retained r1: lease 10.20.0.100');
  });

  it('believes three DECLINEs of one owner in a sliding hour', () => {
    const scene = new Scene([a], declare(m1, '10.20.0.9'));
    const declines = (): boolean => {
      scene.decline(m1, '10.20.0.9');
      return scene.discover(m1) === 'silent';
    };
    for (let i = 0; i < 3; i++) {
      expect(declines()).to.be.true;
      scene.pass(minute);
    }
    expect(declines()).to.be.false;
    scene.pass(57 * minute - 1);
    expect(declines()).to.be.false;
    scene.pass(1);
    expect(declines()).to.be.true;
  });

  it('serves one alias at a time', () => {
    const scene = new Scene([a, b], declare([m1, m2], 'retained'));
    expect(scene.dora(m2)).to.equal('ack 10.20.0.100');
    expect(scene.has(m1)).to.equal('retained r1: static 10.20.0.100');
    scene.pass(hour - 1);
    expect(scene.discover(m1)).to.equal('silent');
    expect(scene.select(m1, '10.20.0.100')).to.equal('silent');
    expect(scene.dora(m1, 'b'), 'another interface').to.equal('ack 10.30.0.100');
    scene.pass(1);
    expect(scene.dora(m1)).to.equal('ack 10.20.0.100');
    scene.release(m2, '10.20.0.100');
    expect(scene.discover(m2)).to.equal('silent');
    scene.release(m1, '10.20.0.100');
    expect(scene.dora(m2)).to.equal('ack 10.20.0.100');
  });
});
