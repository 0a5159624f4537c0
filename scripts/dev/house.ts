// The checks of the house besides the tests: lint, format and the law of the folders. Types were checked by the build.
import { spawnSync } from 'node:child_process';
import type { Tally } from './tally.js';

interface Check {
  readonly name: string;
  /** A script for Node, from the root of the clone, and its arguments. */
  readonly run: readonly string[];
  readonly remedy: string;
}

const checks: readonly Check[] = [
  { name: 'law', run: ['build/scripts/dev/law-check.js'], remedy: 'CONTRIBUTING.md tells the law' },
  {
    name: 'lint',
    run: ['node_modules/eslint/bin/eslint.js', '--max-warnings', '0', '.'],
    remedy: 'npx eslint --fix .',
  },
  { name: 'format', run: ['node_modules/prettier/bin/prettier.cjs', '--check', '.'], remedy: 'npm run format' },
];

/** Runs the checks one after the other, all of them. Each that fails counts as one failure; one that passes is no test. */
export function checkHouse(): Tally {
  const failed = checks.filter(({ name, run, remedy }) => {
    console.log(`\n# ${name}`);
    const ok = spawnSync(process.execPath, [...run], { stdio: ['ignore', 'inherit', 'inherit'] }).status === 0;
    console.log(ok ? `${name}: ok` : `${name}: failed (${remedy})`);
    return !ok;
  });
  return { passed: 0, failed: failed.length, skipped: 0 };
}
