// The program behind `npm run check`: the checks of the house (the build before it has checked the types), then the unit tests.
import { checkHouse } from './house.js';
import { run } from './suite.js';
import { unitSuite } from './suites.js';
import { finish, sum } from './tally.js';

const house = checkHouse();
finish(sum([house, await run(unitSuite())]));
