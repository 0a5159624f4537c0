// The rows of the lab with simulated clients, where neither root nor a network is needed.
import { rows } from '../lab/rows.js';
import type { HabitName } from '../lab/simulated.js';
import { habits, simulatedBench } from '../lab/simulated.js';

for (const name of Object.keys(habits) as HabitName[]) {
  describe(`${name}, simulated`, () => {
    rows(simulatedBench(name));
  });
}
