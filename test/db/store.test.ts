// The store on SQLite: one transaction a batch, a savepoint a decision, constraints as referee, an append-only journal, views for people.
import Database from 'better-sqlite3';
import { expect } from 'chai';
import type { Store } from '../../db/store.js';
import type { Change, Hold } from '../../lib/ipam/model.js';
import type { Owner } from '../../lib/net/ids.js';
import { compile } from '../../server/apply.js';
import { openReader, openStore } from '../../server/open.js';
import { freshFolder } from '../support/folder.js';
import { m1, m2, m3, file } from '../support/scenario.js';
import { HOUR, ip4, Served, START } from '../support/served.js';

const made = {
  kind: 'bind',
  network: 'a',
  vrf: 'default',
  resource: 'ipv4',
  binding: 'lease',
  end: START + HOUR,
  clientUntil: START + HOUR,
  mac: undefined,
  pin: 'make',
  event: 'request',
  policy: 'dynamic',
  origin: 'undeclared',
  source: undefined,
  revision: 1,
  at: START,
  actor: 'client',
} as const;

function bind(owner: string, address: string, more: Partial<Extract<Change, { kind: 'bind' }>> = {}): Change {
  return { ...made, owner: owner as Owner, address: ip4(address), ...more };
}

const hold: Hold = {
  vrf: 'default',
  network: 'a',
  address: ip4('10.20.0.150'),
  kind: 'parked',
  resource: 'ipv4',
  owner: m1 as Owner,
  retake: true,
  until: undefined,
};

describe('the store', () => {
  let store: Store;
  const folder = freshFolder();
  let path = '';
  beforeEach(() => {
    path = folder.at('leasehold.db');
    store = openStore({ path, now: START });
    const compiled = compile(new Map([['dhcpd.yaml', file([], { b: { vrf: 'blue' } })]]));
    if (!compiled.ok) return expect.fail('the file has mistakes');
    const { site, files, hash } = compiled.config;
    write({ kind: 'revise', revision: { hash, files, at: START, author: 'test' }, site, declarations: [] });
  });
  afterEach(() => {
    store.close();
  });

  /** One batch of decisions with these changes each; what became of them. */
  function write(...all: readonly (Change | readonly Change[])[]): readonly string[] {
    const decisions = all.map((one) => () => ({
      changes: Array.isArray(one) ? one : [one as Change],
      value: 'written',
    }));
    const settled = store.transact(decisions, () => undefined);
    return settled.map((result) => (result.ok ? result.value : result.reason));
  }
  const held = (): string[] =>
    store.list().map(({ owner, network, binding }) => `${owner} ${network} ${binding?.kind}`);

  /** The same file by a connection of its own, as the sqlite3 shell has it. */
  function shell<T>(ask: (db: Database.Database) => T): T {
    const db = new Database(path);
    try {
      return ask(db);
    } finally {
      db.close();
    }
  }

  describe('constraints', () => {
    it('one holder for an address in its VRF: the second gets `address-taken`, alone', () => {
      expect(write(bind(m1, '10.20.0.100'), bind(m2, '10.20.0.100'), bind(m3, '10.20.0.101'))).to.deep.equal([
        'written',
        'address-taken',
        'written',
      ]);
      expect(held()).to.deep.equal([`${m1} a lease`, `${m3} a lease`]);
      expect(store.history({ owner: m2 as Owner }), 'nothing of it is left').to.deep.equal([]);
      expect(store.view.standing('a', m2 as Owner, 'ipv4')).to.equal(undefined);
    });

    it('the same address in another VRF is another address', () => {
      const blue = bind(m2, '10.20.0.100', { network: 'b', vrf: 'blue' });
      expect(write(bind(m1, '10.20.0.100'), blue)).to.deep.equal(['written', 'written']);
      expect(store.view.holder('default', ip4('10.20.0.100'))?.owner).to.equal(m1);
      expect(store.view.holder('blue', ip4('10.20.0.100'))?.owner).to.equal(m2);
    });

    it('one interface for an owner on a network, one binding for a resource of it', () => {
      write(bind(m1, '10.20.0.100'));
      expect(write(bind(m1, '10.20.0.101'))).to.deep.equal(['decision-failed']);
      expect(held()).to.deep.equal([`${m1} a lease`]);
      const insert = (): unknown =>
        shell((db) => db.exec('INSERT INTO interface (owner, network) SELECT owner, network FROM interface'));
      expect(insert).to.throw(/UNIQUE constraint failed: interface\.owner, interface\.network/);
    });

    it('a lease has an end, a static none; a binding has a pin', () => {
      write(bind(m1, '10.20.0.100'));
      const set =
        (sql: string): (() => void) =>
        () =>
          void shell((db) => db.exec(sql));
      expect(set('UPDATE binding SET end_at = NULL')).to.throw(/CHECK constraint/);
      expect(set('UPDATE binding SET kind = 2')).to.throw(/CHECK constraint/);
      expect(set('DELETE FROM pin')).to.throw(/FOREIGN KEY constraint/);
      expect(set(`UPDATE binding SET address = '10.20.0.1'`)).to.throw(/cannot store TEXT/);
    });
  });

  describe('a batch', () => {
    it('each decision sees what the earlier ones wrote', () => {
      const seen: unknown[] = [];
      const decide = (owner: string, address: string) => (): { changes: Change[]; value: number } => {
        seen.push(store.view.holder('default', ip4('10.20.0.100'))?.owner);
        return { changes: [bind(owner, address)], value: 0 };
      };
      const applied: number[] = [];
      store.transact([decide(m1, '10.20.0.100'), decide(m2, '10.20.0.101')], (changes) => applied.push(changes.length));
      expect(seen).to.deep.equal([undefined, m1]);
      expect(applied).to.deep.equal([1, 1]);
    });

    it('a decision that throws is undone alone, and said to be ours', () => {
      const throws = (): never => {
        throw new Error('a defect');
      };
      const fine = (owner: string, address: string) => () => ({ changes: [bind(owner, address)], value: 1 });
      const [first, second, third] = store.transact(
        [fine(m1, '10.20.0.100'), throws, fine(m2, '10.20.0.101')],
        () => undefined,
      );
      expect([first?.ok, third?.ok]).to.deep.equal([true, true]);
      expect(second).to.include({ ok: false, reason: 'decision-failed' });
      expect(second?.ok === false && second.detail).to.include('a defect');
      expect(held()).to.have.length(2);
    });

    it('of several changes of one decision either all stand or none', () => {
      write(bind(m1, '10.20.0.100'));
      const all = [{ kind: 'hold', hold, at: START, actor: 'client' } as const, bind(m2, '10.20.0.100')];
      expect(write(all)).to.deep.equal(['address-taken']);
      expect(store.holds()).to.deep.equal([]);
      expect(store.history({ address: hold.address })).to.deep.equal([]);
    });

    it('names learnt in an undone decision are learnt again', () => {
      write(bind(m1, '10.20.0.100'));
      const source = { file: 'new.yaml', line: 7 };
      expect(write(bind(m2, '10.20.0.100', { source }), bind(m3, '10.20.0.101', { source }))).to.deep.equal([
        'address-taken',
        'written',
      ]);
      expect(store.view.standing('a', m3 as Owner, 'ipv4')?.pin?.source).to.deep.equal(source);
    });

    it('is one transaction: another connection sees all of it or nothing', () => {
      const counts: unknown[] = [];
      const count = (): void =>
        void counts.push(shell((db) => db.prepare('SELECT count(*) FROM binding').pluck().get()));
      const watched = (owner: string, address: string) => () => {
        count();
        return { changes: [bind(owner, address)], value: 0 };
      };
      store.transact([watched(m1, '10.20.0.100'), watched(m2, '10.20.0.101')], count);
      count();
      expect(counts).to.deep.equal([0, 0, 0, 0, 2]);
    });
  });

  describe('the journal', () => {
    it('cannot be changed or shortened', () => {
      write(bind(m1, '10.20.0.100'));
      for (const sql of [
        `UPDATE journal SET actor = 'nobody'`,
        'DELETE FROM journal',
        'DELETE FROM journal WHERE seq = 1',
      ])
        expect(() => shell((db) => db.exec(sql)), sql).to.throw(/the journal is append-only/);
    });

    it('has one row for each transition, and each begins where the one before it ended', async () => {
      const server = await Served.open({
        text: file([
          { mac: m2, ipv4: '10.20.0.7' },
          { mac: m3, policy: 'retained' },
        ]),
      });
      server.dora(m1);
      server.now += HOUR / 2;
      server.renew(m1, '10.20.0.100');
      server.release(m1, '10.20.0.100');
      server.dora(m1);
      server.now += 2 * HOUR;
      await server.expire();
      server.decline(m1, server.dora(m1));
      server.dora(m2);
      server.release(m2, '10.20.0.7');
      server.decline(m3, server.dora(m3));
      const transitions = (mac: string): string[] => {
        const rows = server.store.history({ owner: mac as Owner }).filter(({ event }) => event !== 'quarantine');
        return rows.map(({ event, before, after }) => `${event}: ${state(before)} → ${state(after)}`);
      };
      expect(transitions(m1)).to.deep.equal([
        'request: nothing → lease 10.20.0.100, dynamic@1',
        'release: lease 10.20.0.100, dynamic@1 → none, dynamic@1',
        'request: none, dynamic@1 → lease 10.20.0.100, dynamic@1',
        'end: lease 10.20.0.100, dynamic@1 → none, dynamic@1',
        'request: none, dynamic@1 → lease 10.20.0.100, dynamic@1',
        'decline: lease 10.20.0.100, dynamic@1 → none, dynamic@1',
      ]);
      expect(transitions(m2)).to.deep.equal([
        'materialise: nothing → static 10.20.0.7, fixed@1',
        'release: static 10.20.0.7, fixed@1 → static 10.20.0.7, fixed@1',
      ]);
      expect(transitions(m3)).to.deep.equal([
        'request: nothing → static 10.20.0.101, retained@1',
        'decline: static 10.20.0.101, retained@1 → none, retained@1',
        'decline: none, retained@1 → static 10.20.0.102, retained@1',
      ]);
      server.close();
    });

    it('names the revision that was current, its line, and who did it', () => {
      write(
        bind(m1, '10.20.0.100', { source: { file: 'dhcpd.yaml', line: 12 }, origin: 'declared', policy: 'dynamic' }),
      );
      const [row] = store.history({ owner: m1 as Owner });
      expect(row).to.include({ event: 'request', actor: 'client', revision: 1, network: 'a', at: START });
      expect(JSON.parse(row?.after ?? '')).to.include({ file: 'dhcpd.yaml', line: 12, origin: 'declared' });
      expect(store.view.standing('a', m1 as Owner, 'ipv4')?.pin?.seq).to.equal(row?.seq);
    });
  });

  it('keeps every revision with its text', () => {
    const revision = store.revision(1);
    expect(revision).to.include({ number: 1, at: START, author: 'test' });
    expect(revision?.files.get('dhcpd.yaml')).to.equal(file([], { b: { vrf: 'blue' } }));
    expect(store.revision(2)).to.equal(undefined);
  });

  describe('views for the shell', () => {
    beforeEach(() => {
      write(
        bind(m1, '10.20.0.100', { source: { file: 'dhcpd.yaml', line: 12 }, origin: 'declared' }),
        bind('client-id:ff0102', '10.20.0.9', { binding: 'static', end: undefined, policy: 'retained' }),
        bind('hw:32:0a0b', '10.20.0.255'),
        { kind: 'hold', hold, at: START, actor: 'uid:0' },
      );
    });

    it('leases: by address, as text', () => {
      const rows = shell((db) =>
        db.prepare('SELECT address, owner, network, kind, policy, origin, file, line, ends FROM leases').raw().all(),
      );
      expect(rows).to.deep.equal([
        ['10.20.0.9', 'client-id:ff0102', 'a', 'static', 'retained', 'undeclared', null, null, null],
        ['10.20.0.100', m1, 'a', 'lease', 'dynamic', 'declared', 'dhcpd.yaml', 12, '2026-01-01 01:00:00'],
        ['10.20.0.255', 'hw:32:0a0b', 'a', 'lease', 'dynamic', 'undeclared', null, null, '2026-01-01 01:00:00'],
      ]);
    });

    it('pins', () => {
      const rows = shell((db) =>
        db.prepare('SELECT owner, network, resource, policy, revision, at, actor, event FROM pins').raw().all(),
      );
      expect(rows).to.deep.include.members([
        [m1, 'a', 'ipv4', 'dynamic', 1, '2026-01-01 00:00:00', 'client', 'request'],
        ['client-id:ff0102', 'a', 'ipv4', 'retained', 1, '2026-01-01 00:00:00', 'client', 'request'],
      ]);
    });

    it('history', () => {
      const rows = shell((db) => db.prepare('SELECT seq, at, event, actor, owner, address FROM history').raw().all());
      expect(rows).to.deep.equal([
        [1, '2026-01-01 00:00:00', 'revise', 'apply', null, null],
        [2, '2026-01-01 00:00:00', 'request', 'client', m1, '10.20.0.100'],
        [3, '2026-01-01 00:00:00', 'request', 'client', 'client-id:ff0102', '10.20.0.9'],
        [4, '2026-01-01 00:00:00', 'request', 'client', 'hw:32:0a0b', '10.20.0.255'],
        [5, '2026-01-01 00:00:00', 'parked', 'uid:0', m1, '10.20.0.150'],
      ]);
    });

    it('an IPv6 address is shown as one', () => {
      shell((db) => db.exec(`UPDATE binding SET address = x'fd000020000000000000000000000011' WHERE kind = 2`));
      const found = shell((db) => db.prepare(`SELECT address FROM leases WHERE kind = 'static'`).pluck().get());
      expect(found).to.equal('fd00:0020:0000:0000:0000:0000:0000:0011');
    });
  });

  it('is read beside the one that writes, as far as that has committed', () => {
    const reader = openReader(path);
    write(bind(m1, '10.20.0.100'));
    expect(reader.list().map(({ owner }) => owner)).to.deep.equal([m1]);
    expect(reader.view.revision()).to.equal(1);
    reader.close();
  });

  it('is durable as asked: WAL, and every commit synced', () => {
    store.close();
    const db = new Database(path, { readonly: true });
    expect(db.pragma('journal_mode', { simple: true })).to.equal('wal');
    db.close();
    store = openStore({ path, now: START });
  });
});

/** A state of the journal in a few words. */
function state(text: string | null): string {
  if (text === null) return 'nothing';
  const { kind, address, pin, pin_revision: revision } = JSON.parse(text) as Readonly<Record<string, string | number>>;
  const bound = kind === undefined ? 'none' : `${kind} ${address ?? ''}`;
  return `${bound}, ${pin ?? ''}@${revision ?? ''}`;
}
