// Domain names on the wire: compression that ends, lengths that are kept, and names that are no host names shown safely.
import { expect } from 'chai';
import fc from 'fast-check';
import { decodeNames, encodeNames, parseName, readName } from '../../../lib/wire/names.js';

/** Octets from letters, where a number is itself. */
function wire(...parts: readonly (string | number)[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => (typeof part === 'number' ? [part] : [...Buffer.from(part)])));
}

describe('decodeNames', () => {
  const long = Array.from({ length: 127 }, () => wire(1, 'a')).reduce((all, one) => wire(...all, ...one), wire());
  const rows: readonly (readonly [what: string, bytes: Uint8Array, names: readonly string[] | undefined])[] = [
    ['nothing', wire(), []],
    ['one name', wire(1, 'a', 1, 'b', 0), ['a.b']],
    ['the root', wire(0), ['.']],
    ['a pointer backwards', wire(1, 'a', 1, 'b', 0, 1, 'c', 0xc0, 2), ['a.b', 'c.b']],
    ['a pointer to a pointer', wire(1, 'a', 0, 1, 'b', 0xc0, 0, 1, 'c', 0xc0, 3), ['a', 'b.a', 'c.b.a']],
    ['octets that are no part of a host name', wire(4, 'a', '.', 0, 0xff, 0), ['a\\x2e\\x00\\xff']],
    ['a name of 255 octets', wire(...long, 0), [Array(127).fill('a').join('.')]],
    ['a name of 256 octets', wire(...long.subarray(2), 2, 'aa', 0), undefined],
    ['a label of 63 octets', wire(63, 'a'.repeat(63), 0), ['a'.repeat(63)]],
    ['a label that runs over', wire(5, 'a', 'b'), undefined],
    ['a name without an end', wire(1, 'a'), undefined],
    ['a pointer to itself', wire(0xc0, 0), undefined],
    ['a pointer forward', wire(0xc0, 2, 1, 'a', 0), undefined],
    ['a pointer into a loop', wire(1, 'a', 0xc0, 0), undefined],
    ['a pointer back and forth', wire(1, 'a', 0xc0, 4, 0xc0, 0), undefined],
    ['half a pointer', wire(1, 'a', 0, 0xc0), undefined],
    ['a label type that is none', wire(0x40, 'a', 0), undefined],
    ['a label type that was withdrawn', wire(0x80, 'a', 0), undefined],
  ];
  for (const [what, bytes, names] of rows) {
    it(`${what}: ${names === undefined ? 'refused' : 'read'}`, () => {
      expect(decodeNames(bytes)).to.deep.equal(names);
    });
  }

  it('refuses more names than anybody has, so that pointers cannot blow two octets up to 255', () => {
    const first = wire(...long, 0);
    const bytes = wire(...first, ...Array.from({ length: 20_000 }, () => [0xc0, 0]).flat());
    expect(decodeNames(bytes)).to.equal(undefined);
  });

  it('reads 256 names, and not one more', () => {
    const names = (count: number) =>
      decodeNames(wire(...Array.from({ length: count }, () => [1, 'a', 0] as const).flat()));
    expect(names(256)).to.have.length(256);
    expect(names(257)).to.equal(undefined);
  });

  it('gives back what was encoded, with and without compression', () => {
    const labels = fc.stringMatching(/^[a-z0-9_-]{1,12}$/);
    const names = fc.array(fc.array(labels, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(names, fc.boolean(), (list, compress) => {
        const bytes = encodeNames(list, compress);
        expect(decodeNames(bytes)).to.deep.equal(list.map((one) => one.join('.')));
        expect(bytes.length).to.be.at.most(encodeNames(list, false).length);
      }),
    );
  });

  it('does not point beyond what 14 bits can say', () => {
    const filler = Array.from({ length: 100 }, (_, i) =>
      Array.from({ length: 4 }, (_, j) => `${i}-${j}-`.padEnd(60, 'x')),
    );
    const list = [...filler, ['late', 'name'], ['late', 'name']];
    const bytes = encodeNames(list, true);
    expect(bytes.length).to.be.greaterThan(0x3fff);
    expect([...bytes.subarray(-11)]).to.deep.equal([...wire(4, 'late', 4, 'name', 0)]);
  });

  it('reads arbitrary octets without throwing', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(0, 1, 2, 63, 64, 97, 0xc0, 0xc1, 0xff), { maxLength: 300 }),
        fc.nat(300),
        (octets, from) => {
          const bytes = Uint8Array.from(octets);
          decodeNames(bytes);
          readName(bytes, from);
        },
      ),
      { numRuns: 3000 },
    );
  });
});

describe('parseName', () => {
  const rows: readonly (readonly [text: string, labels: readonly string[] | undefined])[] = [
    ['rack1.example', ['rack1', 'example']],
    ['rack1.example.', ['rack1', 'example']],
    ['_tcp.a-b', ['_tcp', 'a-b']],
    [`${'a'.repeat(63)}.b`, ['a'.repeat(63), 'b']],
    [`${'a'.repeat(64)}.b`, undefined],
    ['', undefined],
    ['.', undefined],
    ['a..b', undefined],
    ['.a', undefined],
    ['-a.b', undefined],
    ['a-.b', undefined],
    ['-', undefined],
    ['a b', undefined],
    ['bücher.example', undefined],
    [Array(127).fill('a').join('.'), Array<string>(127).fill('a')],
    [`aa.${Array(126).fill('a').join('.')}`, undefined],
  ];
  for (const [text, labels] of rows) {
    it(`${text === '' ? 'nothing' : text.slice(0, 40)}: ${labels === undefined ? 'refused' : 'taken'}`, () => {
      expect(parseName(text)).to.deep.equal(labels);
    });
  }
});
