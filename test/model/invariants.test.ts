// Each invariant is broken once: a check that cannot fail holds nothing.
import { expect } from 'chai';
import { Invariants } from './invariants.js';
import { Scene, a, b, declare, m1, m2, m3, minute } from './scene.js';
import type { Standing } from './system.js';

const now = Date.UTC(2020, 0, 1);
const lease: Standing = {
  network: 'a',
  owner: m1,
  policy: 'dynamic',
  origin: 'undeclared',
  revision: 1,
  address: '10.20.0.100',
  kind: 'lease',
  end: now + minute,
};
const fixed: Standing = { ...lease, owner: m3, policy: 'fixed', address: '10.20.0.9', kind: 'static', end: undefined };

/** Invariants under one revision in which m3 is declared fixed, with `lease` standing. */
function following(): Invariants {
  const invariants = new Invariants();
  invariants.edited({ networks: [a, b], declarations: [declare(m3, '10.20.0.9')] });
  expect(invariants.stands(now, [lease], false)).to.be.empty;
  return invariants;
}

describe('the invariants', () => {
  const standings: readonly [string, readonly Standing[], boolean, RegExp][] = [
    ['two holders of an address', [lease, { ...fixed, address: '10.20.0.100' }], false, /held twice: 10\.20\.0\.100/],
    ['one interface twice', [lease, { ...lease, address: '10.20.0.101' }], false, /interface stands twice/],
    ['a pin of a later revision', [lease, { ...fixed, revision: 2 }], false, /pinned under revision 2, .* is 1/],
    ['an address without a kind', [lease, { ...fixed, kind: undefined }], false, /without a kind/],
    ['a static that ends', [lease, { ...fixed, end: now + 1 }], false, /has an end/],
    ['a lease without an end', [{ ...lease, end: undefined }], false, /without an end/],
    ['a lease that is over', [{ ...lease, end: now }], false, /is over/],
    ['a pin that went', [], false, /changed or went/],
    ['a pin that changed', [{ ...lease, policy: 'retained' }], false, /changed or went/],
    ['a holder that moved by itself', [{ ...lease, address: '10.20.0.101' }], true, /moved from 10\.20\.0\.100/],
  ];
  for (const [name, after, still, expected] of standings)
    it(`see ${name}`, () => {
      expect(following().stands(now, after, still).join()).to.match(expected);
    });

  const offers: readonly [string, string, string, string, RegExp | undefined][] = [
    ['an offer of what another holds', m2, 'a', '10.20.0.100', /held by/],
    ['an offer of a gateway', m2, 'a', '10.20.0.1', /never to be given/],
    ['an offer of a network address', m2, 'a', '10.20.0.0', /never to be given/],
    ['an offer of another’s fixed address', m2, 'a', '10.20.0.9', /never to be given/],
    ['an offer from outside the pools', m2, 'a', '10.20.0.50', /never to be given/],
    ['nothing wrong with a free one', m2, 'a', '10.20.0.101', undefined],
    ['nothing wrong with what the client has', m1, 'a', '10.20.0.100', undefined],
    ['nothing wrong with its own fixed address', m3, 'a', '10.20.0.9', undefined],
  ];
  for (const [name, mac, network, address, expected] of offers)
    it(`see ${name}`, () => {
      const broken = following().answered(now, mac, network, `offer ${address}`);
      if (expected === undefined) expect(broken).to.be.empty;
      else expect(broken.join()).to.match(expected);
    });

  it('see an address offered to two until the offer ends, is turned down, or the server restarts', () => {
    const over: readonly ((invariants: Invariants) => number)[] = [
      () => now + minute,
      (invariants) => (invariants.turnedDown(m2, 'a'), now),
      (invariants) => (invariants.restarted(), now),
    ];
    for (const end of over) {
      const invariants = following();
      expect(invariants.answered(now, m2, 'a', 'offer 10.20.0.101')).to.be.empty;
      expect(invariants.answered(now + minute - 1, m3, 'a', 'offer 10.20.0.101').join()).to.match(/and to 02:/);
      const other = following();
      other.answered(now, m2, 'a', 'offer 10.20.0.101');
      expect(other.answered(end(other), m3, 'a', 'offer 10.20.0.101')).to.be.empty;
    }
  });

  it('see an ACK of what is not bound', () => {
    const invariants = following();
    expect(invariants.acknowledged(m1, 'ack 10.20.0.100')).to.be.empty;
    expect(invariants.acknowledged(m2, 'ack 10.20.0.100').join()).to.match(/not bound to it/);
    expect(invariants.acknowledged(m2, 'ack')).to.be.empty;
  });

  it('hold for the model in an ordinary course', () => {
    const scene = new Scene([a, b], declare(m3, '10.20.0.9'));
    const invariants = new Invariants();
    invariants.edited({ networks: [a, b], declarations: [declare(m3, '10.20.0.9')] });
    const offer = scene.discover(m1);
    expect(invariants.answered(scene.now, m1, 'a', offer)).to.be.empty;
    const ack = scene.select(m1, offer.slice('offer '.length));
    expect(invariants.stands(scene.now, scene.model.standings(), false)).to.be.empty;
    expect(invariants.acknowledged(m1, ack)).to.be.empty;
  });
});
