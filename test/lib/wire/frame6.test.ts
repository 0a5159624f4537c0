// Frames over IPv6: tags, extension headers, padding and checksums as they come, and everything that is not UDP in one piece refused.
import { expect } from 'chai';
import fc from 'fast-check';
import type { Frame6 } from '../../../lib/wire/frame6.js';
import { decodeFrame6, encodeFrame6 } from '../../../lib/wire/frame6.js';
import { take } from './samples.js';
import { ip6, ip6s } from './samples6.js';

const sample: Frame6 = {
  sourceMac: Uint8Array.of(2, 0, 0, 0, 0, 1),
  destinationMac: Uint8Array.of(0x33, 0x33, 0, 1, 0, 2),
  source: ip6('fe80::ff:fe00:1'),
  destination: ip6('ff02::1:2'),
  sourcePort: 546,
  destinationPort: 547,
  payload: Uint8Array.of(1, 2, 3, 4, 5),
};
const good = encodeFrame6(sample);

function changed(at: number, ...octets: readonly number[]): Uint8Array {
  const bytes = good.slice();
  bytes.set(octets, at);
  return bytes;
}

/** `good` with `octets` put in at `at`. */
function inserted(at: number, ...octets: readonly number[]): Uint8Array {
  return Uint8Array.from([...good.subarray(0, at), ...octets, ...good.subarray(at)]);
}

/** `good` with an extension header of `type` and `octets` before the datagram. */
function extended(type: number, ...octets: readonly number[]): Uint8Array {
  const bytes = inserted(54, 17, octets.length / 8, 0, 0, 0, 0, 0, 0, ...octets);
  bytes.set([13 + 8 + octets.length, type], 19);
  return bytes;
}

describe('encodeFrame6', () => {
  it('writes what RFC 8200 says, with the checksum of its §8.1', () => {
    // fe80+00ff+fe00+0001 + ff02+0001+0002 + 000d + 0011 + 0222+0223+000d + 0102+0304+0500 = 309fb, folded 09fe, inverted f601
    expect(Buffer.from(good).toString('hex')).to.equal(
      '333300010002' +
        '020000000001' +
        '86dd' +
        '60000000' +
        '000d' +
        '1140' +
        'fe80000000000000000000fffe000001' +
        'ff020000000000000000000000010002' +
        '02220223000d' +
        'f601' +
        '0102030405',
    );
  });

  it('never writes a UDP checksum of zero, which IPv6 does not allow', () => {
    let seen = 0;
    for (let word = 0; word <= 0xffff; word++) {
      const bytes = encodeFrame6({ ...sample, payload: Uint8Array.of(word >>> 8, word & 255) });
      const checksum = (bytes[60]! << 8) | bytes[61]!;
      expect(checksum).not.to.equal(0);
      if (checksum === 0xffff) {
        seen++;
        expect(decodeFrame6(bytes).ok).to.equal(true);
      }
    }
    expect(seen).to.equal(1);
  });

  it('is what decodeFrame6 reads, at any length that IPv6 carries', () => {
    const macs = fc.uint8Array({ minLength: 6, maxLength: 6 });
    const frames = fc.record({
      sourceMac: macs,
      destinationMac: macs,
      source: ip6s,
      destination: ip6s,
      sourcePort: fc.nat(65535),
      destinationPort: fc.nat(65535),
      payload: fc.uint8Array({ maxLength: 700 }),
    });
    fc.assert(
      fc.property(frames, (frame) => {
        expect(take(decodeFrame6(encodeFrame6(frame)))).to.deep.equal(frame);
      }),
    );
    const most = { ...sample, payload: new Uint8Array(65527).fill(255) };
    expect(take(decodeFrame6(encodeFrame6(most)))).to.deep.equal(most);
    expect(() => encodeFrame6({ ...sample, payload: new Uint8Array(65528) })).to.throw('65528');
  });
});

describe('decodeFrame6', () => {
  const tag = [0x81, 0, 0, 42];
  const outer = [0x88, 0xa8, 0, 7];
  const taken: readonly (readonly [what: string, bytes: Uint8Array])[] = [
    ['as it was written', good],
    ['with Ethernet padding', Uint8Array.from([...good, ...new Uint8Array(13)])],
    ['with a VLAN tag', inserted(12, ...tag)],
    ['with two', inserted(12, ...outer, ...tag)],
    ['with a traffic class and flow label', changed(14, 0x6b, 0x81, 2, 3)],
    ['with hop-by-hop options', extended(0)],
    ['with a routing header of 24 octets', extended(43, ...new Uint8Array(16))],
    ['with destination options', extended(60)],
  ];
  for (const [what, bytes] of taken) {
    it(`reads a frame ${what}`, () => {
      expect(take(decodeFrame6(bytes))).to.deep.equal(sample);
    });
  }

  const refused: readonly (readonly [what: string, bytes: Uint8Array, reason: string])[] = [
    ['nothing', new Uint8Array(0), 'bad-frame'],
    ['half a header', good.subarray(0, 53), 'bad-frame'],
    ['a frame cut off', good.subarray(0, good.length - 1), 'bad-frame'],
    ['IPv4', changed(12, 8, 0), 'bad-frame'],
    ['three tags', inserted(12, ...outer, ...tag, ...tag), 'bad-frame'],
    ['IP version 4 behind the type of IPv6', changed(14, 0x45), 'bad-frame'],
    ['a payload length beyond the frame', changed(18, 0, 14), 'bad-frame'],
    ['a payload length of zero, as a jumbogram has', changed(18, 0, 0), 'bad-frame'],
    ['a payload length that leaves no UDP header', changed(18, 0, 7), 'bad-frame'],
    ['TCP', changed(20, 6), 'bad-frame'],
    ['ICMPv6', changed(20, 58), 'bad-frame'],
    ['a fragment', extended(44), 'bad-frame'],
    ['an extension header beyond the packet', changed(20, 0).fill(255, 54, 56), 'bad-frame'],
    ['an extension header that is cut off', changed(18, 0, 6, 60), 'bad-frame'],
    ['a UDP length under its header', changed(58, 0, 7), 'bad-frame'],
    ['a UDP length beyond the packet', changed(58, 0, 14), 'bad-frame'],
    ['no UDP checksum (RFC 8200 §8.1)', changed(60, 0, 0), 'bad-checksum'],
    ['a wrong UDP checksum', changed(60, 1, 1), 'bad-checksum'],
    ['another payload under the same checksum', changed(66, 9), 'bad-checksum'],
    ['another source under the same checksum', changed(37, 2), 'bad-checksum'],
    ['another destination under the same checksum', changed(53, 3), 'bad-checksum'],
  ];
  for (const [what, bytes, reason] of refused) {
    it(`refuses ${what}: ${reason}`, () => {
      expect(decodeFrame6(bytes)).to.include({ ok: false, reason });
      if (reason === 'bad-checksum') expect(decodeFrame6(bytes, 'ignore').ok).to.equal(true);
    });
  }
});
