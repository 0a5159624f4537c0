// What a DHCPv6 message says, rule by rule: header, repeated options, relays, what is left out of a message and what is refused whole.
import { expect } from 'chai';
import fc from 'fast-check';
import type { Decoded6 } from '../../../lib/wire/message6.js';
import { decode6, encode6, HOP_COUNT_LIMIT, innermost } from '../../../lib/wire/message6.js';
import { all6, first6 } from '../../../lib/wire/areas6.js';
import { take } from './samples.js';
import { clientId, hex, ip6, messages6, option, relayed, relayHead, shown, solicit } from './samples6.js';

/** The codes that were left out, and where. */
function droppedOf(result: Decoded6): unknown {
  return result.ok ? result.dropped.map(({ level, codes, length }) => [level, codes, length]) : result.reason;
}

describe('decode6', () => {
  it('reads type, transaction and options in the order of the wire (RFC 9915 §8)', () => {
    const bytes = hex('01 0a0b0c' + option(1, clientId) + option(8, '0000') + option(3, '000000010000000000000000'));
    expect(decode6(bytes)).to.deep.equal({ ok: true, value: solicit, dropped: [] });
  });

  it('gives views into the message', () => {
    const bytes = hex('01 0a0b0c' + option(1, clientId));
    expect(take(decode6(bytes)).options[0]!.value.buffer).to.equal(bytes.buffer);
  });

  it('keeps options that come more than once, each of them', () => {
    const [a, b] = ['000000010000000000000000', '000000020000000000000000'];
    const { options } = take(decode6(hex('03 000001' + option(3, a) + option(25, a) + option(3, b))));
    expect(shown(options)).to.deep.equal([
      [3, a],
      [25, a],
      [3, b],
    ]);
    expect(all6(options, 3).map((value) => value[3])).to.deep.equal([1, 2]);
    expect(first6(options, 3)![3]).to.equal(1);
    expect([first6(options, 1), all6(options, 1)]).to.deep.equal([undefined, []]);
  });

  it('carries options and message types that it has no name for (row 46)', () => {
    const message = take(decode6(hex('fe 000001' + option(65000, '0102'))));
    expect(message).to.include({ kind: 'message', type: 254 });
    expect(shown(message.options)).to.deep.equal([[65000, '0102']]);
  });

  it('reads a relayed message and the relay around it (RFC 9915 §9)', () => {
    const inner = '01 0a0b0c' + option(1, clientId);
    const bytes = hex(relayHead(12, 3) + option(18, '65746830') + option(9, inner) + option(37, '000000090102'));
    const message = take(decode6(bytes));
    expect(message).to.deep.equal({
      kind: 'relay',
      type: 12,
      hopCount: 3,
      linkAddress: ip6('2001:db8::1'),
      peerAddress: ip6('fe80::1'),
      options: [
        { code: 18, value: hex('65746830') },
        { code: 37, value: hex('000000090102') },
      ],
      inner: take(decode6(hex(inner))),
    });
    expect(innermost(message)).to.include({ kind: 'message', xid: 0x0a0b0c });
  });
});

describe('decode6 refuses', () => {
  const inner = '01 0a0b0c' + option(1, clientId);
  const rows: readonly (readonly [why: string, octets: string, reason: string])[] = [
    ['nothing', '', 'too-short'],
    ['three octets', '010a0b', 'too-short'],
    ['a relay header cut off', relayHead().slice(0, 66), 'too-short'],
    ['a relayed message of three octets', relayHead() + option(9, '010a0b'), 'too-short'],
    ['a relayed message of none', relayHead() + option(9, ''), 'too-short'],
    ['a code without a length', '01 0a0b0c 0001 00', 'option-overrun'],
    ['a value beyond the message', '01 0a0b0c 0001 000a 0003', 'option-overrun'],
    ['a length of 65535', '01 0a0b0c 0001 ffff', 'option-overrun'],
    ['an overrun after good options', '01 0a0b0c' + option(1, clientId) + '0008 0002 00', 'option-overrun'],
    ['an overrun beside a relayed message', relayHead() + option(9, inner) + '0012 0005 01', 'option-overrun'],
    ['an overrun in a relayed message', relayHead() + option(9, '01 0a0b0c 0001 000a 0003'), 'option-overrun'],
    ['a relay without a message', relayHead() + option(18, '01'), 'bad-relay'],
    ['a relay with two', relayHead() + option(9, inner) + option(9, inner), 'bad-relay'],
  ];
  for (const [why, octets, reason] of rows) {
    it(`${why}: ${reason}`, () => {
      expect(decode6(hex(octets))).to.include({ ok: false, reason });
    });
  }

  it('a message cut off anywhere but behind its header (F54)', () => {
    const whole = hex('01 0a0b0c' + option(1, '000300010203'));
    for (let length = 0; length < whole.length; length++) {
      const reason = length < 4 ? 'too-short' : 'option-overrun';
      // A header alone is a message without options; whoever answers asks for the client's identifier.
      if (length === 4) expect(decode6(whole.subarray(0, 4)).ok).to.equal(true);
      else expect(decode6(whole.subarray(0, length)), `${length}`).to.include({ ok: false, reason });
    }
  });
});

describe('decode6 and relays', () => {
  function nested(relays: number): Uint8Array {
    let bytes = hex('01 0a0b0c' + option(1, clientId));
    for (let i = 0; i < relays; i++) {
      const outer = Uint8Array.from([...hex(relayHead(12, i)), 0, 9, bytes.length >>> 8, bytes.length & 255, ...bytes]);
      bytes = outer;
    }
    return bytes;
  }

  it('reads as many levels as HOP_COUNT_LIMIT, and not one more', () => {
    let message = take(decode6(nested(HOP_COUNT_LIMIT)));
    for (let hops = HOP_COUNT_LIMIT - 1; hops >= 0; hops--) {
      if (message.kind !== 'relay') throw new Error('too few levels');
      expect(message.hopCount).to.equal(hops);
      message = message.inner;
    }
    expect(message.kind).to.equal('message');
    expect(decode6(nested(HOP_COUNT_LIMIT + 1))).to.include({ ok: false, reason: 'too-many-hops' });
  });

  it('is not led down 1,700 levels whose hop counts are all zero (F34)', () => {
    const levels = 1700;
    const bytes = new Uint8Array(38 * levels + 4);
    for (let i = 0; i < levels; i++) {
      const rest = bytes.length - 38 * (i + 1);
      bytes.set([12, 0], 38 * i);
      bytes.set([0, 9, rest >>> 8, rest & 255], 38 * i + 34);
    }
    expect(bytes.length).to.be.lessThan(65528);
    expect(decode6(bytes)).to.include({ ok: false, reason: 'too-many-hops' });
  });
});

describe('decode6 leaves out what is ill-formed, and says so (row 46)', () => {
  const ia = '000000010000000000000000';
  const address = '20010db80000000000000000000000ff0000012c00000258';
  const prefix = (length: string) => `0000012c00000258${length}20010db8000000000000000000000000`;
  const rows: readonly (readonly [what: string, code: number, good: readonly string[], bad: readonly string[]])[] = [
    ['client identifiers (F54)', 1, ['000401', '00'.repeat(130)], ['', '0001', '00'.repeat(131), '01'.repeat(200)]],
    ['server identifiers', 2, [clientId], ['0001']],
    ['IA_NA (F55)', 3, [ia, ia + option(13, '0000')], ['00000001', ia.slice(2), ia + '00', ia + '000d000500']],
    ['IA_TA', 4, ['00000001'], ['000001', '0000000100']],
    ['IA_PD', 25, [ia], [ia.slice(2), ia + '001a00ff']],
    ['option requests', 6, ['', '0017', '00170018'], ['00', '001700']],
    ['preference', 7, ['ff'], ['', '0001']],
    ['elapsed time', 8, ['0000'], ['00', '000000']],
    ['status codes', 13, ['0000', '000541'], ['', '00']],
    ['rapid commit', 14, [''], ['00']],
    ['user classes (F28)', 15, ['000469505845', '69505845'], ['']],
    ['vendor classes', 16, ['00000157', '00000157000a'], ['', '000157']],
    ['vendor options', 17, ['0000118b', '0000118b00010001ff'], ['00118b', '0000118b0001', '0000118b00010002ff']],
    ['reconfigure accept', 20, [''], ['01']],
    ['remote identifiers', 37, ['00000009', '0000000901'], ['000009']],
    ['client names', 39, ['00', '0001610162'], ['']],
    ['architectures', 61, ['0007', '00070010'], ['', '07', '000700']],
    ['network interface identifiers', 62, ['010310'], ['0103']],
    ['options that relays supply', 66, ['', option(65, '00')], ['0041', '00410001']],
    ['client link-layer addresses', 79, ['0001020000000001'], ['', '0001']],
    ['relay ports', 135, ['0222'], ['']],
  ];
  for (const [what, code, good, bad] of rows) {
    it(what, () => {
      for (const value of good) {
        const result = decode6(hex('01 000001' + option(code, value) + option(65000, '01')));
        expect(droppedOf(result), value).to.deep.equal([]);
        expect(take(result).options.map((one) => one.code)).to.deep.equal([code, 65000]);
      }
      for (const value of bad) {
        const result = decode6(hex('01 000001' + option(code, value) + option(65000, '01')));
        expect(droppedOf(result), value).to.deep.equal([[0, [code], hex(value).length]]);
        expect(take(result).options.map((one) => one.code)).to.deep.equal([65000]);
      }
    });
  }

  it('inside an IA: the address goes, the IA stays', () => {
    const inside =
      option(5, address) + option(5, address.slice(2)) + option(13, '00') + option(5, address + option(13, '00'));
    const result = decode6(hex('03 000001' + option(3, ia + inside)));
    expect(droppedOf(result)).to.deep.equal([
      [0, [3, 5], 23],
      [0, [3, 13], 1],
      [0, [3, 5, 13], 1],
    ]);
    expect(take(result).options).to.have.length(1);
  });

  it('inside an IA_PD: a prefix cut off, or longer than 128 bits', () => {
    const inside =
      option(26, prefix('38')) + option(26, prefix('80')) + option(26, prefix('81')) + option(26, '00'.repeat(24));
    expect(droppedOf(decode6(hex('03 000001' + option(25, ia + inside))))).to.deep.equal([
      [0, [25, 26], 25],
      [0, [25, 26], 24],
    ]);
  });

  it('at the level of each relay', () => {
    const inner = '01 000001' + option(8, '00');
    const middle = relayHead(12, 0) + option(79, '00') + option(9, inner);
    const outer = relayHead(12, 1) + option(9, middle) + option(37, '00');
    const result = decode6(hex(outer));
    expect(droppedOf(result)).to.deep.equal([
      [0, [37], 1],
      [1, [79], 1],
      [2, [8], 1],
    ]);
    expect(innermost(take(result)).options).to.deep.equal([]);
  });

  it('does not look for options in addresses in addresses', () => {
    let value = address;
    for (let i = 0; i < 600; i++) value = address + option(5, value);
    expect(droppedOf(decode6(hex('01 000001' + option(3, ia + option(5, value)))))).to.deep.equal([]);
  });
});

describe('decode6 and hostile input', () => {
  it('never throws on arbitrary octets', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.constantFrom(1, 12, 13), (bytes, type) => {
        if (bytes.length > 0) bytes[0] = type;
        const result = decode6(bytes);
        if (!result.ok)
          expect(result.reason).to.be.oneOf(['too-short', 'option-overrun', 'bad-relay', 'too-many-hops']);
      }),
      { numRuns: 2000 },
    );
  });

  it('never throws on messages with octets changed, and reads again what it read', () => {
    const changes = fc.array(fc.tuple(fc.nat(2000), fc.nat(255)), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(messages6, changes, (message, list) => {
        const bytes = take(encode6(message)).slice();
        for (const [at, octet] of list) bytes[at % bytes.length] = octet;
        const result = decode6(bytes);
        if (result.ok) expect(take(decode6(take(encode6(result.value))))).to.deep.equal(result.value);
      }),
      { numRuns: 1000 },
    );
  });

  it('takes as much as a datagram holds: 16,000 options of no value', () => {
    const bytes = new Uint8Array(4 + 4 * 16000);
    bytes[0] = 1;
    expect(take(decode6(bytes)).options).to.have.length(16000);
    expect(take(decode6(take(encode6(relayed(take(decode6(bytes))))))).kind).to.equal('relay');
  });
});
