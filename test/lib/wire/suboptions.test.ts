// Options inside an option, as relays and vendors write them: pads only where there are pads, lengths that must be kept.
import { expect } from 'chai';
import fc from 'fast-check';
import { relaySub } from '../../../lib/wire/relay-information.js';
import { decodeSubOptions, encodeSubOptions } from '../../../lib/wire/suboptions.js';

type Subs = readonly (readonly [sub: number, value: readonly number[]])[];

describe('decodeSubOptions', () => {
  const rows: readonly (readonly [
    what: string,
    octets: readonly number[],
    relay: Subs | undefined,
    vendor: Subs | undefined,
  ])[] = [
    ['nothing', [], [], []],
    ['one', [1, 2, 8, 9], [[1, [8, 9]]], [[1, [8, 9]]]],
    ['a value of no octets', [19, 0], [[19, []]], [[19, []]]],
    ['the first of two alike', [1, 1, 8, 1, 1, 9], [[1, [8]]], [[1, [8]]]],
    ['a zero first', [0, 1, 8], [[0, [8]]], undefined],
    [
      'pads between',
      [1, 1, 8, 0, 2, 1, 9],
      [
        [1, [8]],
        [0, [1, 9]],
      ],
      [
        [1, [8]],
        [2, [9]],
      ],
    ],
    ['an end', [1, 1, 8, 255, 7], undefined, [[1, [8]]]],
    ['255 as a code', [255, 1, 8], [[255, [8]]], []],
    ['a code without a length', [1], undefined, undefined],
    ['a length that runs over', [1, 2, 8], undefined, undefined],
  ];
  for (const [what, octets, relay, vendor] of rows) {
    it(what, () => {
      for (const [padded, wanted] of [
        [false, relay],
        [true, vendor],
      ] as const) {
        const read = decodeSubOptions(Uint8Array.from(octets), padded);
        expect(read === undefined ? undefined : [...read].map(([sub, value]) => [sub, [...value]])).to.deep.equal(
          wanted,
        );
      }
    });
  }
});

describe('encodeSubOptions', () => {
  it('writes what decodeSubOptions reads, in its order', () => {
    const subs = fc.uniqueArray(fc.tuple(fc.nat(255), fc.uint8Array({ maxLength: 255 })), {
      maxLength: 12,
      selector: ([sub]) => sub,
    });
    fc.assert(
      fc.property(subs, (list) => {
        expect([...decodeSubOptions(encodeSubOptions(new Map(list)), false)!]).to.deep.equal(list);
      }),
    );
  });

  it('writes a link selection and a relay port as RFC 3527 and RFC 8357 have them', () => {
    const subs = new Map([
      [relaySub.linkSelection, Uint8Array.of(10, 20, 0, 0)],
      [relaySub.relayPort, new Uint8Array(0)],
    ]);
    expect([...encodeSubOptions(subs)]).to.deep.equal([5, 4, 10, 20, 0, 0, 19, 0]);
  });

  it('has no way to write more than 255 octets', () => {
    expect(encodeSubOptions(new Map([[1, new Uint8Array(255)]]))).to.have.length(257);
    expect(() => encodeSubOptions(new Map([[1, new Uint8Array(256)]]))).to.throw('256');
  });
});
