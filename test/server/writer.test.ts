// The one door: what gathers in a turn is one transaction, callers hear of it when it is durable, and a failed commit answers nobody.
import { expect } from 'chai';
import type { Store } from '../../db/store.js';
import type { StoreUnusable } from '../../db/store.js';
import type { Change } from '../../lib/ipam/model.js';
import type { Owner } from '../../lib/net/ids.js';
import { formatIp } from '../../lib/net/ip.js';
import type { Result } from '../../lib/net/reason.js';
import { apply, compile } from '../../server/apply.js';
import { openReader, openStore } from '../../server/open.js';
import { Writer } from '../../server/writer.js';
import { freshFolder } from '../support/folder.js';
import { file, m1, m2 } from '../support/scenario.js';
import { ip4, MINUTE, START } from '../support/served.js';

/** The store with a commit that fails while `full` says so, as a full disk makes it fail: after everything was decided and applied. */
function failing(store: Store, full: () => boolean): Store {
  const disk = (): never => {
    throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
  };
  const transact: Store['transact'] = (decisions, applied) =>
    store.transact(full() ? [...decisions, disk] : decisions, applied);
  return new Proxy(store, {
    get(target, key) {
      if (key === 'transact') return transact;
      const value: unknown = Reflect.get(target, key);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

const text = file([], { a: { pools: ['10.20.0.100-10.20.0.101'] } });

function configOf(yaml: string): Parameters<typeof apply>[2] {
  const compiled = compile(new Map([['dhcpd.yaml', yaml]]));
  return compiled.ok ? compiled.config : expect.fail(compiled.mistakes.map((note) => note.text).join('\n'));
}

describe('Writer', () => {
  const folder = freshFolder();
  const failures: StoreUnusable[] = [];
  let now = START;
  let full = false;
  let transactions = 0;
  let store: Store;
  let writer: Writer;
  beforeEach(async () => {
    [now, full, transactions] = [START, false, 0];
    failures.length = 0;
    store = openStore({ path: folder.at('leasehold.db'), now });
    const counted = failing(store, () => {
      transactions++;
      return full;
    });
    const config = configOf(text);
    writer = new Writer(counted, { now: () => now }, { site: config.site, own: [] }, (error) => failures.push(error));
    await apply(writer, store, config, 'test');
    transactions = 0;
  });
  afterEach(() => {
    store.close();
  });

  /** Binds the lowest free address to `owner`; what the decision saw of it. */
  const take =
    (owner: string) =>
    (scene: Parameters<Parameters<Writer['put']>[0]>[0]): { changes: Change[]; value: string } => {
      const address = scene.view.lowestFree('a', 'ipv4');
      if (address === undefined) return { changes: [], value: 'none' };
      const until = scene.now + MINUTE;
      const made = {
        revision: 1,
        at: scene.now,
        actor: 'client',
        policy: 'dynamic',
        origin: 'undeclared',
        source: undefined,
      } as const;
      const change: Change = {
        kind: 'bind',
        network: 'a',
        vrf: 'default',
        owner: owner as Owner,
        resource: 'ipv4',
        address,
        binding: 'lease',
        end: until,
        clientUntil: until,
        mac: undefined,
        pin: 'make',
        event: 'request',
        ...made,
      };
      return { changes: [change], value: formatIp(address) };
    };
  const offer = (owner: string) => (): { changes: Change[]; value: string } => {
    const address = ip4('10.20.0.100');
    const given = {
      vrf: 'default',
      network: 'a',
      owner: owner as Owner,
      resource: 'ipv4',
      address,
      until: now + MINUTE,
    } as const;
    return { changes: [{ kind: 'offer', offer: given }], value: 'offered' };
  };
  const said = (result: Result<string>): string => (result.ok ? result.value : result.reason);

  it('gathers what one turn brings into one transaction, in its order', async () => {
    const results = await Promise.all([m1, m2, 'hw:6:03'].map((owner) => writer.submit(take(owner))));
    expect(results.map(said)).to.deep.equal(['10.20.0.100', '10.20.0.101', 'none']);
    expect(transactions).to.equal(1);
  });

  it('what is put while answers go out waits for the next turn', async () => {
    const order: string[] = [];
    await new Promise<void>((resolve) => {
      writer.put(take(m1), (first) => {
        order.push(said(first));
        writer.put(take(m2), (second) => {
          order.push(said(second));
          resolve();
        });
        order.push('put');
      });
    });
    expect(order).to.deep.equal(['10.20.0.100', 'put', '10.20.0.101']);
    expect(transactions).to.equal(2);
  });

  it('tells nobody before everything is durable', async () => {
    const reader = openReader(folder.at('leasehold.db'));
    const seen: number[] = [];
    await Promise.all([m1, m2].map((owner) => writer.submit(take(owner)).then(() => seen.push(reader.list().length))));
    expect(seen).to.deep.equal([2, 2]);
    reader.close();
  });

  it('a failed commit answers nobody, and is reported once for the batch', async () => {
    full = true;
    const results = await Promise.all([m1, m2].map((owner) => writer.submit(take(owner))));
    expect(results.map(said)).to.deep.equal(['store-failed', 'store-failed']);
    expect(failures.map(({ message }) => message)).to.deep.equal([
      `the store ${folder.at('leasehold.db')} cannot be used: the disk is full (SQLITE_FULL)`,
    ]);
    expect(store.list()).to.deep.equal([]);
  });

  it('after it everything is as before: the addresses are free, and the next batch gets them', async () => {
    full = true;
    await writer.submit(take(m1));
    full = false;
    expect(said(await writer.submit(take(m2)))).to.equal('10.20.0.100');
    expect(store.list().map(({ owner }) => owner)).to.deep.equal([m2]);
  });

  it('offers of a failed batch are not kept', async () => {
    full = true;
    await writer.submit(offer(m1));
    full = false;
    const look = await writer.submit((scene) => ({
      changes: [],
      value: scene.view.offerOf('default', ip4('10.20.0.100')),
    }));
    expect(look.ok && look.value).to.equal(undefined);
    expect(writer.offers).to.equal(0);
  });

  it('a revision that could not be written is not the site of the next decision', async () => {
    full = true;
    const other = configOf(file([], { a: { pools: ['10.20.0.180'] } }));
    expect(await apply(writer, store, other, 'test')).to.include({ ok: false, reason: 'store-failed' });
    full = false;
    expect(said(await writer.submit(take(m1)))).to.equal('10.20.0.100');
    expect(await apply(writer, store, other, 'test')).to.deep.equal({ ok: true, value: 2 });
    expect(said(await writer.submit(take(m2)))).to.equal('10.20.0.180');
  });

  it('a decision that throws fails alone', async () => {
    const results = await Promise.all([
      writer.submit(take(m1)),
      writer.submit<string>(() => {
        throw new Error('a defect');
      }),
      writer.submit(take(m2)),
    ]);
    expect(results.map(said)).to.deep.equal(['10.20.0.100', 'decision-failed', '10.20.0.101']);
    expect(failures).to.deep.equal([]);
  });

  it('the time is one for the whole batch', async () => {
    const times = await Promise.all(
      [1, 2].map(() => writer.submit((scene) => ({ changes: [], value: ((now += 5), scene.now) }))),
    );
    expect(times).to.deep.equal([
      { ok: true, value: START },
      { ok: true, value: START },
    ]);
  });

  it('files that are the current revision make no new one', async () => {
    expect(await apply(writer, store, configOf(text), 'test')).to.deep.equal({ ok: true, value: 1 });
    expect(store.revision(2)).to.equal(undefined);
    expect(await apply(writer, store, configOf(`# a comment\n${text}`), 'test')).to.deep.equal({ ok: true, value: 2 });
  });
});
