// Network namespaces for one test: made, joined by a wire, and removed with everything that still runs in them.
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Program } from './program.js';

/** Runs `command` to its end and returns what it printed; throws with its complaint where it fails. */
export function run(command: string, ...args: readonly string[]): string {
  const { status, stdout, stderr, error } = spawnSync(command, [...args], { encoding: 'utf8' });
  if (status === 0) return stdout;
  throw new Error(
    `${[command, ...args].join(' ')}: ${error?.message ?? (stderr.trim() || `exit code ${status ?? 0}`)}`,
  );
}

/** The names of all namespaces that begin with `prefix`. */
export function namespacesLike(prefix: string): readonly string[] {
  return run('ip', 'netns', 'list')
    .split('\n')
    .map((line) => line.split(' ')[0] ?? '')
    .filter((name) => name.startsWith(prefix));
}

/** Whether the process is there and not merely waiting for its parent to notice its death. */
export function isAlive(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return !/^[ZX]/.test(stat.slice(stat.lastIndexOf(')') + 2));
  } catch {
    return false;
  }
}

/** How long the kernel may take to end what was killed, in ms, and how often one looks. */
const DYING = 5000;
const LOOK = 5;

export class Namespace {
  readonly name: string;

  /** Makes it, with loopback up and without IPv6, whose multicasts would only disturb. */
  constructor(name: string) {
    this.name = name;
    run('ip', 'netns', 'add', name);
    this.run('sh', '-c', 'echo 1 > /proc/sys/net/ipv6/conf/all/disable_ipv6');
    this.ip('link', 'set', 'lo', 'up');
  }

  /** Runs `ip` on what is in here. */
  ip(...args: readonly string[]): string {
    return run('ip', '-n', this.name, ...args);
  }

  /** Runs a program in here to its end. */
  run(command: string, ...args: readonly string[]): string {
    return run('ip', 'netns', 'exec', this.name, command, ...args);
  }

  /** Starts a program in here. `ip` becomes that program, so its process number is the program's. */
  start(command: string, args: readonly string[]): Program {
    return new Program('ip', ['netns', 'exec', this.name, command, ...args]);
  }
}

/** The numbers of all processes in the namespace called `name`. */
export function processesIn(name: string): readonly number[] {
  return run('ip', 'netns', 'pids', name).split('\n').filter(Boolean).map(Number);
}

/** Kills whatever runs in the namespace called `name`. Synchronous, for it also runs when the test is interrupted. */
export function killAllIn(name: string): void {
  const end = Date.now() + DYING;
  for (let pids = processesIn(name); pids.length > 0; pids = processesIn(name)) {
    if (Date.now() > end) throw new Error(`${name}: these do not die: ${pids.join(' ')}`);
    for (const pid of pids) kill(pid);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOOK);
  }
}

/** Removes the namespace called `name`, its links, and all that runs in it. */
export function removeNamespace(name: string): void {
  killAllIn(name);
  run('ip', 'netns', 'delete', name);
}

/** Kills the process; nothing happens where it has ended by itself meanwhile. */
function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (isAlive(pid)) throw error;
  }
}

/** A switch: everything plugged in hears everything else's broadcasts. It stands in a namespace of its own, so that its links do too. */
export class Wire {
  readonly #switch: Namespace;
  readonly #bridge: string;
  #ports = 0;

  constructor(inside: Namespace, bridge: string) {
    this.#switch = inside;
    this.#bridge = bridge;
    inside.ip('link', 'add', bridge, 'type', 'bridge', 'stp_state', '0', 'forward_delay', '0', 'mcast_snooping', '0');
    inside.ip('link', 'set', bridge, 'up');
  }

  /** Gives `host` a link called `name` on this wire, up; `address` as `10.20.0.1/24`. */
  plug(host: Namespace, name: string, { mac = randomMac(), address }: { mac?: string; address?: string } = {}): void {
    const port = `${this.#bridge}p${++this.#ports}`;
    // Both ends are made where they belong: no link is ever in the root namespace.
    const here = ['link', 'add', name, 'netns', host.name, 'address', mac];
    run('ip', ...here, 'type', 'veth', 'peer', 'name', port, 'netns', this.#switch.name);
    this.#switch.ip('link', 'set', port, 'master', this.#bridge, 'up');
    // Else UDP checksums are left for a NIC that is not there, and whoever reads frames sees wrong ones.
    host.run('ethtool', '-K', name, 'tx', 'off');
    if (address !== undefined) host.ip('address', 'add', address, 'dev', name);
    host.ip('link', 'set', name, 'up');
  }
}

/** A locally administered address that is not in any test's plan. */
function randomMac(): string {
  return `06:${randomBytes(5).toString('hex').replace(/..\B/g, '$&:')}`;
}
