// The package as its users get it: packed, installed in an empty folder elsewhere, and run from there.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const native = 'node_modules/better-sqlite3/build';

function run(folder: string, command: string, args: readonly string[]): { code: number | null; text: string } {
  const ran = spawnSync(command, [...args], { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  return { code: ran.status, text: `${ran.stdout}${ran.stderr}` };
}

/** Runs npm in `folder` and returns what it printed on standard output; what went wrong is the test's failure. */
function npm(folder: string, args: readonly string[]): string {
  const ran = spawnSync('npm', [...args], { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  expect(ran.status, `npm ${args.join(' ')}\n${ran.stdout}${ran.stderr}`).to.equal(0);
  return ran.stdout;
}

describe('the package', function () {
  this.timeout(180_000);
  let folder: string;
  let packed: string[];

  const leasehold = (...args: string[]): { code: number | null; text: string } =>
    run(folder, path.join(folder, 'node_modules/.bin/leasehold'), args);

  before(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'leasehold-pack-'));
    // Its own build has been run already, or this test would not be here; another one now would pull files from under others.
    const told = npm(root, ['pack', '--ignore-scripts', '--json', '--pack-destination', folder]);
    const [tarball] = JSON.parse(told) as { filename: string; files: { path: string }[] }[];
    packed = tarball!.files.map((file) => file.path);
    writeFileSync(path.join(folder, 'package.json'), '{"private": true}');
    const options = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'];
    npm(folder, ['install', ...options, path.join(folder, tarball!.filename)]);
    // The native part of better-sqlite3 takes a minute to compile and is not ours: the clone's own build of it serves.
    cpSync(path.join(root, native), path.join(folder, native), { recursive: true });
  });

  after(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it('carries the program, its SQL and its documents', () => {
    expect(packed).to.include.members([
      'build/scripts/leasehold.js',
      'build/db/sqlite/migrations/0001-spine.sql',
      'dhcpd.example.yaml',
      'dhcpd.schema.json',
      'LICENSE',
      'README.md',
      'CHANGELOG.md',
      'package.json',
    ]);
  });

  it('carries no tests, no sources, no maps and no tools of the house', () => {
    expect(packed.filter((file) => /test|\.ts$|\.map$|scripts\/(dev|bench)\//.test(file))).to.deep.equal([]);
  });

  it('installs none of what only the house needs', () => {
    for (const name of ['mocha', 'typescript', 'dhcp']) {
      expect(existsSync(path.join(folder, 'node_modules', name)), name).to.equal(false);
    }
  });

  it('tells its version', () => {
    const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { version: string };
    expect(leasehold('--version')).to.deep.equal({ code: 0, text: `${version}\n` });
  });

  it('tells its commands', () => {
    const { code, text } = leasehold('--help');
    expect(code, text).to.equal(0);
    for (const command of ['serve', 'check', 'leases', 'explain', 'probe'])
      expect(text).to.include(`leasehold ${command}`);
  });

  it('checks the example that it brings', () => {
    const { code, text } = leasehold('check', 'node_modules/leasehold/dhcpd.example.yaml');
    expect(code, text).to.equal(0);
  });

  it('refuses a broken file with the place and exit code 2', () => {
    writeFileSync(path.join(folder, 'broken.yaml'), 'networks:\n  - name: rack1\n    prefixes: ["10.20.0.0/99"]\n');
    const { code, text } = leasehold('check', 'broken.yaml');
    expect(code, text).to.equal(2);
    expect(text).to.match(/^broken\.yaml:3:\d+: /m);
  });
});
