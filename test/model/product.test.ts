// The product and the naive model agree on random histories, in memory and on disk.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compareWithModel } from './compare.js';
import { Product } from './product.js';

describe('random histories: the server and the naive model agree', () => {
  it('with the store in memory', async function () {
    this.timeout(300_000);
    await compareWithModel(() => new Product(), { runs: 300, length: 40 });
  });

  it('with the store on disk, opened again at every restart', async function () {
    this.timeout(300_000);
    const folder = mkdtempSync(join(tmpdir(), 'leasehold-model-'));
    let count = 0;
    try {
      await compareWithModel(() => new Product(join(folder, `${++count}.db`)), { runs: 20, length: 40 });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
