// Counts of tests, and the plain line that a run ends with.

/** How many tests passed, failed and were skipped. */
export interface Tally {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

export const nothing: Tally = { passed: 0, failed: 0, skipped: 0 };

/** The counts of several runs together. */
export function sum(tallies: readonly Tally[]): Tally {
  return tallies.reduce(
    (a, b) => ({ passed: a.passed + b.passed, failed: a.failed + b.failed, skipped: a.skipped + b.skipped }),
    nothing,
  );
}

/** `N passed, N failed`, and `, N skipped` where some were. */
export function closingLine({ passed, failed, skipped }: Tally): string {
  const line = `${passed} passed, ${failed} failed`;
  return skipped === 0 ? line : `${line}, ${skipped} skipped`;
}

/** The counts in the closing line that `output` ends with; undefined: it ends otherwise. */
export function parseClosingLine(output: string): Tally | undefined {
  const last = output.trimEnd().split('\n').at(-1) ?? '';
  const found = /^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$/.exec(last);
  if (found === null) return undefined;
  return { passed: Number(found[1]), failed: Number(found[2]), skipped: Number(found[3] ?? 0) };
}

/** Prints the closing line as the last of a run and sets the exit code. A run in which no test passed is a failed one. */
export function finish(tally: Tally): void {
  console.log(`\n${closingLine(tally)}`);
  process.exitCode = tally.failed === 0 && tally.passed > 0 ? 0 : 1;
}
