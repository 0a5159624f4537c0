// The contract's scenarios of pinning: which declaration rules an address, and for how long (the IPv4 part).
import { expect } from 'chai';
import { m1, m2, m3, file, scenario } from '../support/scenario.js';
import { HOUR, ip4, MINUTE, SECOND } from '../support/served.js';
import type { Owner } from '../../lib/net/ids.js';

const owner = (mac: string): Owner => mac as Owner;

describe('contract: what is pinned', () => {
  scenario('C01 (IPv4 part): retained and bound, then declared dynamic → the address stays, static', async (open) => {
    const server = await open(file([{ mac: m1, policy: 'retained' }]));
    const address = server.dora(m1);
    await server.edit(file([{ mac: m1, policy: 'dynamic' }]));
    await server.restart();
    server.now += 30 * HOUR;
    await server.expire();
    expect(server.dora(m1)).to.equal(address);
    expect(server.standing(m1)).to.equal(`static ${address} retained@1`);
  });

  scenario(
    'C02 (IPv4 part): dynamic lease, then declared retained → stays a lease, also when renewed',
    async (open) => {
      const server = await open(file([{ mac: m1, policy: 'dynamic' }]));
      const address = server.dora(m1);
      await server.edit(file([{ mac: m1, policy: 'retained' }]));
      server.now += 30 * MINUTE;
      expect(server.renew(m1, address).type).to.equal('ACK');
      await server.restart();
      expect(server.standing(m1)).to.equal(`lease ${address} dynamic@1`);
    },
  );

  scenario(
    'C03 (IPv4 part): fixed outside every network → refused without a pin; corrected → static there',
    async (open) => {
      const server = await open(file([{ mac: m1, ipv4: '192.0.2.7' }]));
      for (const got of [server.discover(m1), server.select(m1, '10.20.0.100')])
        expect(got).to.include({ type: 'silent', reason: 'fixed-outside' });
      expect(server.standing(m1)).to.equal(undefined);
      expect(server.told.map(({ event, facts }) => [event, facts.reason, facts.at])).to.deep.include([
        'fixed-not-bound',
        'fixed-outside',
        'dhcpd.yaml:5',
      ]);
      await server.edit(file([{ mac: m1, ipv4: '10.20.0.7' }]));
      expect(server.dora(m1)).to.equal('10.20.0.7');
      expect(server.standing(m1)).to.equal('static 10.20.0.7 fixed@2');
    },
  );

  for (const [word, later] of [
    ['fixed', { mac: m1, ipv4: '10.20.0.7' }],
    ['retained', { mac: m1, policy: 'retained' }],
  ] as const)
    scenario(
      `C04: dynamic lease, then declared ${word}, then the lease ends → again a lease from the pool, same interface`,
      async (open) => {
        const server = await open(file([{ mac: m1, policy: 'dynamic' }]));
        server.dora(m1);
        const before = server.store.view.standing('a', owner(m1), 'ipv4')?.iface;
        await server.edit(file([later]));
        server.now += 2 * HOUR;
        await server.expire();
        expect(server.standing(m1)).to.equal('none dynamic@1');
        await server.restart();
        expect(server.dora(m1)).to.equal('10.20.0.100');
        expect(server.standing(m1)).to.equal('lease 10.20.0.100 dynamic@1');
        expect(server.store.view.standing('a', owner(m1), 'ipv4')?.iface)
          .to.equal(before)
          .and.to.be.a('number');
      },
    );

  scenario('C05: fixed for IPv6 only; DISCOVER → IPv4 dynamic, not retained', async (open) => {
    const server = await open(file([{ mac: m1, ipv6: 'fd00:20::11' }]));
    server.dora(m1);
    expect(server.standing(m1)).to.equal('lease 10.20.0.100 dynamic@1');
  });

  scenario('C06: retained, DORA → one static binding; far past the lease end → still there', async (open) => {
    const server = await open(file([{ mac: m1, policy: 'retained' }]));
    expect(server.discover(m1).address).to.equal('10.20.0.100');
    expect(server.standing(m1), 'an offer is no pin').to.equal(undefined);
    expect(server.select(m1, '10.20.0.100').type).to.equal('ACK');
    expect(server.standing(m1)).to.equal('static 10.20.0.100 retained@1');
    expect(server.store.list(), 'one binding').to.have.length(1);
    expect(server.store.history({ owner: owner(m1) }), 'one transition').to.have.length(1);
    server.now += 400 * 24 * HOUR;
    await server.expire();
    await server.restart();
    expect(server.standing(m1)).to.equal('static 10.20.0.100 retained@1');
    expect(server.discover(m2).address, 'nobody else gets it').to.equal('10.20.0.101');
  });

  scenario('C07: fixed; reconcile twice → one binding, and the second pass writes nothing', async (open) => {
    const server = await open(file([{ mac: m1, ipv4: '10.20.0.7' }]));
    const rows = server.store.history({ owner: owner(m1) });
    expect(rows.map(({ event, actor }) => [event, actor])).to.deep.equal([['materialise', 'reconcile']]);
    server.now += MINUTE;
    expect(await server.reconcile()).to.equal(0);
    await server.restart();
    expect(server.store.history({ owner: owner(m1) })).to.deep.equal(rows);
    expect(server.standing(m1)).to.equal('static 10.20.0.7 fixed@1');
  });

  scenario('C18 (IPv4 part): INFORM only → no pin; declaration edited; DORA → the edited one', async (open) => {
    const server = await open(file([{ mac: m1, policy: 'dynamic' }]));
    const informed = server.send({ type: 'inform', mac: m1, ciaddr: '10.20.0.50', source: '10.20.0.50' });
    expect(informed).to.include({ type: 'ACK', reason: 'informed' });
    expect(server.standing(m1)).to.equal(undefined);
    await server.edit(file([{ mac: m1, policy: 'retained' }]));
    server.dora(m1);
    expect(server.standing(m1)).to.equal('static 10.20.0.100 retained@2');
  });

  scenario('a lease that ends leaves its pin: RELEASE, then declared fixed → a lease again', async (open) => {
    const server = await open(file([{ mac: m1, policy: 'dynamic' }]));
    server.release(m1, server.dora(m1));
    await server.edit(file([{ mac: m1, ipv4: '10.20.0.7' }]));
    expect(server.standing(m1)).to.equal('none dynamic@1');
    server.dora(m1);
    expect(server.standing(m1)).to.equal('lease 10.20.0.100 dynamic@1');
  });

  scenario(
    'the declaration is deleted → what is bound stays and is renewed; the eligible counts as undeclared',
    async (open) => {
      const all = [
        { mac: m1, ipv4: '10.20.0.7' },
        { mac: m2, policy: 'retained' },
        { mac: m3, policy: 'retained' },
      ];
      const server = await open(file(all));
      const kept = server.dora(m2);
      await server.edit(file([]));
      await server.restart();
      server.now += 5 * HOUR;
      await server.expire();
      expect(server.dora(m1)).to.equal('10.20.0.7');
      expect(server.dora(m2)).to.equal(kept);
      server.dora(m3);
      expect([m1, m2, m3].map((mac) => server.standing(mac))).to.deep.equal([
        'static 10.20.0.7 fixed@1',
        `static ${kept} retained@1`,
        'lease 10.20.0.101 dynamic@2',
      ]);
    },
  );

  scenario('an undeclared lease is not converted by a later declaration', async (open) => {
    const server = await open(file([]));
    server.dora(m1);
    await server.edit(file([{ mac: m1, ipv4: '10.20.0.7' }]));
    expect(server.renew(m1, '10.20.0.100').type).to.equal('ACK');
    expect(server.standing(m1)).to.equal('lease 10.20.0.100 dynamic@1');
    expect(server.store.view.standing('a', owner(m1), 'ipv4')?.pin?.origin).to.equal('undeclared');
  });

  scenario('two networks are two interfaces: fixed in a, a lease in b, each with a pin of its own', async (open) => {
    const server = await open(file([{ mac: m1, ipv4: '10.20.0.7' }], { b: {} }));
    expect(server.dora(m1)).to.equal('10.20.0.7');
    expect(server.dora(m1, { link: 'eth1' })).to.equal('10.30.0.100');
    expect([server.standing(m1, 'a'), server.standing(m1, 'b')]).to.deep.equal([
      'static 10.20.0.7 fixed@1',
      'lease 10.30.0.100 dynamic@1',
    ]);
    expect(server.send({ type: 'request', mac: m1, requested: '10.20.0.7', link: 'eth1' }).type).to.equal('NAK');
  });

  scenario('an edit never moves what is held: fixed A becomes fixed B → A stays', async (open) => {
    const server = await open(file([{ mac: m1, ipv4: '10.20.0.7' }]));
    server.dora(m1);
    await server.edit(file([{ mac: m1, ipv4: '10.20.0.8' }]));
    await server.restart();
    expect(server.dora(m1)).to.equal('10.20.0.7');
    expect(server.standing(m1)).to.equal('static 10.20.0.7 fixed@1');
    expect(server.discover(m2, { requested: '10.20.0.8' }).address, 'B is for nobody else').to.equal('10.20.0.100');
  });

  scenario('a failed allocation leaves no pin: the next attempt follows the file as it then is', async (open) => {
    const server = await open(file([{ mac: m1, policy: 'retained' }], { a: { pools: ['10.20.0.100'] } }));
    server.dora(m2);
    expect(server.discover(m1)).to.include({ type: 'silent', reason: 'pool-empty' });
    await server.edit(file([{ mac: m1, policy: 'dynamic' }], { a: { pools: ['10.20.0.100-10.20.0.101'] } }));
    server.dora(m1);
    expect(server.standing(m1)).to.equal('lease 10.20.0.101 dynamic@2');
  });

  scenario('DECLINE of a fixed address: silence for the probation of 30 s, then the same again', async (open) => {
    const server = await open(file([{ mac: m1, ipv4: '10.20.0.7' }]));
    server.dora(m1);
    expect(server.decline(m1, '10.20.0.7').reason).to.equal('declined');
    await server.restart();
    server.now += 29 * SECOND;
    expect(server.discover(m1)).to.include({ type: 'silent', reason: 'on-probation' });
    server.now += SECOND;
    expect(server.dora(m1)).to.equal('10.20.0.7');
    expect(server.store.view.hold('default', ip4('10.20.0.7'))?.kind, 'over, and expiry takes it away').to.equal(
      'quarantine',
    );
    await server.expire();
    expect(server.store.holds()).to.deep.equal([]);
  });
});
