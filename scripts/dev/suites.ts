// The two suites: unit tests, which need neither root nor a network of their own, and the lab with real clients.
import type { Suite } from './suite.js';
import { testFiles } from './suite.js';

const minute = 60_000;

/** Every compiled test but those of the lab. */
export function unitSuite(): Suite {
  const files = testFiles('build/test', ['build/test/lab']);
  return { name: 'unit', files, timeout: 10_000, limit: 10 * minute };
}

/** The compiled tests of the lab. */
export function labSuite(): Suite {
  return { name: 'lab', files: testFiles('build/test/lab'), timeout: minute, limit: 15 * minute };
}
