// A folder of its own for every test, and the built program as a process.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The program, beside the compiled tests. */
export const program = fileURLToPath(new URL('../../scripts/leasehold.js', import.meta.url));

/** Makes a folder before each test of the suite that calls it, and removes it afterwards. */
export function freshFolder(): { readonly path: string; readonly at: (name: string) => string } {
  let path = '';
  beforeEach(() => {
    path = mkdtempSync(join(tmpdir(), 'leasehold-'));
  });
  afterEach(() => {
    rmSync(path, { recursive: true, force: true });
  });
  return {
    get path() {
      return path;
    },
    at: (name) => join(path, name),
  };
}

export interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Runs a command to its end. */
export function run(command: string, args: readonly string[], cwd: string): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
    let [out, err] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
    child.on('error', reject);
    child.on('close', (code) => {
      resolve({ code, out, err });
    });
  });
}

/** Runs `leasehold ARGS` in `cwd`. */
export function leasehold(cwd: string, ...args: readonly string[]): Promise<Ran> {
  return run(process.execPath, [program, ...args], cwd);
}

/** How a command is run in a mount namespace of its own; undefined, with the reason, where this machine does not let us. */
export function mountNamespace(): { readonly prefix: readonly string[] } | { readonly missing: string } {
  for (const prefix of [
    ['unshare', '--mount'],
    ['unshare', '--mount', '--map-root-user'],
  ]) {
    const [command = '', ...args] = prefix;
    const tried = spawnSync(command, [...args, 'sh', '-c', 'mount -t tmpfs -o size=64k none /mnt'], {
      encoding: 'utf8',
    });
    if (tried.status === 0) return { prefix };
  }
  return { missing: 'no mount namespace can be made here (neither root nor user namespaces)' };
}
