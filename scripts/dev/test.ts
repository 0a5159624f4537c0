// The program behind `npm test`: the checks of the house, the unit tests, then the lab as LEASEHOLD_LAB says.
import { checkHouse } from './house.js';
import { runLab } from './lab.js';
import { run } from './suite.js';
import { labSuite, unitSuite } from './suites.js';
import { finish, sum } from './tally.js';

const house = checkHouse();
const unit = await run(unitSuite());
const lab = await runLab(labSuite(), process.env.LEASEHOLD_LAB ?? 'auto');
finish(sum([house, unit, lab]));
