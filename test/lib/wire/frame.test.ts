// Frames: tags, IP options, padding and checksums as they come, and everything that is not UDP over IPv4 in one piece refused.
import { expect } from 'chai';
import fc from 'fast-check';
import type { Ip4 } from '../../../lib/net/ip.js';
import { BROADCAST4 } from '../../../lib/net/ip.js';
import type { Frame } from '../../../lib/wire/frame.js';
import { decodeFrame, encodeFrame } from '../../../lib/wire/frame.js';
import { ip4s, take } from './samples.js';

const sample: Frame = {
  sourceMac: Uint8Array.of(2, 0, 0, 0, 0, 1),
  destinationMac: Uint8Array.of(255, 255, 255, 255, 255, 255),
  source: 0x0a140001 as Ip4,
  destination: BROADCAST4,
  sourcePort: 67,
  destinationPort: 68,
  payload: Uint8Array.of(1, 2, 3, 4, 5),
};
const good = encodeFrame(sample);

function changed(at: number, ...octets: readonly number[]): Uint8Array {
  const bytes = good.slice();
  bytes.set(octets, at);
  return bytes;
}

/** `good` with `octets` put in at `at`. */
function inserted(at: number, ...octets: readonly number[]): Uint8Array {
  return Uint8Array.from([...good.subarray(0, at), ...octets, ...good.subarray(at)]);
}

describe('encodeFrame', () => {
  it('writes what is known of old (RFC 768, RFC 791, RFC 1071)', () => {
    expect(Buffer.from(good).toString('hex')).to.equal(
      'ffffffffffff' +
        '020000000001' +
        '0800' +
        '4500002100004000' +
        '4011' +
        '30b8' +
        '0a140001' +
        'ffffffff' +
        '00430044000d' +
        'ec32' +
        '0102030405',
    );
  });

  it('never writes a UDP checksum of zero, which would say that there is none', () => {
    // Some last word makes the sum all ones, whose complement is zero.
    let seen = 0;
    for (let word = 0; word <= 0xffff; word++) {
      const frame = { ...sample, payload: Uint8Array.of(word >>> 8, word & 255) };
      const bytes = encodeFrame(frame);
      const checksum = (bytes[40]! << 8) | bytes[41]!;
      expect(checksum).not.to.equal(0);
      if (checksum === 0xffff) {
        seen++;
        expect(take(decodeFrame(bytes)).payload).to.deep.equal(frame.payload);
      }
    }
    expect(seen).to.equal(1);
  });

  it('is what decodeFrame reads, at any length that IPv4 carries', () => {
    const macs = fc.uint8Array({ minLength: 6, maxLength: 6 });
    const frames = fc.record({
      sourceMac: macs,
      destinationMac: macs,
      source: ip4s,
      destination: ip4s,
      sourcePort: fc.nat(65535),
      destinationPort: fc.nat(65535),
      payload: fc.uint8Array({ maxLength: 700 }),
    });
    fc.assert(
      fc.property(frames, (frame) => {
        expect(take(decodeFrame(encodeFrame(frame)))).to.deep.equal(frame);
      }),
    );
    const most = { ...sample, payload: new Uint8Array(65507).fill(255) };
    expect(take(decodeFrame(encodeFrame(most)))).to.deep.equal(most);
    expect(() => encodeFrame({ ...sample, payload: new Uint8Array(65508) })).to.throw('65508');
  });
});

describe('decodeFrame', () => {
  const tag = [0x81, 0, 0, 42];
  const outer = [0x88, 0xa8, 0, 7];
  const taken: readonly (readonly [what: string, bytes: Uint8Array])[] = [
    ['as it was written', good],
    ['with Ethernet padding', Uint8Array.from([...good, ...new Uint8Array(13)])],
    ['with a VLAN tag', inserted(12, ...tag)],
    ['with two', inserted(12, ...outer, ...tag)],
    ['without a UDP checksum', changed(40, 0, 0)],
  ];
  for (const [what, bytes] of taken) {
    it(`reads a frame ${what}`, () => {
      expect(take(decodeFrame(bytes))).to.deep.equal(sample);
    });
  }

  it('skips IPv4 options', () => {
    const bytes = inserted(34, 0x94, 4, 0, 0);
    bytes.set([0x46, 0, 0, 37], 14);
    expect(decodeFrame(bytes)).to.include({ ok: false, reason: 'bad-checksum' });
    expect(take(decodeFrame(bytes, 'ignore'))).to.deep.equal(sample);
    const sum = Array.from({ length: 12 }, (_, i) =>
      i === 5 ? 0 : (bytes[14 + 2 * i]! << 8) | bytes[15 + 2 * i]!,
    ).reduce((a, b) => a + b);
    const checksum = 0xffff - ((sum & 0xffff) + (sum >>> 16));
    bytes.set([checksum >>> 8, checksum & 255], 24);
    expect(take(decodeFrame(bytes))).to.deep.equal(sample);
  });

  const refused: readonly (readonly [what: string, bytes: Uint8Array, reason: string])[] = [
    ['nothing', new Uint8Array(0), 'bad-frame'],
    ['half a header', good.subarray(0, 33), 'bad-frame'],
    ['a frame cut off', good.subarray(0, good.length - 1), 'bad-frame'],
    ['ARP', changed(12, 8, 6), 'bad-frame'],
    ['IPv6', changed(12, 0x86, 0xdd), 'bad-frame'],
    ['three tags', inserted(12, ...outer, ...tag, ...tag), 'bad-frame'],
    ['a tag and nothing more', inserted(12, ...tag).subarray(0, 16), 'bad-frame'],
    ['IP version 6 behind the type of IPv4', changed(14, 0x65), 'bad-frame'],
    ['a header of 16 octets', changed(14, 0x44), 'bad-frame'],
    ['a header longer than the datagram', changed(14, 0x4f), 'bad-frame'],
    ['TCP', changed(23, 6), 'bad-frame'],
    ['a first fragment', changed(20, 0x20, 0), 'bad-frame'],
    ['a later fragment', changed(20, 0, 1), 'bad-frame'],
    ['a total length that leaves no UDP header', changed(16, 0, 27), 'bad-frame'],
    ['a total length beyond the frame', changed(16, 0, 34), 'bad-frame'],
    ['a UDP length under its header', changed(38, 0, 7), 'bad-frame'],
    ['a UDP length beyond the datagram', changed(38, 0, 14), 'bad-frame'],
    ['a wrong IPv4 checksum', changed(24, 0, 0), 'bad-checksum'],
    ['another TTL under the same checksum', changed(22, 63), 'bad-checksum'],
    ['a wrong UDP checksum', changed(40, 1, 1), 'bad-checksum'],
    ['another payload under the same checksum', changed(46, 9), 'bad-checksum'],
    ['another source under the same UDP checksum', changed(24, 0x30, 0xb7, 0x0a, 0x14, 0, 2), 'bad-checksum'],
  ];
  for (const [what, bytes, reason] of refused) {
    it(`refuses ${what}: ${reason}`, () => {
      expect(decodeFrame(bytes)).to.include({ ok: false, reason });
      if (reason === 'bad-checksum') expect(decodeFrame(bytes, 'ignore').ok).to.equal(true);
    });
  }
});
