// Starts mocha in a process of its own and brings back the counts; a run that dies or hangs counts as a failed test.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { withUndo } from './cleanup.js';
import type { Tally } from './tally.js';
import { nothing } from './tally.js';

const child = fileURLToPath(new URL('mocha-child.js', import.meta.url));

/** What to run, and for how long. */
export interface Suite {
  /** For messages: `unit`, `lab`. */
  readonly name: string;
  /** Compiled test files. */
  readonly files: readonly string[];
  /** What a test may take unless it says otherwise, in ms. */
  readonly timeout: number;
  /** What the whole may take, in ms; then it is killed. */
  readonly limit: number;
}

/** The compiled tests under `folder`, sorted; those under a folder in `except` left out. None where it is not there. */
export function testFiles(folder: string, except: readonly string[] = []): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.test.js'))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => !except.some((other) => file.startsWith(`${other}${path.sep}`)))
    .sort();
}

async function childOver(suite: Suite, mode: 'run' | 'count', result: string): Promise<string | undefined> {
  const running = spawn(
    process.execPath,
    ['--enable-source-maps', child, result, String(suite.timeout), mode, ...suite.files],
    {
      stdio: ['ignore', mode === 'run' ? 'inherit' : 'ignore', 'inherit'],
      timeout: suite.limit,
      killSignal: 'SIGKILL',
    },
  );
  await withUndo(
    () => running.kill(),
    () => once(running, 'exit'),
  );
  return running.exitCode === 0 ? undefined : (running.signalCode ?? `exit code ${running.exitCode ?? 'unknown'}`);
}

/**
 * Runs `suite`, or only counts its tests. A child that left no counts (a test may call `process.exit`), or that ended
 * badly although no test failed, is one failure.
 */
async function start(suite: Suite, mode: 'run' | 'count'): Promise<Tally> {
  if (suite.files.length === 0) return nothing;
  const folder = mkdtempSync(path.join(tmpdir(), 'leasehold-suite-'));
  const result = path.join(folder, 'counts.json');
  try {
    const trouble = await childOver(suite, mode, result);
    const tally = existsSync(result) ? (JSON.parse(readFileSync(result, 'utf8')) as Tally) : nothing;
    if (trouble === undefined && tally !== nothing) return tally;
    if (tally.failed > 0) return tally;
    console.log(`The ${suite.name} tests did not end as they should: ${trouble ?? 'they left no counts'}.`);
    return { ...tally, failed: 1 };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Runs the tests of `suite` and returns their counts. */
export function run(suite: Suite): Promise<Tally> {
  return start(suite, 'run');
}

/** How many tests `suite` has, found by loading the files without running a test; a file that does not load counts as failed. */
export function count(suite: Suite): Promise<Tally> {
  return start(suite, 'count');
}
