// What a DHCPv4 message says, rule by rule: header, pads, END, joining, overload, and everything that is refused.
import { expect } from 'chai';
import fc from 'fast-check';
import { decode4, encode4 } from '../../../lib/wire/message4.js';
import type { OptionRow } from './samples.js';
import { plain, raw, run, take, vector, withOptions } from './samples.js';

/** Code and value of every option of a message, in the order in which they are found. */
function optionsOf(bytes: Uint8Array): OptionRow[] {
  return [...take(decode4(bytes)).options].map(([code, value]) => [code, [...value]]);
}

describe('decode4 header', () => {
  it('reads every field from its place (RFC 2131 §2)', () => {
    const bytes = Uint8Array.from({ length: 240 }, (_, i) => i + 1);
    bytes.set([1, 6, 16, 3], 0);
    bytes.set([99, 130, 83, 99], 236);
    bytes[44 + 5] = 0;
    expect(take(decode4(bytes))).to.deep.equal({
      op: 1,
      htype: 6,
      hlen: 16,
      hops: 3,
      xid: 0x05060708,
      secs: 0x090a,
      flags: 0x0b0c,
      ciaddr: 0x0d0e0f10,
      yiaddr: 0x11121314,
      siaddr: 0x15161718,
      giaddr: 0x191a1b1c,
      chaddr: Uint8Array.from({ length: 16 }, (_, i) => 29 + i),
      sname: Uint8Array.of(45, 46, 47, 48, 49),
      file: Uint8Array.from({ length: 128 }, (_, i) => 109 + i),
      options: new Map(),
      cookie: true,
    });
  });

  it('takes as much of chaddr as hlen says, nothing at all for IPoIB (RFC 4390 §2)', () => {
    const bytes = raw([53, 1, 1, 255]);
    bytes.set([32, 0], 1);
    const message = take(decode4(bytes));
    expect(message).to.include({ htype: 32, hlen: 0 });
    expect(message.chaddr).to.have.length(0);
  });

  it('takes a message that ends before the cookie, and a zeroed vendor area, for BOOTP without options', () => {
    const bootp = raw([]);
    bootp.fill(0, 236);
    const zeroed = new Uint8Array(300);
    zeroed.set(bootp);
    for (const bytes of [bootp.subarray(0, 236), bootp.subarray(0, 239), bootp, zeroed]) {
      const message = take(decode4(bytes));
      expect(message.cookie).to.equal(false);
      expect(message.options.size).to.equal(0);
    }
  });

  it('tells a BOOTP client that knows of options: a cookie and END, no type (F53)', () => {
    const message = take(decode4(raw([255, ...run(59, 0)])));
    expect(message.cookie).to.equal(true);
    expect(message.options.size).to.equal(0);
  });
});

describe('decode4 refuses', () => {
  const rows: readonly (readonly [why: string, bytes: Uint8Array, reason: string])[] = [
    ['nothing', new Uint8Array(0), 'too-short'],
    ['one octet (kea-fuzz)', vector('kea-fuzz/one-byte'), 'too-short'],
    ['235 octets', raw([]).subarray(0, 235), 'too-short'],
    ['op 0', raw([]).fill(0, 0, 1), 'bad-op'],
    ['op 3', raw([]).fill(3, 0, 1), 'bad-op'],
    ['hlen 17', raw([]).fill(17, 2, 3), 'bad-hlen'],
    ['hlen 255', raw([]).fill(255, 2, 3), 'bad-hlen'],
    ['another cookie', raw([]).fill(0, 239, 240), 'bad-cookie'],
    ['a code without a length', raw([53, 1, 1, 12]), 'option-overrun'],
    ['a value that ends after the message', raw([53, 1, 1, 12, 4, 97, 98, 99]), 'option-overrun'],
    ['a length of 255 at the end', raw([53, 1, 1, 12, 255]), 'option-overrun'],
    ['an overrun in file', raw([52, 1, 1, 255], { file: [...run(126, 0), 12, 1] }), 'option-overrun'],
    ['an overrun from sname into file', raw([52, 1, 2, 255], { sname: [...run(61, 0), 12, 2, 97] }), 'option-overrun'],
  ];
  for (const [why, bytes, reason] of rows) {
    it(`${why}: ${reason}`, () => {
      expect(decode4(bytes)).to.include({ ok: false, reason });
    });
  }
});

describe('decode4 options', () => {
  const rows: readonly (readonly [what: string, bytes: Uint8Array, options: readonly OptionRow[]])[] = [
    [
      'pads are one octet, also before the type (row 25, F33)',
      raw([0, 0, 53, 1, 3, 0, 50, 1, 9, 255]),
      [
        [53, [3]],
        [50, [9]],
      ],
    ],
    ['END stops, whatever follows (row 25, F33)', raw([53, 1, 1, 255, 12, 1, 97, 53, 200]), [[53, [1]]]],
    [
      'END may be missing',
      raw([53, 1, 1, 12, 1, 97]),
      [
        [53, [1]],
        [12, [97]],
      ],
    ],
    ['a zero-length option may be the last thing there is', raw([53, 1, 1, 12, 0]), [[53, [1]]]],
    [
      'options without a name are carried',
      raw([224, 2, 1, 2, 53, 1, 1, 255]),
      [
        [224, [1, 2]],
        [53, [1]],
      ],
    ],
    ['a zero-length option is absent (F31)', raw([12, 0, 61, 0, 53, 0, 53, 1, 1, 82, 0, 255]), [[53, [1]]]],
    [
      'but not one that never has a value (RFC 4039)',
      raw([80, 0, 53, 1, 1, 255]),
      [
        [80, []],
        [53, [1]],
      ],
    ],
    [
      'pieces are joined in order (row 38)',
      raw([12, 2, 97, 98, 53, 1, 1, 12, 1, 99, 255]),
      [
        [12, [97, 98, 99]],
        [53, [1]],
      ],
    ],
    ['zero-length pieces add nothing', raw([12, 0, 12, 1, 97, 12, 0, 12, 1, 98, 255]), [[12, [97, 98]]]],
    [
      'file holds options where 52 says 1 (row 21)',
      raw([52, 1, 1, 53, 1, 2, 255], { file: [3, 1, 4, 255, 12, 9], sname: [115] }),
      [
        [52, [1]],
        [53, [2]],
        [3, [4]],
      ],
    ],
    [
      'sname holds options where 52 says 2',
      raw([52, 1, 2, 53, 1, 2, 255], { file: [97], sname: [3, 1, 4, 255] }),
      [
        [52, [2]],
        [53, [2]],
        [3, [4]],
      ],
    ],
    [
      'options, file, sname is the order in which pieces are joined (rows 21, 38)',
      raw([12, 1, 49, 52, 1, 3, 255], { file: [12, 1, 50, 255], sname: [12, 1, 51, 255] }),
      [
        [12, [49, 50, 51]],
        [52, [3]],
      ],
    ],
    [
      'file may end without END',
      raw([52, 1, 1, 255], { file: [43, 126, ...run(126)] }),
      [
        [52, [1]],
        [43, run(126)],
      ],
    ],
    [
      'a 52 in file is only an option',
      raw([52, 1, 1, 255], { file: [52, 1, 3, 255], sname: [12, 200] }),
      [[52, [1, 3]]],
    ],
    ['an overload of 0 means none', raw([52, 1, 0, 255], { file: [12, 200] }), [[52, [0]]]],
    ['an overload of 4 means none', raw([52, 1, 4, 255], { file: [12, 200] }), [[52, [4]]]],
    ['an overload of two octets means none', raw([52, 2, 1, 1, 255], { file: [12, 200] }), [[52, [1, 1]]]],
  ];
  for (const [what, bytes, options] of rows) {
    it(what, () => {
      expect(optionsOf(bytes)).to.deep.equal(options);
    });
  }

  it('leaves the fields that hold options empty, and only those', () => {
    const file = take(decode4(raw([52, 1, 1, 255], { file: [12, 1, 97, 255], sname: [115, 118] })));
    expect([file.file, file.sname]).to.deep.equal([new Uint8Array(0), Uint8Array.of(115, 118)]);
    const sname = take(decode4(raw([52, 1, 2, 255], { file: [102], sname: [12, 1, 97, 255] })));
    expect([sname.file, sname.sname]).to.deep.equal([Uint8Array.of(102), new Uint8Array(0)]);
  });

  it('gives views into the message where nothing had to be joined', () => {
    const bytes = raw([53, 1, 1, 12, 3, 97, 98, 99, 255]);
    const message = take(decode4(bytes));
    expect(message.chaddr.buffer).to.equal(bytes.buffer);
    expect([...message.options.values()].map((value) => value.buffer)).to.deep.equal([bytes.buffer, bytes.buffer]);
  });
});

describe('decode4 and hostile input', () => {
  it('never throws on arbitrary octets behind a plausible header', () => {
    const areas = fc.uint8Array({ maxLength: 600 });
    fc.assert(
      fc.property(areas, fc.uint8Array({ minLength: 192, maxLength: 192 }), fc.nat(3), (options, middle, overload) => {
        const bytes = raw([52, 1, overload, ...options]);
        bytes.set(middle, 44);
        const result = decode4(bytes);
        if (!result.ok) expect(result.reason).to.equal('option-overrun');
      }),
      { numRuns: 2000 },
    );
  });

  it('takes time in proportion to the length: 30,000 pieces of one option are joined once', () => {
    const pieces = raw(Array.from({ length: 30_000 }, () => [200, 1, 5]).flat());
    const message = take(decode4(pieces));
    expect(message.options.get(200)).to.deep.equal(Uint8Array.from(run(30_000, 5)));
  });

  it('survives each octet of a message set to each value', () => {
    const good = take(
      encode4(
        withOptions(
          [
            [53, [1]],
            [61, [1, 2, 3]],
            [82, [1, 1, 9]],
          ],
          { op: 1 },
        ),
        300,
      ),
    );
    let refused = 0;
    for (let at = 0; at < good.length; at++) {
      for (const value of [0, 1, 52, 127, 128, 254, 255]) {
        const bytes = good.slice();
        bytes[at] = value;
        if (!decode4(bytes).ok) refused++;
      }
    }
    expect(refused).to.be.greaterThan(0);
    expect(take(decode4(good)).xid).to.equal(plain.xid);
  });
});
