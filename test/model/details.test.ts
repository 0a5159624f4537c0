// Holds the naive model to what was decided for IPv4 where the contract's scenarios say nothing.
import { expect } from 'chai';
import { Scene, a, b, declare, hour, m1, m2, m3, minute, second } from './scene.js';

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
