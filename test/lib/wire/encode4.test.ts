// What a DHCPv4 message looks like on the wire, rule by rule: order, length, splitting, overload, and what goes when room is short.
import { expect } from 'chai';
import fc from 'fast-check';
import type { Encoded4, Message4 } from '../../../lib/wire/message4.js';
import { decode4, encode4 } from '../../../lib/wire/message4.js';
import { messages, none, run, take, withOptions } from './samples.js';

/** The codes in the octets from `from` up to END, pieces one by one. */
function codesIn(bytes: Uint8Array, from: number): number[] {
  const codes: number[] = [];
  for (let at = from; bytes[at] !== 255; at += 2 + bytes[at + 1]!) codes.push(bytes[at]!);
  return codes;
}

/** Where END stands in the area that begins at `from`. */
function endOf(bytes: Uint8Array, from: number): number {
  let at = from;
  while (bytes[at] !== 255) at += 2 + bytes[at + 1]!;
  return at;
}

describe('encode4 without need of room', () => {
  it('pads to 300 octets after END (rows 25, 26, F41)', () => {
    const bytes = take(encode4(withOptions([[53, [2]]]), 1500));
    expect(bytes).to.have.length(300);
    expect([...bytes.subarray(236, 244)]).to.deep.equal([99, 130, 83, 99, 53, 1, 2, 255]);
    expect(bytes.subarray(244).every((octet) => octet === 0)).to.equal(true);
  });

  it('adds no pads beyond 300', () => {
    const bytes = take(
      encode4(
        withOptions([
          [53, [2]],
          [43, run(100)],
        ]),
        1500,
      ),
    );
    expect(bytes).to.have.length(240 + 3 + 102 + 1);
    expect(bytes.at(-1)).to.equal(255);
  });

  it('puts 53 first, 82 last, 1 before 3, all else in its order (rows 23, 30, F18)', () => {
    const mask = [1, [255, 255, 255, 0]] as const;
    const routers = [3, [10, 0, 0, 1]] as const;
    const before = [
      [6, [8, 8, 8, 8]],
      [82, [1, 1, 9]],
    ] as const;
    const after = [
      [200, [1]],
      [53, [2]],
    ] as const;
    const codes = [
      [...before, mask, routers, ...after],
      [...before, routers, mask, ...after],
      [routers, ...before, ...after, mask],
    ].map((rows) => codesIn(take(encode4(withOptions(rows), 1500)), 240));
    expect(codes).to.deep.equal([
      [53, 6, 1, 3, 200, 82],
      [53, 6, 1, 3, 200, 82],
      [53, 1, 3, 6, 200, 82],
    ]);
  });

  it('cuts what is over 255 octets into pieces in order (row 38)', () => {
    const value = Array.from({ length: 600 }, (_, i) => i & 255);
    const bytes = take(
      encode4(
        withOptions([
          [53, [2]],
          [43, value],
        ]),
        1500,
      ),
    );
    expect(codesIn(bytes, 240)).to.deep.equal([53, 43, 43, 43]);
    expect([bytes[244], bytes[244 + 257], bytes[244 + 514]]).to.deep.equal([255, 255, 90]);
    expect([...take(decode4(bytes)).options.get(43)!]).to.deep.equal(value);
  });

  it('leaves out empty values, but not of options that never have one (F31, F40)', () => {
    const bytes = take(
      encode4(
        withOptions([
          [53, [5]],
          [12, []],
          [82, []],
          [80, []],
        ]),
        576,
      ),
    );
    expect(codesIn(bytes, 240)).to.deep.equal([53, 80]);
    expect(
      encode4(
        withOptions([
          [53, [5]],
          [82, []],
        ]),
        576,
      ),
    ).to.include({ relayInfoOmitted: false });
  });

  it('writes its own 52, never the one it is given', () => {
    expect(
      codesIn(
        take(
          encode4(
            withOptions([
              [53, [2]],
              [52, [3]],
            ]),
            576,
          ),
        ),
        240,
      ),
    ).to.deep.equal([53]);
  });

  it('zeroes the reserved bits of flags (row 26)', () => {
    expect(take(decode4(take(encode4(withOptions([[53, [2]]], { flags: 0xffff }), 576)))).flags).to.equal(0x8000);
  });

  it('answers BOOTP without options with 300 octets and no cookie', () => {
    const bytes = take(encode4(withOptions([], { cookie: false }), 548));
    expect(bytes).to.have.length(300);
    expect(bytes.subarray(236).every((octet) => octet === 0)).to.equal(true);
  });

  it('answers BOOTP with a cookie by a cookie and END (F53)', () => {
    const bytes = take(encode4(withOptions([]), 548));
    expect([...bytes.subarray(236, 242)]).to.deep.equal([99, 130, 83, 99, 255, 0]);
  });

  it('fills sname and file to their last octet', () => {
    const full = withOptions([[53, [2]]], { sname: Uint8Array.from(run(64)), file: Uint8Array.from(run(128)) });
    expect(take(decode4(take(encode4(full, 548))))).to.deep.equal(full);
  });

  it('refuses what no header has room for', () => {
    expect(encode4(withOptions([], { chaddr: new Uint8Array(17) }), 576)).to.include({ ok: false, reason: 'bad-hlen' });
    expect(encode4(withOptions([], { sname: new Uint8Array(65) }), 576)).to.include({ ok: false, reason: 'too-large' });
    expect(encode4(withOptions([], { file: new Uint8Array(129) }), 576)).to.include({ ok: false, reason: 'too-large' });
    expect(encode4(withOptions([[53, [2]]]), 299)).to.include({ ok: false, reason: 'too-large' });
  });
});

describe('encode4 where room is short', () => {
  // In 548 octets the options field holds 308: 53 takes 3 and END 1.
  const fits: Message4 = withOptions([
    [53, [2]],
    [43, run(252)],
    [60, run(48)],
  ]);
  const over: Message4 = withOptions([
    [53, [2]],
    [43, run(252)],
    [60, run(48)],
    [15, run(20)],
  ]);

  it('does not overload a message that fits to the octet (row 21)', () => {
    const bytes = take(encode4(fits, 548));
    expect(bytes).to.have.length(548);
    expect(codesIn(bytes, 240)).to.deep.equal([53, 43, 60]);
  });

  it('moves whole options into file first, each area with its END, pads after (row 21)', () => {
    const bytes = take(encode4(over, 548));
    expect(codesIn(bytes, 240)).to.deep.equal([53, 43, 15, 52]);
    expect(codesIn(bytes, 108)).to.deep.equal([60]);
    expect(bytes.subarray(endOf(bytes, 108) + 1, 236).every((octet) => octet === 0)).to.equal(true);
    expect(bytes.subarray(44, 108).every((octet) => octet === 0)).to.equal(true);
    expect(take(decode4(bytes)).options.get(52)).to.deep.equal(Uint8Array.of(1));
  });

  it('uses sname where file is taken, and both where it must', () => {
    const file = Uint8Array.of(97);
    const taken = take(decode4(take(encode4({ ...over, file }, 548))));
    expect(taken.options.get(52)).to.deep.equal(Uint8Array.of(2));
    expect(taken.file).to.deep.equal(file);
    const both = withOptions([
      [53, [2]],
      [43, run(252)],
      [60, run(100)],
      [15, run(50)],
      [12, run(40)],
    ]);
    expect(take(decode4(take(encode4(both, 548)))).options.get(52)).to.deep.equal(Uint8Array.of(3));
  });

  it('cuts an option at the end of an area only where none holds it whole (row 38)', () => {
    const long = Array.from({ length: 480 }, (_, i) => i & 255);
    const message = take(
      decode4(
        take(
          encode4(
            withOptions([
              [53, [2]],
              [43, long],
            ]),
            548,
          ),
        ),
      ),
    );
    expect(message.options.get(52)).to.deep.equal(Uint8Array.of(3));
    expect([...message.options.get(43)!]).to.deep.equal(long);
  });

  it('fills every area to its last octet with whole options', () => {
    // With 53, 52 and END gone the options field has 301 octets, file 127 and sname 63 beside their END.
    const bytes = take(
      encode4(
        withOptions([
          [53, [2]],
          [43, run(252)],
          [60, run(45)],
          [15, run(125)],
          [12, run(61)],
        ]),
        548,
      ),
    );
    expect([240, 108, 44].map((from) => codesIn(bytes, from))).to.deep.equal([[53, 43, 60, 52], [15], [12]]);
    expect([endOf(bytes, 240), endOf(bytes, 108), endOf(bytes, 44)]).to.deep.equal([547, 235, 107]);
  });

  it('fills every area to its last octet with pieces, and then no more', () => {
    const room = (length: number) =>
      encode4(
        withOptions([
          [53, [2]],
          [43, run(length)],
        ]),
        548,
      ).ok;
    expect([483, 484].map(room)).to.deep.equal([true, false]);
    // Two octets that are left are enough for an option without a value, and for no other.
    const flag = (length: number) =>
      encode4(
        withOptions([
          [53, [2]],
          [43, run(length)],
          [80, []],
        ]),
        548,
      ).ok;
    expect([481, 482].map(flag)).to.deep.equal([true, false]);
    const bytes = take(
      encode4(
        withOptions([
          [53, [2]],
          [60, run(252)],
          [12, run(43)],
          [43, run(186)],
        ]),
        548,
      ),
    );
    expect([240, 108, 44].map((from) => codesIn(bytes, from))).to.deep.equal([[53, 60, 12, 52], [43], [43]]);
  });

  it('keeps 82 in the options field, last before END (rows 29, 30)', () => {
    const bytes = take(encode4({ ...over, options: new Map([[82, Uint8Array.from(run(60))], ...over.options]) }, 548));
    expect(codesIn(bytes, 240).at(-1)).to.equal(82);
    expect(codesIn(bytes, 108)).not.to.include(82);
  });

  it('drops 82 whole, and says so, rather than anything else (row 31)', () => {
    const options = new Map([...over.options, [82, Uint8Array.from(run(400))] as const]);
    const result: Encoded4 = encode4({ ...over, options }, 548);
    expect(result).to.include({ ok: true, relayInfoOmitted: true });
    const decoded = take(decode4(take(result)));
    expect([...decoded.options.keys()]).to.have.members([53, 43, 60, 15, 52]);
  });

  it('drops 82 at the very length at which the options field cannot hold it', () => {
    // 308 octets less 53, 52 and END are 301: up to 255 octets of 82 take two more, and beyond that four.
    for (let length = 1; length <= 320; length++) {
      const result = encode4(
        withOptions([
          [53, [2]],
          [43, run(100)],
          [82, run(length)],
          [17, run(50)],
        ]),
        548,
      );
      expect(result, `${length} octets`).to.include({ ok: true, relayInfoOmitted: length > 297 });
    }
  });

  it('says too-large where even that does not help', () => {
    const options = [
      [53, [2]],
      [43, run(490)],
      [82, [1, 1, 9]],
    ] as const;
    expect(encode4(withOptions(options), 548)).to.include({ ok: false, reason: 'too-large' });
    expect(encode4(withOptions(options), 1472)).to.include({ ok: true, relayInfoOmitted: false });
  });

  it('never overloads a NAK, nor BOOTP (rows 11, 27)', () => {
    const nak = withOptions([
      [53, [6]],
      [56, run(255)],
      [54, [1, 2, 3, 4]],
      [61, run(50)],
    ]);
    expect(encode4(nak, 548)).to.include({ ok: false, reason: 'too-large' });
    const relayed = { ...nak, options: new Map([...nak.options, [82, none] as const]) };
    relayed.options.delete(61);
    relayed.options.set(82, Uint8Array.from(run(60)));
    const result = encode4(relayed, 548);
    expect(result).to.include({ ok: true, relayInfoOmitted: true });
    expect(
      take(result)
        .subarray(44, 236)
        .every((octet) => octet === 0),
    ).to.equal(true);
    expect(
      encode4(
        withOptions([
          [43, run(252)],
          [60, run(60)],
        ]),
        548,
      ),
    ).to.include({ ok: false, reason: 'too-large' });
  });
});

describe('decode4 after encode4', () => {
  it('is what went in, whatever the room, or less option 82, or too-large', () => {
    let overloads = 0;
    fc.assert(
      fc.property(
        messages,
        fc.oneof(fc.integer({ min: 290, max: 600 }), fc.constantFrom(300, 548, 1472, 65507)),
        (message, room) => {
          const result = encode4(message, room);
          if (!result.ok) {
            expect(result.reason).to.equal('too-large');
            return;
          }
          expect(result.value.length).to.be.within(300, Math.max(300, room));
          expect(result.value[240]).to.equal(53);
          const back = take(decode4(result.value));
          const options = new Map(back.options);
          if (options.delete(52)) overloads++;
          const wanted = new Map(message.options);
          if (result.relayInfoOmitted) wanted.delete(82);
          expect(new Map([...options].sort(([a], [b]) => a - b))).to.deep.equal(
            new Map([...wanted].sort(([a], [b]) => a - b)),
          );
          expect({ ...back, options: null }).to.deep.equal({ ...message, options: null });
        },
      ),
      { numRuns: 1500 },
    );
    expect(overloads).to.be.greaterThan(10);
  });

  it('keeps the order of options where nothing is overloaded', () => {
    fc.assert(
      fc.property(messages, (message) => {
        const order = [...message.options.keys()].filter((code) => code !== 82 && code !== 1);
        if (message.options.has(82)) order.push(82);
        const codes = [...take(decode4(take(encode4(message, 65507)))).options.keys()];
        expect(codes.filter((code) => code !== 1)).to.deep.equal(order);
      }),
    );
  });

  it('needs no more room than the message takes, and no less', () => {
    fc.assert(
      fc.property(messages, (message) => {
        const exact = take(encode4(message, 65507)).length;
        const again = encode4(message, exact);
        expect(take(again)).to.deep.equal(take(encode4(message, 65507)));
        const tighter = encode4(message, exact - 1);
        if (!tighter.ok || tighter.relayInfoOmitted) return;
        expect(take(decode4(tighter.value)).options.has(52)).to.equal(true);
      }),
    );
  });
});
