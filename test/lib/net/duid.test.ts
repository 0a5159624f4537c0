// DUIDs of every type: taken apart, put together, written and read, and the MAC inside where there is one.
import { expect } from 'chai';
import fc from 'fast-check';
import type { Duid } from '../../../lib/net/duid.js';
import { formatDuid, isDuid, macOfDuid, parseDuid, readDuid, writeDuid } from '../../../lib/net/duid.js';

function hex(text: string): Uint8Array {
  return Uint8Array.from(Buffer.from(text.replaceAll(' ', ''), 'hex'));
}

const mac = hex('020000000001');
const uuid = hex('00112233445566778899aabbccddeeff');

describe('a DUID', () => {
  const rows: readonly (readonly [what: string, octets: string, duid: Duid | undefined, mac?: string])[] = [
    [
      'of type 1',
      '0001 0001 18b03341 020000000001',
      { type: 'llt', hardware: 1, time: 0x18b03341, address: mac },
      '02:00:00:00:00:01',
    ],
    ['of type 2', '0002 0000118b 0102', { type: 'en', enterprise: 4491, id: hex('0102') }],
    ['of type 3', '0003 0001 020000000001', { type: 'll', hardware: 1, address: mac }, '02:00:00:00:00:01'],
    ['of type 4', `0004 ${Buffer.from(uuid).toString('hex')}`, { type: 'uuid', uuid }],
    ['of type 3 that is not Ethernet', '0003 0020 020000000001', { type: 'll', hardware: 32, address: mac }],
    [
      'of type 3 with eight octets',
      '0003 0001 0200000000010203',
      { type: 'll', hardware: 1, address: hex('0200000000010203') },
    ],
    ['of type 1 without an address', '0001 0001 18b03341', undefined],
    ['of type 2 without an identifier', '0002 0000118b', undefined],
    ['of type 3 without an address', '0003 0001', undefined],
    ['of type 4 that is too short', '0004 0011', undefined],
    ['of type 0', '0000 0001 020000000001', undefined],
    ['of type 5', '0005 01', undefined],
  ];
  for (const [what, octets, duid, inside] of rows) {
    it(what, () => {
      const bytes = hex(octets);
      expect(isDuid(bytes)).to.equal(true);
      expect(readDuid(bytes)).to.deep.equal(duid);
      expect(macOfDuid(bytes)).to.equal(inside);
      if (duid !== undefined) expect(writeDuid(duid)).to.deep.equal(bytes);
    });
  }

  it('has 3 to 130 octets (F54)', () => {
    for (const [length, is] of [
      [0, false],
      [2, false],
      [3, true],
      [130, true],
      [131, false],
      [200, false],
    ] as const) {
      const bytes = new Uint8Array(length).fill(2);
      expect(isDuid(bytes), `${length} octets`).to.equal(is);
      expect(parseDuid(formatDuid(bytes)) !== undefined).to.equal(is);
    }
    expect(() => writeDuid({ type: 'en', enterprise: 1, id: new Uint8Array(125) })).to.throw('131');
  });

  it('is read with colons, dashes or nothing between octets, and shown in one spelling', () => {
    for (const text of ['00:03:00:01:02:AA:00:00:00:01', '00-03-00-01-02-aa-00-00-00-01', '0003000102aa00000001']) {
      expect(formatDuid(parseDuid(text)!)).to.equal('00:03:00:01:02:aa:00:00:00:01');
    }
    for (const text of ['', 'auto', '00:03', '00:03:0', '0003 0001 02']) expect(parseDuid(text)).to.equal(undefined);
  });

  it('is what was written, and never makes reading throw', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 140 }), fc.nat(5), (bytes, type) => {
        if (bytes.length > 1) bytes.set([0, type]);
        const duid = readDuid(bytes);
        if (duid !== undefined) expect(writeDuid(duid)).to.deep.equal(bytes);
        macOfDuid(bytes);
      }),
    );
  });
});
