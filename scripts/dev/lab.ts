// The lab: real DHCP clients in network namespaces. Decides whether it can run here, makes ready, runs it or says why not.
import { spawnSync } from 'node:child_process';
import { install, labPackages } from './debian.js';
import type { Suite } from './suite.js';
import { count, run } from './suite.js';
import type { Tally } from './tally.js';
import { nothing } from './tally.js';

const modes = ['auto', 'skip', 'required'] as const;
type LabMode = (typeof modes)[number];

/** The mode that LEASEHOLD_LAB names; undefined: it names none. */
function labMode(text: string): LabMode | undefined {
  return modes.find((mode) => mode === text);
}

function works(command: string, args: readonly string[]): boolean {
  return spawnSync(command, [...args], { stdio: 'ignore' }).status === 0;
}

/** Why the lab cannot be made ready on this machine, as far as one can tell before trying; undefined: it may. */
export function missingForLab(): string | undefined {
  if (process.platform !== 'linux') return 'network namespaces need Linux';
  if (process.getuid?.() !== 0) return 'network namespaces need root, and this is not root';
  if (!works('dpkg-query', ['--version']) || !works('apt-get', ['--version'])) {
    return 'the DHCP clients are installed as Debian packages, and this is no Debian';
  }
  return undefined;
}

/** Why namespaces cannot be made here (a container may forbid it though one is root); undefined: they can. */
function missingNamespaces(): string | undefined {
  const name = `leasehold-try-${process.pid}`;
  if (!works('ip', ['netns', 'add', name])) return 'this machine lets nobody make network namespaces';
  works('ip', ['netns', 'delete', name]);
  return undefined;
}

async function notRun(suite: Suite, mode: LabMode, reason: string): Promise<Tally> {
  const { passed, failed } = await count(suite);
  if (mode === 'required') {
    console.log(`The lab is required but cannot run: ${reason}.`);
    return { passed: 0, failed: passed + failed, skipped: 0 };
  }
  console.log(`SKIPPED: the ${passed} tests of the lab, because ${reason}.`);
  return { passed: 0, failed, skipped: passed };
}

/**
 * Runs the lab as `setting`, the value of LEASEHOLD_LAB, says: `auto` where the machine allows it, `skip` not at all,
 * `required` or fail.
 */
export async function runLab(suite: Suite, setting: string): Promise<Tally> {
  console.log('\n# lab');
  const mode = labMode(setting);
  if (mode === undefined) {
    console.log(`LEASEHOLD_LAB is '${setting}'; it may be ${modes.join(', ')}.`);
    return { ...nothing, failed: 1 };
  }
  if (suite.files.length === 0) {
    console.log('There are no lab tests here.');
    return mode === 'required' ? { ...nothing, failed: 1 } : nothing;
  }
  if (mode === 'skip') return notRun(suite, mode, 'LEASEHOLD_LAB=skip asks for it');
  const missing = missingForLab();
  if (missing !== undefined) return notRun(suite, mode, missing);
  const clients = await install(labPackages);
  if (!clients.ok) return notRun(suite, mode, clients.reason);
  const forbidden = missingNamespaces();
  if (forbidden !== undefined) return notRun(suite, mode, forbidden);
  return run(suite);
}
