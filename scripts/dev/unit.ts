// The program behind `npm run unit`: the unit tests alone.
import { run } from './suite.js';
import { unitSuite } from './suites.js';
import { finish } from './tally.js';

finish(await run(unitSuite()));
