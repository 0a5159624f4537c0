// Installs the Debian packages that the lab needs, without letting any daemon in them start.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { withUndo } from './cleanup.js';

/** The clients, the relay, and what makes their network and watches it. */
export const labPackages: readonly string[] = [
  'iproute2',
  'ethtool',
  'tcpdump',
  'isc-dhcp-client',
  'isc-dhcp-relay',
  'udhcpc',
  'dhcpcd-base',
  'strace',
];

/** invoke-rc.d asks this file before it starts a service; exit code 101 forbids it. */
const policyFile = '/usr/sbin/policy-rc.d';
const policy = '#!/bin/sh\n# Made by the tests of Leasehold while they install packages; may be removed.\nexit 101\n';

/** What this needs of the machine, so that a test can stand in for it. */
export interface Machine {
  /** Those of `packages` that are not installed. */
  missing(packages: readonly string[]): string[];
  /** Runs apt-get with `args`; what it printed is for people. */
  aptGet(args: readonly string[]): Promise<{ readonly ok: boolean; readonly output: string }>;
  /** Tells the person who waits. */
  say(text: string): void;
  /** Where the policy file stands. */
  readonly policyFile: string;
}

/** This machine. */
export const debian: Machine = {
  policyFile,
  say(text) {
    console.log(text);
  },
  missing(packages) {
    const format = '${binary:Package} ${db:Status-Status}\n';
    const { stdout } = spawnSync('dpkg-query', ['--show', '--showformat', format, ...packages], { encoding: 'utf8' });
    const installed = new Set(
      stdout
        .split('\n')
        .filter((line) => line.endsWith(' installed'))
        .map((line) => line.replace(/(:\S+)? installed$/, '')),
    );
    return packages.filter((name) => !installed.has(name));
  },
  async aptGet(args) {
    const running = spawn('apt-get', ['--option', 'DPkg::Lock::Timeout=300', ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    });
    let output = '';
    for (const stream of [running.stdout, running.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    }
    const code = await new Promise<number | null>((done) =>
      running.on('close', done).on('error', () => {
        done(null);
      }),
    );
    return { ok: code === 0, output };
  },
};

/** Puts the policy file there for as long as `work` takes. One that stands there already is the machine's and stays. */
async function withoutDaemons<T>(file: string, work: () => Promise<T>): Promise<T> {
  // One of ours may have been left by a run that was killed; it is ours to remove.
  if (existsSync(file) && readFileSync(file, 'utf8') !== policy) return work();
  writeFileSync(file, policy, { mode: 0o755 });
  return withUndo(() => {
    rmSync(file, { force: true });
  }, work);
}

/**
 * Installs those of `packages` that are missing, nothing where none is. The lists of packages are fetched anew only where
 * the first try fails: they may be old or not there at all.
 */
export async function install(
  packages: readonly string[],
  machine: Machine = debian,
): Promise<{ readonly ok: true } | { readonly ok: false; readonly reason: string }> {
  const missing = machine.missing(packages);
  if (missing.length === 0) return { ok: true };
  machine.say(`Installing for the lab: ${missing.join(' ')}`);
  return withoutDaemons(machine.policyFile, async () => {
    const args = ['install', '--yes', '--no-install-recommends', ...missing];
    if ((await machine.aptGet(args)).ok) return { ok: true };
    const updated = await machine.aptGet(['update']);
    const again = updated.ok ? await machine.aptGet(args) : updated;
    if (again.ok) return { ok: true };
    machine.say(again.output.trimEnd());
    return { ok: false, reason: `apt-get could not install ${missing.join(' ')}` };
  });
}
