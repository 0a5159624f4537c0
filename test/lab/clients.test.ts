// Real clients against the real daemon.
import { realBench, realClients } from './real.js';
import type { RealClient } from './real.js';
import { rows } from './rows.js';

for (const kind of Object.keys(realClients) as RealClient[]) {
  describe(`${kind} in a namespace`, () => {
    rows(realBench(kind));
  });
}
