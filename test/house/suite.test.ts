// The test runner: what it counts, and that a run which dies, hangs or tests nothing is never taken for a good one.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { testFiles } from '../../scripts/dev/suite.js';
import type { Tally } from '../../scripts/dev/tally.js';
import { closingLine, parseClosingLine, sum } from '../../scripts/dev/tally.js';

const suite = new URL('../../scripts/dev/suite.js', import.meta.url).href;
const tally = new URL('../../scripts/dev/tally.js', import.meta.url).href;

describe('the test runner', function () {
  this.timeout(30_000);
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'leasehold-suite-'));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  /** Runs or counts one test file with `text`, in a process of its own, and ends it as the test programs do. */
  const inner = (
    verb: 'run' | 'count',
    text: string,
    limit = 20_000,
  ): { line: string; code: number | null; text: string } => {
    const file = path.join(folder, 'inner.test.js');
    writeFileSync(file, text);
    const given = JSON.stringify({ name: 'inner', files: [file], timeout: 1000, limit });
    const program = `import { ${verb} } from ${JSON.stringify(suite)};
      import { finish } from ${JSON.stringify(tally)};
      finish(await ${verb}(${given}));`;
    const args = ['--input-type=module', '-e', program];
    const { stdout, status } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    return { line: stdout.trimEnd().split('\n').at(-1) ?? '', code: status, text: stdout };
  };

  const good = "it('a', () => {}); it('b', () => {});";
  const rows: readonly [string, string, string, number][] = [
    ['counts what passes', good, '2 passed, 0 failed', 0],
    ['counts what fails', `${good} it('c', () => { throw new Error('no'); });`, '2 passed, 1 failed', 1],
    ['counts what is skipped', `${good} it.skip('c', () => {});`, '2 passed, 0 failed, 1 skipped', 0],
    ['fails where a test ends the process', `${good} it('c', () => process.exit(0));`, '0 passed, 1 failed', 1],
    ['fails where a file does not load', "throw new Error('no');", '0 passed, 1 failed', 1],
    ['fails where nothing is tested', '', '0 passed, 0 failed', 1],
    ['fails on a forgotten only', "it('a', () => {}); it.only('b', () => {});", '0 passed, 1 failed', 1],
    [
      'fails a test that takes too long',
      "it('a', () => new Promise(() => setTimeout(() => {}, 1500)));",
      '0 passed, 1 failed',
      1,
    ],
  ];
  for (const [name, text, line, code] of rows) {
    it(name, () => {
      const ran = inner('run', text);
      expect({ line: ran.line, code: ran.code }, ran.text).to.deep.equal({ line, code });
    });
  }

  it('fails where a test leaves something open, and names it', () => {
    const ran = inner('run', "it('a', () => { setInterval(() => {}, 1000); });");
    expect(ran.text).to.match(/something keeps the process open: .*Timeout/);
    expect({ line: ran.line, code: ran.code }).to.deep.equal({ line: '1 passed, 1 failed', code: 1 });
  });

  it('kills a run that exceeds its limit', () => {
    const ran = inner('run', "it('a', () => { for (;;); });", 2000);
    expect(ran.text).to.include('SIGKILL');
    expect({ line: ran.line, code: ran.code }).to.deep.equal({ line: '0 passed, 1 failed', code: 1 });
  });

  it('counts tests without running one', () => {
    const text = `it('a', () => { throw new Error('no'); }); describe('c', () => { before(() => { throw new Error('no'); }); ${good} });`;
    expect(inner('count', text).line).to.equal('3 passed, 0 failed');
  });

  it('finds the compiled tests in order, without those of a folder that is left out', () => {
    for (const name of [
      'b/z.test.js',
      'b/helper.js',
      'lab/a.test.js',
      'labels/a.test.js',
      'a.test.js',
      'a.test.js.map',
    ]) {
      mkdirSync(path.join(folder, path.dirname(name)), { recursive: true });
      writeFileSync(path.join(folder, name), '');
    }
    const found = testFiles(folder, [path.join(folder, 'lab')]).map((file) => path.relative(folder, file));
    expect(found).to.deep.equal(['a.test.js', 'b/z.test.js', 'labels/a.test.js']);
    expect(testFiles(path.join(folder, 'none'))).to.deep.equal([]);
  });
});

describe('the closing line', () => {
  const lines: readonly [Tally, string][] = [
    [{ passed: 0, failed: 0, skipped: 0 }, '0 passed, 0 failed'],
    [{ passed: 12, failed: 3, skipped: 0 }, '12 passed, 3 failed'],
    [{ passed: 12, failed: 0, skipped: 7 }, '12 passed, 0 failed, 7 skipped'],
  ];
  for (const [counts, line] of lines) {
    it(`is written and read: ${line}`, () => {
      expect(closingLine(counts)).to.equal(line);
      expect(parseClosingLine(`1 passed, 1 failed\nmore\n\n${line}\n`)).to.deep.equal(counts);
    });
  }
  for (const output of ['', '3 passing', '1 passed, 0 failed\nmore']) {
    it(`is not read from ${JSON.stringify(output)}`, () => {
      expect(parseClosingLine(output)).to.equal(undefined);
    });
  }
  it('sums runs', () => {
    const one = { passed: 1, failed: 2, skipped: 3 };
    expect(sum([one, one, one])).to.deep.equal({ passed: 3, failed: 6, skipped: 9 });
    expect(sum([])).to.deep.equal({ passed: 0, failed: 0, skipped: 0 });
  });
});

describe('undoing', () => {
  const cleanup = fileURLToPath(new URL('../../scripts/dev/cleanup.js', import.meta.url));

  /** Runs `body` with a work that can be undone, in a process of its own; returns what it printed and its exit code. */
  const inner = (body: string): { status: number | null; stdout: string } => {
    const program = `import { withUndo } from ${JSON.stringify(cleanup)};
      const undo = (name) => () => console.log('undo ' + name);
      ${body}`;
    const { status, stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
      encoding: 'utf8',
    });
    return { status, stdout };
  };
  const wait = 'new Promise((done) => setTimeout(done, 60_000))';

  it('happens once after the work', () => {
    const ran = inner("console.log(await withUndo(undo('a'), async () => 'work'));");
    expect(ran).to.deep.equal({ status: 0, stdout: 'undo a\nwork\n' });
  });

  it('happens when the work fails', () => {
    const ran = inner("await withUndo(undo('a'), async () => { throw 1; }).catch(() => console.log('caught'));");
    expect(ran).to.deep.equal({ status: 0, stdout: 'undo a\ncaught\n' });
  });

  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const) {
    it(`happens at ${signal}, the inner one first`, () => {
      const kill = `process.kill(process.pid, '${signal}')`;
      const ran = inner(`await withUndo(undo('a'), () => withUndo(undo('b'), () => { ${kill}; return ${wait}; }));`);
      expect(ran).to.deep.equal({ status: code, stdout: 'undo b\nundo a\n' });
    });
  }
});
