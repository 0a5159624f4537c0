// Migrations: applied once, each in one transaction, known by checksum; a store of another program's making is refused.
import Database from 'better-sqlite3';
import { expect } from 'chai';
import { migrate, migrations } from '../../db/sqlite/migrate.js';
import { StoreUnusable } from '../../db/store.js';

const one = { number: 1, name: '0001-one.sql', sql: 'CREATE TABLE one (a INTEGER) STRICT', checksum: 'c1' };
const two = { number: 2, name: '0002-two.sql', sql: 'CREATE TABLE two (a INTEGER) STRICT', checksum: 'c2' };

describe('migrate', () => {
  let db: Database.Database;
  beforeEach(() => {
    db = new Database(':memory:');
  });
  afterEach(() => {
    db.close();
  });
  const tables = (): unknown[] =>
    db.prepare(`SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name`).pluck().all();
  const applied = (): unknown[] => db.prepare('SELECT number, name, checksum, at FROM migration ORDER BY number').all();

  it('carries numbered migrations without a gap, each with the checksum of its text', () => {
    const carried = migrations();
    expect(carried.map(({ number }) => number)).to.deep.equal(carried.map((_, i) => i + 1));
    for (const { checksum } of carried) expect(checksum).to.match(/^[0-9a-f]{64}$/);
  });

  it('applies what is missing, once, and notes it with its time', () => {
    migrate(db, 100, [one]);
    migrate(db, 200, [one, two]);
    migrate(db, 300, [one, two]);
    expect(applied()).to.deep.equal([
      { number: 1, name: '0001-one.sql', checksum: 'c1', at: 100 },
      { number: 2, name: '0002-two.sql', checksum: 'c2', at: 200 },
    ]);
    expect(tables()).to.deep.equal(['migration', 'one', 'two']);
  });

  it('undoes a migration that fails in the middle, and keeps those before it', () => {
    const broken = { ...two, sql: `${two.sql}; INSERT INTO two VALUES (1); CREATE TABLE one (b INTEGER)` };
    expect(() => {
      migrate(db, 100, [one, broken]);
    }).to.throw(/already exists/);
    expect(tables()).to.deep.equal(['migration', 'one']);
    expect(applied()).to.have.length(1);
    expect(db.inTransaction).to.be.false;
    migrate(db, 200, [one, two]);
    expect(tables()).to.deep.equal(['migration', 'one', 'two']);
  });

  it('refuses a store of a newer program, and touches nothing', () => {
    migrate(db, 100, [one, two]);
    const three = { ...two, number: 3, name: '0003-three.sql' };
    db.prepare('INSERT INTO migration VALUES (3, ?, ?, 100)').run(three.name, three.checksum);
    expect(() => {
      migrate(db, 200, [one, two]);
    }).to.throw(StoreUnusable, /schema 3 \(0003-three\.sql\), newer than this program's 2: run the newer leasehold/);
    expect(tables()).to.deep.equal(['migration', 'one', 'two']);
  });

  it('refuses a store whose migration has another text than ours', () => {
    migrate(db, 100, [one]);
    expect(() => {
      migrate(db, 200, [{ ...one, checksum: 'other' }, two]);
    }).to.throw(StoreUnusable, /0001-one\.sql of the store is not the one that this program carries/);
    expect(tables()).to.deep.equal(['migration', 'one']);
  });

  it('refuses another program’s database, and puts nothing into it', () => {
    db.exec('CREATE TABLE bookmarks (url TEXT)');
    expect(() => {
      migrate(db, 100, [one]);
    }).to.throw(StoreUnusable, /database of another program/);
    expect(tables()).to.deep.equal(['bookmarks']);
  });
});
