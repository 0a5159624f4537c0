// The writer's memory: the index of free addresses, kept in step with what is written, is what an index built anew would be.
import { expect } from 'chai';
import fc from 'fast-check';
import type { Store } from '../../db/store.js';
import { isNeverGiven } from '../../lib/ipam/conflict.js';
import type { Change, Hold, Offer } from '../../lib/ipam/model.js';
import type { Network, Site } from '../../lib/ipam/site.js';
import type { Owner } from '../../lib/net/ids.js';
import type { Ip4 } from '../../lib/net/ip.js';
import { formatIp } from '../../lib/net/ip.js';
import { compile } from '../../server/apply.js';
import { FreeIndex } from '../../server/free.js';
import { Memory } from '../../server/memory.js';
import { openStore } from '../../server/open.js';
import { file, m1 } from '../support/scenario.js';
import { HOUR, ip4, MINUTE, SECOND, START } from '../support/served.js';

function siteOf(text: string): { site: Site; revise: Change } {
  const compiled = compile(new Map([['dhcpd.yaml', text]]));
  if (!compiled.ok) return expect.fail(compiled.mistakes.map((note) => note.text).join('\n'));
  const { site, files, hash, declarations } = compiled.config;
  return { site, revise: { kind: 'revise', revision: { hash, files, at: START, author: 'test' }, site, declarations } };
}

const small = {
  a: { pools: ['10.20.0.0-10.20.0.3', '10.20.0.8', '10.20.0.5'], reserved: ['10.20.0.2'], gateway: '10.20.0.254' },
  b: { pools: ['10.30.0.4-10.30.0.5'] },
};

/** Every address of the pools of `network` in their order, one after the other. */
function poolOf({ pools }: Network): readonly Ip4[] {
  return pools.flatMap(({ first, last }) =>
    typeof first !== 'number' ? [] : Array.from({ length: Number(last) - first + 1 }, (_, i) => (first + i) as Ip4),
  );
}

describe('FreeIndex', () => {
  it('gives the lowest of the first pool that has one, without what the file keeps back', () => {
    const { site } = siteOf(file([], small));
    const index = new FreeIndex();
    index.rebuild(site);
    const drained: string[] = [];
    for (let next = index.lowest('a', 'ipv4'); next !== undefined; next = index.lowest('a', 'ipv4')) {
      drained.push(formatIp(next));
      index.set('default', next, true);
    }
    // 10.20.0.0 is the network's own address, 10.20.0.2 reserved.
    expect(drained).to.deep.equal(['10.20.0.1', '10.20.0.3', '10.20.0.8', '10.20.0.5']);
    expect(index.lowest('b', 'ipv4')).to.equal(ip4('10.30.0.4'));
    index.set('default', ip4('10.20.0.8'), false);
    expect(index.lowest('a', 'ipv4')).to.equal(ip4('10.20.0.8'));
  });

  it('knows nothing of addresses outside the pools, of other VRFs and networks, and of IPv6', () => {
    const { site } = siteOf(file([], small));
    const index = new FreeIndex();
    index.rebuild(site);
    for (const address of ['10.20.0.4', '10.20.0.9', '192.0.2.1', '255.255.255.255'])
      index.set('default', ip4(address), true);
    index.set('blue', ip4('10.20.0.1'), true);
    expect(index.lowest('a', 'ipv4')).to.equal(ip4('10.20.0.1'));
    expect(index.lowest('nowhere', 'ipv4')).to.equal(undefined);
    expect(index.lowest('a', 'ipv6')).to.equal(undefined);
  });

  it('takes an address in every VRF', () => {
    const { site } = siteOf(
      file([], { a: small.a, b: { prefixes: ['10.20.0.0/24'], pools: ['10.20.0.1-10.20.0.3'], vrf: 'blue' } }),
    );
    const index = new FreeIndex();
    index.rebuild(site);
    index.take(ip4('10.20.0.1'));
    expect([index.lowest('a', 'ipv4'), index.lowest('b', 'ipv4')]).to.deep.equal([ip4('10.20.0.3'), ip4('10.20.0.2')]);
  });
});

/** What one step of a random history writes, if it can. */
interface Act {
  readonly do: 'offer' | 'withdraw' | 'bind' | 'unbind' | 'hold' | 'decline' | 'unhold' | 'edit' | 'wait';
  readonly owner: number;
  readonly address: number;
}

const actArb: fc.Arbitrary<Act> = fc.record({
  do: fc.constantFrom<Act['do']>(
    'offer',
    'offer',
    'withdraw',
    'bind',
    'bind',
    'unbind',
    'hold',
    'decline',
    'unhold',
    'edit',
    'wait',
  ),
  owner: fc.nat({ max: 2 }),
  address: fc.nat({ max: 7 }),
});

const texts = [
  file([], small),
  file([{ mac: m1, ipv4: '10.20.0.3' }], { ...small, a: { ...small.a, reserved: [] } }),
  file([{ mac: m1, ipv4: '10.30.0.4' }], { ...small, a: { ...small.a, pools: ['10.20.0.3-10.20.0.6'] } }),
] as const;

/** A store with a memory beside it, as the writer has them. */
class Both {
  now = START;
  site: Site;
  readonly store: Store;
  readonly memory: Memory;
  readonly own = [ip4('10.20.0.1')];
  #edits = 0;

  constructor() {
    const { site, revise } = siteOf(texts[0]);
    this.site = site;
    this.store = openStore({ path: ':memory:', now: START });
    this.store.transact([() => ({ changes: [revise], value: 0 })], () => undefined);
    this.memory = new Memory(this.store, site, this.own, START);
  }

  write(...changes: readonly Change[]): void {
    this.memory.begin(this.now);
    const [settled] = this.store.transact([() => ({ changes, value: 0 })], this.memory.applied);
    expect(settled?.ok, settled?.ok === false ? settled.detail : '').to.be.true;
  }

  /** Takes everything back that this decision did, as a full disk does. */
  fail(...changes: readonly Change[]): void {
    this.memory.begin(this.now);
    const full = (): never => {
      throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
    };
    expect(() => this.store.transact([() => ({ changes, value: 0 }), full], this.memory.applied)).to.throw(
      /disk is full/,
    );
    this.memory.relearn();
  }

  act({ do: what, owner: who, address: which }: Act): void {
    const addresses = this.site.networks.flatMap((network) => poolOf(network).map((address) => ({ network, address })));
    const { network, address } = addresses[which % addresses.length] ?? expect.fail('no pool');
    const owner = `02:00:00:00:00:1${who}` as Owner;
    const standing = this.store.view.standing(network.name, owner, 'ipv4');
    const hold = this.store.view.hold('default', address);
    const offer: Offer = {
      vrf: 'default',
      network: network.name,
      owner,
      resource: 'ipv4',
      address,
      until: this.now + MINUTE,
    };
    const given = this.memory.offerTo(network.name, owner, 'ipv4');
    const by = this.memory.offerOf('default', address);
    const holder = this.store.view.holder('default', address);
    const taken = holder !== undefined || hold !== undefined;
    const mine = by === undefined || (by.owner === owner && by.network === network.name);
    const common = { at: this.now, actor: 'client' } as const;
    switch (what) {
      case 'offer':
        // Also of what is kept for the owner itself, as a cooling address is.
        if (holder === undefined && (hold === undefined || hold.owner === owner) && mine)
          this.write({ kind: 'offer', offer });
        return;
      case 'withdraw':
        if (given !== undefined) this.write({ kind: 'withdraw', offer: given });
        return;
      case 'bind':
        if (!taken && mine && standing?.binding === undefined)
          this.write(bind(network, owner, address, standing !== undefined, this.now));
        return;
      case 'unbind':
        if (standing?.binding !== undefined)
          this.write({ kind: 'unbind', standing, resource: 'ipv4', event: 'end', ...common });
        return;
      case 'hold':
        if (!taken && mine)
          this.write({ kind: 'hold', hold: quarantine(network, owner, address, this.now), ...common });
        return;
      case 'decline': {
        // Beside the owner's own binding, as a declined fixed address is on probation.
        const own = standing?.binding?.address;
        if (typeof own === 'number' && this.store.view.hold('default', own) === undefined)
          this.write({ kind: 'hold', hold: quarantine(network, owner, own, this.now), ...common });
        return;
      }
      case 'unhold':
        if (hold !== undefined) this.write({ kind: 'unhold', hold, ...common });
        return;
      case 'edit': {
        const { site, revise } = siteOf(`# ${++this.#edits}\n${texts[who % texts.length] ?? ''}`);
        this.write(revise);
        this.site = site;
        return;
      }
      case 'wait':
        this.now += 25 * SECOND;
        this.memory.begin(this.now);
    }
  }

  /** Which addresses are free, asked one by one of the store and of the offers. */
  expected(network: Network): readonly string[] {
    const free = (address: Ip4): boolean =>
      this.store.view.holder('default', address) === undefined &&
      this.store.view.hold('default', address) === undefined &&
      this.memory.offerOf('default', address) === undefined &&
      !isNeverGiven(network, this.own, this.store.view, address);
    return poolOf(network).filter(free).map(formatIp);
  }

  /** Which addresses the index gives, one after the other. */
  drained(network: Network): readonly string[] {
    const found: string[] = [];
    const offers: Offer[] = [];
    for (let i = 0; i < 20; i++) {
      const address = this.memory.lowestFree(network.name, 'ipv4');
      if (address === undefined) break;
      found.push(formatIp(address));
      const offer = {
        vrf: 'default',
        network: network.name,
        resource: 'ipv4',
        address,
        until: this.now + MINUTE,
      } as const;
      offers.push({ ...offer, owner: `drain ${i}` as Owner });
      this.memory.applied([{ kind: 'offer', offer: offers.at(-1) ?? expect.fail() }]);
    }
    for (const offer of offers) this.memory.applied([{ kind: 'withdraw', offer }]);
    return found;
  }
}

function bind(network: Network, owner: Owner, address: Ip4, isPinned: boolean, now: number): Change {
  const until = now + HOUR;
  return {
    kind: 'bind',
    network: network.name,
    vrf: 'default',
    owner,
    resource: 'ipv4',
    address,
    binding: 'lease',
    end: until,
    clientUntil: until,
    mac: undefined,
    pin: isPinned ? 'keep' : 'make',
    event: 'request',
    policy: 'dynamic',
    origin: 'undeclared',
    source: undefined,
    revision: 1,
    at: now,
    actor: 'client',
  };
}

function quarantine(network: Network, owner: Owner, address: Ip4, now: number): Hold {
  const what = { kind: 'quarantine', resource: 'ipv4', retake: false, until: now + HOUR } as const;
  return { vrf: 'default', network: network.name, address, owner, ...what };
}

describe('Memory', () => {
  it('after any history the index has what is free, no more and no less', () => {
    fc.assert(
      fc.property(fc.array(actArb, { maxLength: 60, size: 'max' }), (acts) => {
        const both = new Both();
        for (const act of acts) {
          both.act(act);
          for (const network of both.site.networks) expect(both.drained(network)).to.deep.equal(both.expected(network));
        }
        both.memory.begin(both.now);
        both.memory.relearn();
        expect(both.memory.offers, 'offers are forgotten').to.equal(0);
        for (const network of both.site.networks) expect(both.drained(network)).to.deep.equal(both.expected(network));
        both.store.close();
      }),
      { numRuns: 100 },
    );
  });

  it('an address on offer to its former owner stays taken when its hold is over', () => {
    const both = new Both();
    const [a] = both.site.networks;
    if (a === undefined) return expect.fail('no network');
    const [owner, address] = [m1 as Owner, ip4('10.20.0.3')];
    const hold: Hold = { ...quarantine(a, owner, address, START), kind: 'cooling', retake: true };
    const until = START + MINUTE;
    both.write({ kind: 'hold', hold, at: START, actor: 'client' });
    both.write({ kind: 'offer', offer: { vrf: 'default', network: 'a', owner, resource: 'ipv4', address, until } });
    both.write({ kind: 'unhold', hold, at: START, actor: 'expiry' });
    expect(both.drained(a)).to.deep.equal(['10.20.0.8', '10.20.0.5']);
    both.now = until;
    both.memory.begin(until);
    expect(both.drained(a)).to.deep.equal(['10.20.0.3', '10.20.0.8', '10.20.0.5']);
    both.store.close();
  });

  it('after a commit that failed it is as before: addresses, site, and who declined', () => {
    const both = new Both();
    const [a] = both.site.networks;
    if (a === undefined) return expect.fail('no network');
    const before = both.drained(a);
    const { revise } = siteOf(texts[2]);
    const owner = m1 as Owner;
    both.fail(
      bind(a, owner, ip4('10.20.0.3'), false, START),
      { kind: 'hold', hold: quarantine(a, owner, ip4('10.20.0.8'), START), at: START, actor: 'client' },
      revise,
    );
    expect(both.drained(a)).to.deep.equal(before);
    expect(both.memory.site).to.equal(both.site);
    expect(both.memory.declines(owner)).to.equal(0);
    both.store.close();
  });

  it('counts an owner’s DECLINEs within the last hour, also those of before the start', () => {
    const both = new Both();
    const [a] = both.site.networks;
    if (a === undefined) return expect.fail('no network');
    const decline = (address: string): void => {
      both.write({
        kind: 'hold',
        hold: quarantine(a, m1 as Owner, ip4(address), both.now),
        at: both.now,
        actor: 'client',
      });
    };
    decline('10.20.0.3');
    both.now += 40 * MINUTE;
    decline('10.20.0.8');
    expect(both.memory.declines(m1 as Owner)).to.equal(2);
    both.now += 20 * MINUTE;
    both.memory.begin(both.now);
    expect(both.memory.declines(m1 as Owner)).to.equal(1);
    expect(new Memory(both.store, both.site, both.own, both.now).declines(m1 as Owner)).to.equal(1);
    both.store.close();
  });
});
