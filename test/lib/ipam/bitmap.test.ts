// The bitmap of taken addresses against a plain Set.
import { expect } from 'chai';
import fc from 'fast-check';
import { Bitmap } from '../../../lib/ipam/bitmap.js';

/** Sizes about the borders of a word, of a level, and of two. */
const sizes = [1, 2, 31, 32, 33, 63, 64, 1023, 1024, 1025, 32_767, 32_768, 32_769];

function lowest(taken: ReadonlySet<number>, size: number): number | undefined {
  for (let index = 0; index < size; index++) if (!taken.has(index)) return index;
  return undefined;
}

describe('Bitmap', () => {
  for (const size of sizes)
    it(`${size}: filled from below, each is the lowest free in its turn, then none`, () => {
      const map = new Bitmap(size);
      for (let index = 0; index < size; index++) {
        expect(map.lowestFree()).to.equal(index);
        map.add(index);
      }
      expect(map.lowestFree()).to.equal(undefined);
      expect(map.taken).to.equal(size);
      map.delete(size - 1);
      expect(map.lowestFree()).to.equal(size - 1);
      map.delete(0);
      expect(map.lowestFree()).to.equal(0);
    });

  it('is a Set after any additions and deletions', () => {
    const act = fc.record({ add: fc.boolean(), index: fc.nat() });
    const runs = fc.record({
      size: fc.constantFrom(...sizes),
      acts: fc.array(act, { maxLength: 200, size: 'max' }),
      dense: fc.boolean(),
    });
    fc.assert(
      fc.property(runs, ({ size, acts, dense }) => {
        const map = new Bitmap(size);
        const taken = new Set<number>();
        // Half of the runs begin with all taken but the last, where the higher levels matter.
        if (dense) for (let index = 0; index < size - 1; index++) (map.add(index), taken.add(index));
        for (const { add, index: any } of acts) {
          const index = any % size;
          if (add) (map.add(index), taken.add(index));
          else (map.delete(index), taken.delete(index));
          expect(map.has(index)).to.equal(taken.has(index));
          expect(map.taken).to.equal(taken.size);
          expect(map.lowestFree()).to.equal(lowest(taken, size));
        }
      }),
      { numRuns: 60 },
    );
  });

  it('what lies beyond its end is taken', () => {
    const map = new Bitmap(33);
    expect([map.has(32), map.has(33), map.has(5000)]).to.deep.equal([false, true, true]);
    for (const index of [33, 5000]) {
      map.add(index);
      map.delete(index);
    }
    expect([map.taken, map.lowestFree()]).to.deep.equal([0, 0]);
    for (let index = 0; index < 33; index++) map.add(index);
    expect(map.lowestFree()).to.equal(undefined);
  });

  it('finds the last free of 16 million', () => {
    const map = new Bitmap(2 ** 24);
    for (let index = 0; index < 2 ** 24 - 1; index++) map.add(index);
    expect(map.lowestFree()).to.equal(2 ** 24 - 1);
  });
});
