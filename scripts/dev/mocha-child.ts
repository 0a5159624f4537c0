// Runs mocha over the test files it is given, for people on standard output, and writes the counts to a file for the parent.
// Arguments: RESULT.json TIMEOUT_MS run|count FILE…
import { writeFileSync } from 'node:fs';
import Mocha from 'mocha';
import type { Tally } from './tally.js';

const [result, timeout, mode, ...files] = process.argv.slice(2);
if (result === undefined) throw new Error('mocha-child is started by suite.ts, with the file for its counts first');

const mocha = new Mocha({
  timeout: Number(timeout),
  // A forgotten `.only` would pass for a whole run.
  forbidOnly: true,
  dryRun: mode === 'count',
  reporter: mode === 'count' ? 'min' : 'spec',
});
for (const file of files) mocha.addFile(file);
await mocha.loadFilesAsync();
const runner = mocha.run((failures) => {
  const { passes = 0, pending = 0 } = runner.stats ?? {};
  const tally: Tally = { passed: passes, failed: failures, skipped: pending };
  writeFileSync(result, JSON.stringify(tally));
  process.exitCode = failures === 0 ? 0 : 1;
  // Does not keep the process alive; it fires only where a test left something open that does.
  setTimeout(() => {
    console.log(
      `The tests are over, but something keeps the process open: ${process.getActiveResourcesInfo().join(', ')}`,
    );
    process.exit(1);
  }, 5000).unref();
});
