// Holds the naive model itself to the scenarios of the contract, as far as IPv4 goes now.
import { expect } from 'chai';
import { Scene, a, declare, hour, m1, m2 } from './scene.js';
import type { Network } from './system.js';

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
