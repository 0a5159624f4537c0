// The product and the naive model agree on random histories, in memory and on disk.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compareWithModel } from './compare.js';
import { Product } from './product.js';

/** The same histories every time, so that a red run is one that somebody changed; LEASEHOLD_SEED and LEASEHOLD_RUNS look further. */
const seed = Number(process.env['LEASEHOLD_SEED'] ?? 20_261_201);
const runs = Number(process.env['LEASEHOLD_RUNS'] ?? 300);

describe('random histories: the server and the naive model agree', () => {
  it('with the store in memory', async function () {
    this.timeout(300_000 + runs * 1000);
    await compareWithModel(() => new Product(), { runs, length: 40, seed });
  });

  it('with expiry that is always late', async function () {
    this.timeout(300_000 + runs * 1000);
    await compareWithModel(() => new Product(':memory:', undefined, { late: true }), { runs, length: 40, seed });
  });

  it('with the store on disk, opened again at every restart', async function () {
    this.timeout(300_000 + runs * 1000);
    const folder = mkdtempSync(join(tmpdir(), 'leasehold-model-'));
    let count = 0;
    try {
      await compareWithModel(() => new Product(join(folder, `${++count}.db`)), {
        runs: Math.ceil(runs / 15),
        length: 40,
        seed,
      });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
