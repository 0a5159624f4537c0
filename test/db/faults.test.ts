// A store that cannot be used: each fault has its sentence, as an error for the program and as exit code 5 of `leasehold serve`.
import Database from 'better-sqlite3';
import { expect } from 'chai';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { StoreUnusable } from '../../db/store.js';
import { openReader, openStore } from '../../server/open.js';
import { freshFolder, leasehold, mountNamespace, program, run } from '../support/folder.js';
import { file, m1 } from '../support/scenario.js';
import { START } from '../support/served.js';

const isRoot = process.getuid?.() === 0;

/** A store with something in it, closed, so that all of it is in the one file. */
function filled(path: string): void {
  openStore({ path, now: START }).close();
  const db = new Database(path);
  const add = db.prepare('INSERT INTO source_file (path) VALUES (?)');
  for (let i = 0; i < 500; i++) add.run(`file ${i} ${'x'.repeat(100)}`);
  db.close();
}

/** A store whose table of migrations somebody changed. */
function schema(path: string, sql: string): void {
  filled(path);
  const db = new Database(path);
  db.exec(sql);
  db.close();
}

interface Fault {
  readonly title: string;
  readonly make: (path: string) => void;
  readonly says: RegExp;
}

const faults: readonly Fault[] = [
  {
    title: 'its folder is missing',
    make: () => undefined,
    says: /cannot open the store .*missing\/leasehold\.db: its folder .*missing does not exist: make it, or name another store/,
  },
  {
    title: 'its folder is a file',
    make: (path) => {
      writeFileSync(dirname(path), 'a file');
    },
    says: /missing is not a folder/,
  },
  {
    title: 'it is a folder',
    make: (path) => {
      mkdirSync(path, { recursive: true });
    },
    says: /it is a folder, not a file/,
  },
  {
    title: 'it is not a database',
    make: (path) => {
      mkdirSync(dirname(path));
      writeFileSync(path, 'listen: [eth0]\n'.repeat(300));
    },
    says: /the file is not a SQLite database: name another store, or move the file away/,
  },
  {
    title: 'it is another program’s database',
    make: (path) => {
      mkdirSync(dirname(path));
      const db = new Database(path);
      db.exec('CREATE TABLE bookmarks (url TEXT)');
      db.close();
    },
    says: /database of another program/,
  },
  {
    title: 'it is corrupt',
    make: (path) => {
      mkdirSync(dirname(path));
      filled(path);
      const bytes = readFileSync(path);
      bytes.fill(0xa5, 8192, bytes.length - 4096);
      writeFileSync(path, bytes);
    },
    says: /corrupt.*: restore it from a backup/,
  },
  {
    title: 'it was written by a newer program',
    make: (path) => {
      mkdirSync(dirname(path));
      filled(path);
      const db = new Database(path);
      db.exec(`INSERT INTO migration VALUES (9999, '9999-future.sql', 'c', 0)`);
      db.close();
    },
    says: /schema 9999 \(9999-future\.sql\), newer than this program's \d+: run the newer leasehold/,
  },
];

describe('a store that cannot be used', function () {
  this.timeout(30_000);
  const folder = freshFolder();

  /** `leasehold serve` on the store; demo, so that no link is needed: it does not come that far. */
  function serveArguments(path: string): readonly string[] {
    writeFileSync(folder.at('dhcpd.yaml'), file([{ mac: m1, ipv4: '10.20.0.7' }]));
    return ['serve', '--demo', '--config', folder.at('dhcpd.yaml'), '--store', path];
  }

  for (const { title, make, says } of faults) {
    it(`${title}: a sentence, and exit code 5`, async () => {
      const path = folder.at('missing/leasehold.db');
      make(path);
      expect(() => openStore({ path, now: START })).to.throw(StoreUnusable, says);
      const { code, err } = await leasehold(folder.path, ...serveArguments(path));
      expect(err)
        .to.match(says)
        .and.not.to.match(/^\s+at /m);
      expect(code).to.equal(5);
    });
  }

  it('another process has it: refused; that process is killed: taken', async () => {
    const path = folder.at('leasehold.db');
    const module = fileURLToPath(new URL('../../server/open.js', import.meta.url));
    const holder = `const { openStore } = await import(${JSON.stringify(module)});
      globalThis.held = openStore({ path: ${JSON.stringify(path)}, now: 0 });
      console.log('open');
      setInterval(() => undefined, 1000);`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', holder], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      await once(child.stdout, 'data');
      const says = /in use by another leasehold \(it holds .*leasehold\.db\.lock\): stop that one first/;
      expect(() => openStore({ path, now: START })).to.throw(StoreUnusable, says);
      const { code, err } = await leasehold(folder.path, ...serveArguments(path));
      expect(err).to.match(says);
      expect(code).to.equal(5);
      expect(openReader(path).view.revision(), 'reading is possible all the while').to.equal(0);
    } finally {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    }
    openStore({ path, now: START }).close();
  });

  it('the same process has it already: refused too', () => {
    const path = folder.at('leasehold.db');
    const store = openStore({ path, now: START });
    expect(() => openStore({ path, now: START })).to.throw(StoreUnusable, /in use by another leasehold/);
    store.close();
    openStore({ path, now: START }).close();
  });

  /** `serve` in a mount namespace after `setup`; skips out loud where there is none. */
  async function inNamespace(
    test: Mocha.Context,
    setup: string,
    path: string,
  ): Promise<{ code: number | null; err: string }> {
    const found = mountNamespace();
    if ('missing' in found) {
      console.log(`      skipped: ${found.missing}`);
      return test.skip();
    }
    const [command = '', ...args] = found.prefix;
    const script = `${setup} && exec "$@"`;
    return run(
      command,
      [...args, 'sh', '-ec', script, 'sh', process.execPath, program, ...serveArguments(path)],
      folder.path,
    );
  }

  it('the disk is read-only: a sentence, and exit code 5', async function () {
    filled(folder.at('leasehold.db'));
    const here = `'${folder.path}'`;
    const setup = `mount --bind ${here} ${here} && mount -o remount,ro,bind ${here}`;
    const { code, err } = await inNamespace(this, setup, folder.at('leasehold.db'));
    expect(err).to.match(/it, or its folder, is read-only for this user: SQLite writes beside the file too/);
    expect(code).to.equal(5);
  });

  it('the file is read-only for this user: a sentence', async function () {
    if (isRoot) {
      // Root may write what it likes, so the program runs as somebody else.
      const probe = await run(
        'setpriv',
        ['--reuid=65534', '--regid=65534', '--clear-groups', process.execPath, program, '--version'],
        '/',
      );
      if (probe.code !== 0) {
        console.log('      skipped: the program cannot be run as nobody here');
        this.skip();
      }
    }
    filled(folder.at('leasehold.db'));
    const args = serveArguments(folder.at('leasehold.db'));
    await run('chmod', ['-R', 'a+rX,a-w', folder.path], '/');
    const drop = isRoot ? ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'] : ['env'];
    const [command = '', ...before] = drop;
    const { code, err } = await run(command, [...before, process.execPath, program, ...args], '/');
    await run('chmod', ['-R', 'u+w', folder.path], '/');
    expect(err).to.match(/read-only for this user/);
    expect(code).to.equal(5);
  });

  it('the disk is full: a sentence, and exit code 5', async function () {
    mkdirSync(folder.at('tiny'));
    const setup = `mount -t tmpfs -o size=64k none '${folder.at('tiny')}'`;
    const { code, err } = await inNamespace(this, setup, folder.at('tiny/leasehold.db'));
    expect(err).to.match(/the store .* cannot be used: the disk is full \(SQLITE_FULL\)/);
    expect(code).to.equal(5);
  });

  describe('for reading', () => {
    const rows: readonly (readonly [title: string, make: (path: string) => unknown, says: RegExp])[] = [
      [
        'there is none',
        () => undefined,
        /there is no store at .*: start the server once, or name another with --store/,
      ],
      [
        'it is a folder',
        (path) => {
          mkdirSync(path);
        },
        /it is a folder, not a file/,
      ],
      [
        'it is not a database',
        (path) => {
          writeFileSync(path, 'text\n'.repeat(1000));
        },
        /not a SQLite database/,
      ],
      [
        'it is empty',
        (path) => {
          writeFileSync(path, '');
        },
        /is not a store of leasehold/,
      ],
      [
        'it is of a newer program',
        (path) => {
          schema(path, 'UPDATE migration SET number = 9999');
        },
        /schema 9999, newer than this program's \d+: use the newer leasehold/,
      ],
      [
        'it is of an older program',
        (path) => {
          schema(path, 'UPDATE migration SET number = 0 WHERE number = (SELECT max(number) FROM migration)');
        },
        /schema \d+, older than this program's \d+: start the server once/,
      ],
    ];
    for (const [title, make, says] of rows)
      it(`${title}: a sentence, and exit code 5 of leases`, async () => {
        const path = folder.at('leasehold.db');
        make(path);
        expect(() => openReader(path)).to.throw(StoreUnusable, says);
        const { code, out, err } = await leasehold(folder.path, 'leases', '--store', path);
        expect(err)
          .to.match(says)
          .and.not.to.match(/^\s+at /m);
        expect({ code, out }).to.deep.equal({ code: 5, out: '' });
      });
  });
});
