// The passes over everything: expiry and reconcile, a slice a turn, each row decided again inside its transaction.
import { expect } from 'chai';
import type { Store } from '../../db/store.js';
import type { Owner } from '../../lib/net/ids.js';
import { apply, compile } from '../../server/apply.js';
import { Events } from '../../server/events/events.js';
import { openStore } from '../../server/open.js';
import { reconcile } from '../../server/reconcile.js';
import { Writer } from '../../server/writer.js';
import { file, m1, m2 } from '../support/scenario.js';
import { HOUR, MINUTE, Served, START } from '../support/served.js';

const macs = (n: number): readonly string[] =>
  Array.from(
    { length: n },
    (_, i) => `02:00:00:02:${(i >> 8).toString(16).padStart(2, '0')}:${(i & 255).toString(16).padStart(2, '0')}`,
  );

describe('expiry', () => {
  it('ends what is over and only that, over more interfaces than a slice has', async () => {
    const wide = { a: { prefixes: ['10.20.0.0/20'], pools: ['10.20.1.0-10.20.7.255'] } };
    const server = await Served.open({ text: file([], wide) });
    const all = macs(1200);
    for (const mac of all) server.dora(mac);
    server.now += 30 * MINUTE;
    const renewed = all.filter((_, i) => i % 100 === 0);
    for (const mac of renewed) server.renew(mac, server.dora(mac));
    server.now += 30 * MINUTE;
    expect(await server.expire()).to.equal(1200 - renewed.length);
    const held = server.store.list(({ binding }) => binding !== undefined).map(({ owner }) => owner as string);
    expect(held).to.have.members(renewed);
    expect(await server.expire(), 'a second pass has nothing to do').to.equal(0);
    server.close();
  });

  it('takes holds away whose time is over, and makes their addresses free', async () => {
    const server = await Served.open({ text: file([], { a: { pools: ['10.20.0.100'] } }) });
    server.decline(m1, server.dora(m1));
    expect(server.discover(m2).reason).to.equal('pool-empty');
    server.now += 10 * MINUTE;
    expect(await server.expire()).to.equal(1);
    expect(server.store.holds()).to.deep.equal([]);
    expect(server.discover(m2).address).to.equal('10.20.0.100');
    server.close();
  });

  it('an address is free at its end, whether the pass has come by or not', async () => {
    const server = await Served.open({ text: file([]) });
    const held = server.dora(m1);
    server.now += HOUR;
    expect(server.dora(m2, { requested: held })).to.equal(held);
    expect(server.standing(m1)).to.equal('none dynamic@1');
    server.close();
  });
});

describe('reconcile', () => {
  it('binds more fixed addresses than a slice has; one that cannot be had harms no other', async () => {
    const wide = { a: { prefixes: ['10.20.0.0/20'], pools: ['10.20.8.0-10.20.8.9'] } };
    const server = await Served.open({ text: file([], wide) });
    const taken = server.dora(m1);
    const all = macs(450).map((mac, i) => ({ mac, ipv4: `10.20.${1 + (i >> 8)}.${i & 255}` }));
    await server.edit(file([{ mac: m2, ipv4: taken }, ...all], wide));
    expect(server.store.list(({ binding }) => binding?.kind === 'static')).to.have.length(450);
    expect(server.told.filter(({ event }) => event === 'fixed-not-bound')).to.have.length(1);
    server.close();
  });

  describe('C27: the pass read revision 1, revision 2 lands before it writes', () => {
    let store: Store;
    let writer: Writer;
    const events = new Events({ write: () => undefined, close: () => Promise.resolve() }, () => START);
    const first = file([{ mac: m1, ipv4: '10.20.0.7' }]);
    beforeEach(() => {
      store = openStore({ path: ':memory:', now: START });
    });
    afterEach(() => {
      store.close();
    });

    for (const [says, second, then] of [
      ['another address', file([{ mac: m1, ipv4: '10.20.0.8' }]), ['10.20.0.8 fixed@2']],
      ['dynamic', file([{ mac: m1, policy: 'dynamic' }]), []],
      ['nothing', file([]), []],
    ] as const)
      it(`which says ${says} → what revision 1 said is never written`, async () => {
        const config = (text: string): Parameters<typeof apply>[2] => {
          const compiled = compile(new Map([['dhcpd.yaml', text]]));
          return compiled.ok ? compiled.config : expect.fail('the file has mistakes');
        };
        writer = new Writer(store, { now: () => START }, { site: config(first).site, own: [] }, () => undefined);
        await apply(writer, store, config(first), 'test');
        const read = store.fixedAfter(0, 100);
        expect(read, 'what the pass read of revision 1').to.have.length(1);
        await apply(writer, store, config(second), 'test');
        await reconcile({ fixedAfter: (after) => (after === 0 ? read : []) }, writer, events);
        await reconcile(store, writer, events);
        const served = store.history({ owner: m1 as Owner }).map(({ address, after }) => {
          const { policy, pin_revision: revision } = JSON.parse(after ?? '{}') as {
            policy?: string;
            pin_revision?: number;
          };
          return `${address ?? ''} ${policy ?? ''}@${revision ?? ''}`;
        });
        expect(served).to.deep.equal(then);
      });
  });
});
