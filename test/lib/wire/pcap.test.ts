// Capture files of both formats, both byte orders and every clock; cut and impossible ones.
import { expect } from 'chai';
import fc from 'fast-check';
import type { CapturedFrame } from '../../../lib/wire/pcap.js';
import { readCapture, writePcap } from '../../../lib/wire/pcap.js';
import { take, vector } from './samples.js';

/** Numbers of two or four octets in one byte order, and octets as they are. */
function file(little: boolean, ...parts: readonly (readonly [size: 2 | 4, value: number] | Uint8Array)[]): Uint8Array {
  return Uint8Array.from(
    parts.flatMap((part) => {
      if (part instanceof Uint8Array) return [...part];
      const [size, value] = part;
      const octets = Array.from({ length: size }, (_, i) => Math.floor(value / 256 ** i) & 255);
      return little ? octets : octets.reverse();
    }),
  );
}

const frame = Uint8Array.of(1, 2, 3, 4, 5);

function pcap(little: boolean, magic: number, fraction: number, linkType = 1): Uint8Array {
  return file(
    little,
    [4, magic],
    [2, 2],
    [2, 4],
    [4, 0],
    [4, 0],
    [4, 65535],
    [4, linkType],
    [4, 1700000000],
    [4, fraction],
    [4, 5],
    [4, 60],
    frame,
  );
}

/** A pcapng block around a body padded to four octets. */
function block(little: boolean, type: number, ...parts: Parameters<typeof file>[1][]): Uint8Array {
  const body = file(little, ...parts);
  const padded = new Uint8Array(Math.ceil(body.length / 4) * 4);
  padded.set(body);
  const length = padded.length + 12;
  return file(little, [4, type], [4, length], padded, [4, length]);
}

function section(little: boolean): Uint8Array {
  return block(little, 0x0a0d0d0a, [4, 0x1a2b3c4d], [2, 1], [2, 0], [4, 0xffffffff], [4, 0xffffffff]);
}

function source(little: boolean, resolution?: number, snaplen = 0): Uint8Array {
  const options =
    resolution === undefined ? [] : ([[2, 9], [2, 1], Uint8Array.of(resolution, 0, 0, 0), [4, 0]] as const);
  return block(little, 1, [2, 1], [2, 0], [4, snaplen], ...options);
}

function enhanced(little: boolean, units: bigint, from = 0): Uint8Array {
  return block(
    little,
    6,
    [4, from],
    [4, Number(units >> 32n)],
    [4, Number(units & 0xffffffffn)],
    [4, 5],
    [4, 60],
    frame,
  );
}

function together(...parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

const expected: CapturedFrame = { at: 1700000000_123456, linkType: 1, bytes: frame };

describe('readCapture of pcap', () => {
  for (const little of [true, false]) {
    it(`reads microseconds and nanoseconds, ${little ? 'least' : 'most'} significant octet first`, () => {
      for (const bytes of [pcap(little, 0xa1b2c3d4, 123456), pcap(little, 0xa1b23c4d, 123456789)]) {
        expect(take(readCapture(bytes))).to.deep.equal({ frames: [expected], cut: false });
      }
    });
  }

  it('keeps the link type, without the bits above it', () => {
    expect(take(readCapture(pcap(true, 0xa1b2c3d4, 0, 0xf0000071))).frames[0]!.linkType).to.equal(0x71);
  });

  it('gives the frames before a cut, and says that there is one', () => {
    const bytes = together(pcap(true, 0xa1b2c3d4, 123456), frame);
    expect(take(readCapture(bytes))).to.deep.equal({ frames: [expected], cut: true });
    for (let length = 24; length < bytes.length - 5; length++) {
      expect(take(readCapture(bytes.subarray(0, length)))).to.deep.equal({ frames: [], cut: length > 24 });
    }
  });

  it('is not led astray by a record that claims four gigabytes', () => {
    const bytes = pcap(true, 0xa1b2c3d4, 0);
    bytes.fill(255, 32, 36);
    expect(take(readCapture(bytes))).to.deep.equal({ frames: [], cut: true });
  });
});

describe('readCapture of pcapng', () => {
  const micro = 1700000000_123456n;
  for (const little of [true, false]) {
    const order = little ? 'least' : 'most';
    const rows: readonly (readonly [what: string, source: Uint8Array, units: bigint])[] = [
      ['microseconds where nothing is said', source(little), micro],
      ['microseconds', source(little, 6), micro],
      ['nanoseconds', source(little, 9), micro * 1000n + 789n],
      ['milliseconds and less: whole seconds', source(little, 0), 1700000000n],
      ['a power of two', source(little, 0x80 | 20), ((micro << 20n) + 999_999n) / 1_000_000n],
    ];
    for (const [what, from, units] of rows) {
      it(`reads ${what}, ${order} significant octet first`, () => {
        const at = units === 1700000000n ? 1700000000_000000 : expected.at;
        const bytes = together(section(little), from, enhanced(little, units));
        expect(take(readCapture(bytes))).to.deep.equal({ frames: [{ ...expected, at }], cut: false });
      });
    }
  }

  it('reads simple packets, as long as the snaplen lets them be', () => {
    const simple = (original: number) => block(true, 3, [4, original], frame);
    const read = (snaplen: number, original: number) =>
      take(readCapture(together(section(true), source(true, 6, snaplen), simple(original)))).frames[0]!;
    expect(read(0, 5)).to.deep.equal({ at: 0, linkType: 1, bytes: frame });
    expect(read(4, 5).bytes).to.deep.equal(frame.subarray(0, 4));
    expect(read(65535, 5).bytes).to.deep.equal(frame);
  });

  it('reads packets that fill their block, and packets of no octets', () => {
    const four = frame.subarray(0, 4);
    const full = block(true, 6, [4, 0], [4, 0], [4, 0], [4, 4], [4, 4], four);
    const empty = block(true, 6, [4, 0], [4, 0], [4, 0], [4, 0], [4, 0]);
    const bytes = together(
      section(true),
      source(true),
      full,
      empty,
      block(true, 3, [4, 4], four),
      block(true, 3, [4, 0]),
    );
    const lengths = take(readCapture(bytes)).frames.map((one) => one.bytes.length);
    expect(lengths).to.deep.equal([4, 0, 4, 0]);
  });

  it('skips blocks that it does not know, and starts its sources anew with each section', () => {
    const other = block(true, 5, [4, 1], [4, 2]);
    const second = together(section(false), source(false, 9), enhanced(false, micro * 1000n));
    const bytes = together(section(true), other, source(true), enhanced(true, micro), other, second);
    expect(take(readCapture(bytes))).to.deep.equal({ frames: [expected, expected], cut: false });
  });

  it('tells sources apart', () => {
    const bytes = together(
      section(true),
      source(true),
      source(true, 9),
      enhanced(true, micro * 1000n, 1),
      enhanced(true, micro, 0),
    );
    expect(take(readCapture(bytes)).frames).to.deep.equal([expected, expected]);
  });

  const impossible: readonly (readonly [what: string, bytes: Uint8Array])[] = [
    ['nothing', new Uint8Array(0)],
    ['another kind of file', Uint8Array.from(Buffer.from('#!/bin/sh\n'.repeat(10)))],
    ['half a pcap header', pcap(true, 0xa1b2c3d4, 0).subarray(0, 23)],
    ['a section without its magic', block(true, 0x0a0d0d0a, [4, 0], [4, 0], [4, 0], [4, 0])],
    ['a block of no length', together(section(true), file(true, [4, 1], [4, 0], [4, 0]))],
    ['a block of 13 octets', together(section(true), file(true, [4, 1], [4, 13], [4, 0], [4, 0]))],
    ['a packet of a source that is not there', together(section(true), source(true), enhanced(true, micro, 1))],
    ['a packet before any source', together(section(true), enhanced(true, micro))],
    [
      'a packet longer than its block',
      together(section(true), source(true), block(true, 6, [4, 0], [4, 0], [4, 0], [4, 9], [4, 9], frame)),
    ],
    ['a packet block without room for a packet', together(section(true), source(true), block(true, 6, [4, 0]))],
    ['a simple packet longer than its block', together(section(true), source(true), block(true, 3, [4, 9], frame))],
    ['a simple packet block with nothing in it', together(section(true), source(true), block(true, 3))],
  ];
  for (const [what, bytes] of impossible) {
    it(`refuses ${what}`, () => {
      expect(readCapture(bytes)).to.include({ ok: false, reason: 'bad-capture' });
    });
  }

  it('gives the frames before a cut, and says that there is one', () => {
    const bytes = together(section(true), source(true), enhanced(true, micro), enhanced(true, micro));
    const one = bytes.length - enhanced(true, micro).length;
    for (let length = one + 1; length < bytes.length; length++) {
      expect(take(readCapture(bytes.subarray(0, length)))).to.deep.equal({ frames: [expected], cut: true });
    }
  });

  it('reads a capture from the middle of a larger buffer', () => {
    const whole = vector('tcpdump/dhcp-option-108.pcapng');
    const shifted = together(new Uint8Array(3), whole).subarray(3);
    expect(take(readCapture(shifted)).frames).to.deep.equal(take(readCapture(whole)).frames);
  });
});

describe('writePcap', () => {
  const frames = fc.array(
    fc.record({
      at: fc
        .integer({ min: 0, max: 2 ** 32 - 1 })
        .chain((seconds) => fc.nat(999999).map((micro) => seconds * 1e6 + micro)),
      linkType: fc.constant(1),
      bytes: fc.uint8Array({ maxLength: 80 }),
    }),
    { maxLength: 20 },
  );

  it('writes what readCapture reads', () => {
    fc.assert(
      fc.property(frames, (list) => {
        expect(take(readCapture(writePcap(list)))).to.deep.equal({ frames: list, cut: false });
      }),
    );
  });

  it('writes the header that every reader knows', () => {
    expect(Buffer.from(writePcap([])).toString('hex')).to.equal(
      'd4c3b2a1' + '02000400' + '0000000000000000' + '00000400' + '01000000',
    );
  });

  it('does not mix link types', () => {
    expect(() => writePcap([expected, { ...expected, linkType: 113 }])).to.throw('113');
  });
});
