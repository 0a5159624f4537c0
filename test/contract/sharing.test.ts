// The contract's scenarios of sharing: who gets an address that several could have, and who gets none (the IPv4 part).
import { expect } from 'chai';
import type { Declaration } from '../../lib/ipam/model.js';
import type { Mac, Owner } from '../../lib/net/ids.js';
import { compile } from '../../server/apply.js';
import { m1, m2, m3, m4, file, scenario } from '../support/scenario.js';
import { HOUR, ip4, MINUTE, START } from '../support/served.js';

const owner = (mac: string): Owner => mac as Owner;
const many = (n: number): readonly string[] =>
  Array.from({ length: n }, (_, i) => `02:00:00:01:00:${i.toString(16).padStart(2, '0')}`);

function fixedAt(mac: string, address: string, line: number): Declaration {
  const ipv4 = { policy: 'fixed', address: ip4(address) } as const;
  const declared = { ipv4, ipv6: { policy: 'dynamic' }, primary: false, network: undefined, role: 'host' } as const;
  return { ...declared, owner: owner(mac), macs: [mac as Mac], machine: mac, source: { file: 'dhcpd.yaml', line } };
}

describe('contract: who gets what several could have', () => {
  scenario(
    'C08: two declare one fixed address, and a third its own → one of the two has it, the third is served',
    async (open) => {
      const server = await open(file([{ mac: m1, ipv4: '10.20.0.7' }]));
      // The file check refuses such a file; this is what slips through by the store's contract.
      const compiled = compile(new Map([['dhcpd.yaml', file([])]]));
      if (!compiled.ok) return expect.fail('the file has mistakes');
      const { site, files } = compiled.config;
      const done = server.write({
        kind: 'revise',
        revision: { hash: 'by hand', files, at: START, author: 'test' },
        site,
        declarations: [fixedAt(m2, '10.20.0.7', 3), fixedAt(m1, '10.20.0.7', 4), fixedAt(m3, '10.20.0.9', 5)],
      });
      expect(done.ok).to.be.true;
      expect(await server.reconcile()).to.equal(1);
      expect([m1, m2, m3].map((mac) => server.standing(mac))).to.deep.equal([
        'static 10.20.0.7 fixed@1',
        undefined,
        'static 10.20.0.9 fixed@2',
      ]);
      expect(server.told.at(-1)).to.deep.include({ event: 'fixed-not-bound' });
      expect(server.told.at(-1)?.facts).to.include({ owner: m2, reason: 'address-taken', at: 'dhcpd.yaml:3' });
      expect(server.discover(m2)).to.include({ type: 'silent', reason: 'address-taken' });
    },
  );

  scenario(
    'C09: the fixed address is leased to another → refused and reported; released → the next attempt gets it',
    async (open) => {
      const server = await open(file([]));
      server.dora(m2);
      await server.edit(file([{ mac: m1, ipv4: '10.20.0.100' }]));
      expect(server.told.at(-1)?.facts).to.include({ owner: m1, reason: 'address-taken', fixed: '10.20.0.100' });
      await server.restart();
      expect(server.discover(m1)).to.include({ type: 'silent', reason: 'address-taken' });
      expect(server.standing(m1)).to.equal(undefined);
      expect(server.renew(m2, '10.20.0.100').type, 'the holder is untouched').to.equal('ACK');
      server.release(m2, '10.20.0.100');
      expect(server.dora(m1)).to.equal('10.20.0.100');
      expect(server.standing(m1)).to.equal('static 10.20.0.100 fixed@2');
      expect(server.dora(m2), 'who held it does not regain it').to.equal('10.20.0.101');
    },
  );

  scenario('C19: a network becomes `allocation: reserved`', async (open) => {
    const reserved = { a: { allocation: 'reserved' } };
    const machines = [
      { mac: m1, policy: 'dynamic' },
      { mac: m2, policy: 'retained' },
      { mac: m3, ipv4: '10.20.0.7' },
      { mac: m4, policy: 'preserved' },
    ];
    const [before, stranger] = many(2) as [string, string];
    const server = await open(file(machines));
    const held = server.dora(before);
    await server.edit(file(machines, reserved));
    for (const mac of [m1, m2, m4, stranger])
      expect(server.discover(mac), mac).to.include({ type: 'silent', reason: 'allocation-reserved' });
    for (const mac of [m1, m2, m4, stranger]) expect(server.standing(mac), `${mac} has no pin`).to.equal(undefined);
    expect(server.dora(m3), 'fixed').to.equal('10.20.0.7');
    expect(server.renew(before, held).type, 'bound before the switch').to.equal('ACK');
    const hold = { vrf: 'default', network: 'a', address: ip4('10.20.0.150'), resource: 'ipv4' } as const;
    server.write({
      kind: 'hold',
      hold: { ...hold, kind: 'parked', owner: owner(m4), retake: true, until: undefined },
      at: server.now,
      actor: 'uid:0',
    });
    await server.restart();
    expect(server.dora(m4), 'preserved, and parked').to.equal('10.20.0.150');
    expect(server.standing(m4)).to.equal('static 10.20.0.150 preserved@2');
    server.now += 2 * HOUR;
    await server.expire();
    expect(server.discover(before), 'its lease is over').to.include({ type: 'silent', reason: 'allocation-reserved' });
  });

  scenario(
    'C20: one address, two clients → one is served, one silent and reported; released → the second',
    async (open) => {
      const server = await open(file([], { a: { pools: ['10.20.0.100'] } }));
      server.dora(m1);
      expect(server.discover(m2)).to.include({ type: 'silent', reason: 'pool-empty' });
      server.release(m1, '10.20.0.100');
      expect(server.dora(m2)).to.equal('10.20.0.100');
      expect(server.discover(m1)).to.include({ type: 'silent', reason: 'pool-empty' });
    },
  );

  scenario('C21: two DISCOVERs before either REQUEST → two addresses', async (open) => {
    const server = await open(file([]));
    const offers = server.together({ type: 'discover', mac: m1 }, { type: 'discover', mac: m2 });
    expect(offers.map(({ type, address }) => [type, address])).to.deep.equal([
      ['OFFER', '10.20.0.100'],
      ['OFFER', '10.20.0.101'],
    ]);
    expect(server.select(m2, '10.20.0.101').type).to.equal('ACK');
    expect(server.select(m1, '10.20.0.100').type).to.equal('ACK');
  });

  scenario('C22: 50 clients at once on 50 addresses → 50 different ones; the 51st none', async (open) => {
    const server = await open(file([], { a: { pools: ['10.20.0.100-10.20.0.149'] } }));
    const macs = many(51);
    const offers = server.together(...macs.map((mac) => ({ type: 'discover', mac }) as const));
    const given = offers.flatMap(({ address }) => address ?? []);
    expect(new Set(given).size).to.equal(50);
    expect(offers[50]).to.include({ type: 'silent', reason: 'pool-empty' });
    const requests = given.map(
      (requested, i) => ({ type: 'request', mac: macs[i] ?? '', requested, server: '10.20.0.1' }) as const,
    );
    expect(server.together(...requests).map(({ address }) => address)).to.deep.equal(given);
    await server.restart();
    expect(server.discover(macs[50] ?? '')).to.include({ type: 'silent', reason: 'pool-empty' });
    expect(server.store.list()).to.have.length(50);
  });

  scenario('C23 (IPv4 part): the same client twice at once → one address', async (open) => {
    const server = await open(file([]));
    const discover = { type: 'discover', mac: m1 } as const;
    expect(server.together(discover, discover).map(({ address }) => address)).to.deep.equal([
      '10.20.0.100',
      '10.20.0.100',
    ]);
    const request = { type: 'request', mac: m1, requested: '10.20.0.100', server: '10.20.0.1' } as const;
    expect(server.together(request, request).map(({ type, address }) => `${type} ${address}`)).to.deep.equal([
      'ACK 10.20.0.100',
      'ACK 10.20.0.100',
    ]);
    expect(server.store.list()).to.have.length(1);
    expect(server.store.history({ owner: owner(m1) })).to.have.length(1);
  });

  scenario('C33: the decision is committed and the answer lost → the retry gets the same address', async (open) => {
    const server = await open(file([{ mac: m2, policy: 'retained' }]));
    for (const mac of [m1, m2]) {
      const offered = server.discover(mac).address ?? '';
      // The ACK of this REQUEST is what the client never sees.
      server.select(mac, offered);
      await server.restart();
      expect(server.select(mac, offered), 'the REQUEST again').to.include({ type: 'ACK', address: offered });
      expect(server.dora(mac), 'or all over again').to.equal(offered);
      expect(server.store.history({ owner: owner(mac) }), 'one transition').to.have.length(1);
    }
  });

  scenario(
    'a restart loses offers: the REQUEST for one is granted where it is still possible, else NAKed',
    async (open) => {
      const server = await open(file([]));
      const first = server.discover(m1).address ?? '';
      const second = server.discover(m2).address ?? '';
      await server.restart();
      expect(server.dora(m3)).to.equal(first);
      expect(server.select(m1, first).type).to.equal('NAK');
      expect(server.select(m2, second)).to.include({ type: 'ACK', address: second });
    },
  );

  scenario(
    'C37: an undeclared owner gone for longer than `interfaces.keep` → purged and journaled; others stay',
    async (open) => {
      const machines = [
        { mac: m2, policy: 'dynamic' },
        { mac: m3, policy: 'retained' },
      ];
      const keep = { interfaces: { keep: '10d' } };
      const server = await open(file(machines, keep));
      for (const mac of [m1, m2, m3]) server.dora(mac);
      // The static one is declared no more; it stays for it has an address.
      await server.edit(file(machines.slice(0, 1), keep));
      server.now += HOUR;
      await server.expire();
      server.now += 10 * 24 * HOUR - 1;
      await server.expire();
      expect(server.standing(m1), 'not yet').to.equal('none dynamic@1');
      server.now += 1;
      await server.expire();
      expect([m1, m2, m3].map((mac) => server.standing(mac))).to.deep.equal([
        undefined,
        'none dynamic@1',
        'static 10.20.0.102 retained@1',
      ]);
      expect(server.store.history({ owner: owner(m1) }).at(-1)).to.include({ event: 'purge', actor: 'expiry' });
      await server.edit(file([{ mac: m1, policy: 'retained' }], keep));
      server.dora(m1);
      expect(server.standing(m1), 'a new interface follows the file').to.equal('static 10.20.0.100 retained@3');
    },
  );

  scenario(
    'C38: fixed Y inside the pool, its declarer kept on dynamic, the pool otherwise empty → nobody gets Y',
    async (open) => {
      const pool = { a: { pools: ['10.20.0.100-10.20.0.101'] } };
      const server = await open(file([], pool));
      server.dora(m1);
      await server.edit(file([{ mac: m1, ipv4: '10.20.0.101' }], pool));
      for (let round = 0; round < 2; round++) {
        expect(server.discover(m2)).to.include({ type: 'silent', reason: 'pool-empty' });
        expect(server.discover(m2, { requested: '10.20.0.101' })).to.include({ type: 'silent', reason: 'pool-empty' });
        expect(server.select(m2, '10.20.0.101').type).to.equal('NAK');
        expect(server.standing(m1)).to.equal('lease 10.20.0.100 dynamic@1');
        await server.restart();
      }
    },
  );

  scenario(
    'C39 (IPv4 part): the pool shrinks → what is held stays and is renewed, and nothing new is given there',
    async (open) => {
      const server = await open(file([{ mac: m2, policy: 'retained' }]));
      const [lease, kept] = [server.dora(m1), server.dora(m2)];
      await server.edit(file([{ mac: m2, policy: 'retained' }], { a: { pools: ['10.20.0.150-10.20.0.151'] } }));
      await server.restart();
      server.now += 30 * MINUTE;
      expect(server.renew(m1, lease).type).to.equal('ACK');
      expect(server.renew(m2, kept).type).to.equal('ACK');
      expect(server.dora(m3)).to.equal('10.20.0.150');
      server.release(m1, lease);
      expect(server.dora(m1), 'its address is outside the pool now').to.equal('10.20.0.151');
    },
  );

  scenario(
    'C39 (IPv4 part): a prefix goes while leased, retained and parked addresses lie in it → refused, each named; free again → taken',
    async (open) => {
      const declared = [{ mac: m2, policy: 'retained' }];
      const server = await open(file(declared, { b: {} }));
      const [lease, kept] = [server.dora(m1, { link: 'eth1' }), server.dora(m2, { link: 'eth1' })];
      const without = file(declared);
      const refusal = await server.edit(without);
      expect(refusal).to.include({ ok: false, reason: 'stranded' });
      expect(refusal.ok ? '' : refusal.detail?.split('\n')).to.deep.equal([
        `${lease} in 10.30.0.0/24 of network b is held by ${m1}: it is free when its lease ends or is released`,
        `${kept} in 10.30.0.0/24 of network b is held by ${m2}: it is static`,
      ]);
      expect(server.store.view.revision()).to.equal(1);
      expect(server.renew(m1, lease, { link: 'eth1' }).type, 'the old revision serves on').to.equal('ACK');

      const shrunk = file(declared, { b: { prefixes: ['10.30.0.0/25'], pools: ['10.30.0.100-10.30.0.101'] } });
      expect(await server.edit(shrunk), 'a smaller prefix that holds them all').to.deep.include({ ok: true, value: 2 });
      expect(server.renew(m2, kept, { link: 'eth1' }).type).to.equal('ACK');
    },
  );

  scenario(
    'C39 (IPv4 part): a network is renamed, its prefixes unchanged → its interfaces and offers follow, journaled',
    async (open) => {
      const server = await open(file([{ mac: m2, policy: 'retained' }]));
      const [lease, kept] = [server.dora(m1), server.dora(m2)];
      const offered = server.discover(m3).address ?? '';
      await server.edit(file([{ mac: m2, policy: 'retained' }], { a: { name: 'rack1' } }));
      expect(server.standing(m1, 'rack1')).to.equal(`lease ${lease} dynamic@1`);
      expect(server.standing(m2, 'rack1')).to.equal(`static ${kept} retained@1`);
      expect(server.standing(m1, 'a')).to.equal(undefined);
      expect(server.select(m3, offered)).to.include({ type: 'ACK', address: offered });
      expect(server.renew(m1, lease)).to.include({ type: 'ACK', address: lease });
      await server.restart();
      expect(server.renew(m2, kept)).to.include({ type: 'ACK', address: kept });
    },
  );

  scenario('a network that moves to another VRF while an address is held in it → refused', async (open) => {
    const server = await open(file([]));
    server.dora(m1);
    expect(await server.edit(file([], { a: { vrf: 'blue' } }))).to.include({ ok: false, reason: 'stranded' });
    expect(server.store.view.revision()).to.equal(1);
  });

  scenario('unknown: ignore → strangers get no new address, and keep what they have', async (open) => {
    const server = await open(file([]));
    const held = server.dora(m1);
    await server.edit(file([], { a: { unknown: 'ignore' } }));
    expect(server.discover(m2)).to.include({ type: 'silent', reason: 'unknown-ignored' });
    expect(server.renew(m1, held).type).to.equal('ACK');
    server.now += 2 * HOUR;
    expect(server.discover(m1)).to.include({ type: 'silent', reason: 'unknown-ignored' });
  });

  scenario(
    'roaming: ignore → whom the file declares for another network gets nothing here, and a NAK for its address there',
    async (open) => {
      const more = { b: { roaming: 'ignore' } };
      const server = await open(
        file(
          [
            { mac: m1, ipv4: '10.20.0.7' },
            { mac: m2, network: 'a' },
          ],
          more,
        ),
      );
      for (const mac of [m1, m2])
        expect(server.discover(mac, { link: 'eth1' }), mac).to.include({ type: 'silent', reason: 'roaming-ignored' });
      expect(server.send({ type: 'request', mac: m1, requested: '10.20.0.7', link: 'eth1' }).type).to.equal('NAK');
      expect(server.dora(m3, { link: 'eth1' })).to.equal('10.30.0.100');
    },
  );

  scenario('two MACs of one interface: while one has the address the other is refused', async (open) => {
    const server = await open(file([{ mac: [m1, m2], policy: 'retained' }]));
    const address = server.dora(m2);
    expect(server.standing(m1), 'the first MAC names the owner').to.equal(`static ${address} retained@1`);
    expect(server.discover(m1)).to.include({ type: 'silent', reason: 'alias-in-use' });
    await server.restart();
    expect(server.discover(m1)).to.include({ type: 'silent', reason: 'alias-in-use' });
    server.now += HOUR;
    expect(server.dora(m1)).to.equal(address);
  });
});
