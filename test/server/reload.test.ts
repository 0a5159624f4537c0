// Taking up an edited file, without sockets: what the operator is told, and what the store then says.
import { writeFileSync } from 'node:fs';
import { expect } from 'chai';
import type { Store } from '../../db/store.js';
import { formatIp } from '../../lib/net/ip.js';
import { apply, compile, emptySite, lastGood } from '../../server/apply.js';
import type { Facts } from '../../server/events/events.js';
import { Events } from '../../server/events/events.js';
import { openStore } from '../../server/open.js';
import { Reloader } from '../../server/reload.js';
import { Writer } from '../../server/writer.js';
import { freshFolder } from '../support/folder.js';
import { file, m1, m2 } from '../support/scenario.js';
import { START } from '../support/served.js';

describe('Reloader', () => {
  const folder = freshFolder();
  let store: Store;
  let reloader: Reloader;
  let told: (Facts & { readonly event: string })[];

  const write = (text: string): void => {
    writeFileSync(folder.at('dhcpd.yaml'), text);
  };
  const held = (): readonly string[] =>
    store.list().map(({ owner, binding }) => `${owner} ${binding === undefined ? '-' : formatIp(binding.address)}`);
  /** Reloads, and gives what was told meanwhile. */
  const reload = async (): Promise<typeof told> => {
    told.length = 0;
    await reloader.reload();
    return [...told];
  };

  beforeEach(async () => {
    const text = file([{ mac: m1, ipv4: '10.20.0.11' }]);
    write(text);
    const compiled = compile(new Map([['dhcpd.yaml', text]]));
    if (!compiled.ok) return expect.fail('the first file is good');
    const clock = { now: () => START };
    told = [];
    const sink = {
      // The file of these tests has names of later versions.
      write: (_level: string, event: string, facts: Facts) => {
        if (event !== 'config-warning') told.push({ event, ...facts });
      },
      close: () => Promise.resolve(),
    };
    const events = new Events(sink, clock.now);
    store = openStore({ path: folder.at('leasehold.db'), now: START });
    const writer = new Writer(store, clock, { site: emptySite, own: [] }, (error) => expect.fail(error.message));
    await apply(writer, store, compiled.config, 'test');
    const path = folder.at('dhcpd.yaml');
    reloader = new Reloader({ path, writer, store, events, author: 'test' }, compiled.config);
  });
  afterEach(() => {
    store.close();
  });

  it('an edit becomes the next revision, and what it fixes is bound', async () => {
    write(file([{ mac: m1, ipv4: '10.20.0.11' }, { mac: m2, ipv4: '10.20.0.12' }])); // prettier-ignore
    expect(await reload()).to.deep.equal([
      { event: 'reloaded', revision: 2, unchanged: false, interfaces: 2, bound: 2 },
    ]);
    expect(held()).to.deep.equal([`${m1} 10.20.0.11`, `${m2} 10.20.0.12`]);
  });

  it('the same file makes no revision', async () => {
    expect(await reload()).to.deep.equal([
      { event: 'reloaded', revision: 1, unchanged: true, interfaces: 1, bound: 1 },
    ]);
  });

  it('C28: one bad machine → the whole file is refused with file:line:column, the old revision serves on', async () => {
    write(file([{ mac: m1, ipv4: '10.20.0.11' }, { mac: m2, ipv4: '10.20.0.11' }])); // prettier-ignore
    const [refused, ...more] = await reload();
    expect(more).to.deep.equal([]);
    expect(refused).to.include({ event: 'config-refused' });
    expect(refused?.['problem']).to.match(/^dhcpd\.yaml:\d+:\d+: machines\[node2\]\.interfaces\[0\]\.ipv4: /);
    expect(store.view.revision()).to.equal(1);
    expect(lastGood(store)?.declarations).to.have.length(1);
  });

  it('a prefix with a holder goes → refused, and the holder is named', async () => {
    await reload();
    write(file([]).replace(/10\.20\./g, '10.40.'));
    expect((await reload()).map(({ problem }) => problem)).to.deep.equal([
      `10.20.0.11 in 10.20.0.0/24 of network a is held by ${m1}: it is static`,
    ]);
    expect(store.view.revision()).to.equal(1);
  });

  it('a file that is gone, and links that only a restart can serve, are told', async () => {
    write(file([{ mac: m1, ipv4: '10.20.0.11' }]).replace('[eth0]', '[eth0, eth1]'));
    expect(await reload()).to.deep.include({ event: 'restart-needed', changed: ['listen'] });
    reloader = new Reloader({ ...spare(), path: folder.at('gone.yaml') }, lastGood(store) ?? expect.fail('a good one'));
    const [refused] = await reload();
    expect(refused?.['problem']).to.include('gone.yaml');
  });

  it('calls while one runs are answered by one more run, which sees the latest file', async () => {
    const first = reloader.reload();
    write(file([{ mac: m2, ipv4: '10.20.0.12' }]));
    await Promise.all([first, reloader.reload(), reloader.reload()]);
    const reloaded = told.filter(({ event }) => event === 'reloaded');
    expect(reloaded).to.have.length(2);
    expect(reloaded.at(-1)).to.include({ revision: 2 });
  });

  it('a daemon that stops while a file is parsed does not touch the store any more', async () => {
    write(file([{ mac: m2, ipv4: '10.20.0.12' }]));
    const running = reloader.reload();
    await reloader.stop();
    store.close();
    await running;
    expect(told).to.deep.equal([]);
  });

  it('a daemon that stops while an edit is staged waits until it is whole', async () => {
    const many = Array.from({ length: 2000 }, (_, i) => ({
      mac: `02:00:00:00:${(i >> 8).toString(16).padStart(2, '0')}:${(i & 255).toString(16).padStart(2, '0')}`,
    }));
    write(file(many));
    const running = reloader.reload();
    while (store.newest() < 2) await new Promise(setImmediate);
    expect(store.view.revision(), 'drafted, not current').to.equal(1);
    await reloader.stop();
    expect(store.view.revision()).to.equal(2);
    expect(store.hasStale()).to.equal(false);
    store.close();
    await running;
  });

  function spare(): ConstructorParameters<typeof Reloader>[0] {
    const events = new Events(
      { write: (_level, event, facts) => void told.push({ event, ...facts }), close: () => Promise.resolve() },
      () => START,
    );
    const writer = new Writer(store, { now: () => START }, { site: emptySite, own: [] }, () => undefined);
    return { path: '', writer, store, events, author: 'test' };
  }
});
