// What lies in the DHCPv6 options that the server reads: written and read again, octet by octet, and undefined where it is cut off.
import { expect } from 'chai';
import fc from 'fast-check';
import { prefixOf } from '../../../lib/net/prefix.js';
import { code6, statusCode6 } from '../../../lib/wire/codes6.js';
import * as ia6 from '../../../lib/wire/ia6.js';
import { hex, ip6, ip6s, numbers32, option, options6, shown } from './samples6.js';

const status = options6([13, '0002']);

describe('identity associations', () => {
  const address = '20010db80000000000000000000000ff 0000012c 00000258';
  const prefix = '0000012c 00000258 38 20010db8000011000000000000000000';

  it('an IA_NA with an address with a status', () => {
    const value = hex('0000000a 00000096 000000f0' + option(5, address + option(13, '0000')));
    const ia = ia6.readIa(value)!;
    expect(ia).to.include({ iaid: 10, t1: 150, t2: 240 });
    expect(ia.options.map(({ code }) => code)).to.deep.equal([code6.iaAddress]);
    expect(ia6.readIaAddress(ia.options[0]!.value)).to.deep.equal({
      address: ip6('2001:db8::ff'),
      preferred: 300,
      valid: 600,
      options: options6([13, '0000']),
    });
    expect(ia6.writeIa(ia)).to.deep.equal(value);
  });

  it('an IA_PD with a prefix', () => {
    const value = hex('ffffffff ffffffff 00000000' + option(26, prefix));
    const ia = ia6.readIa(value)!;
    expect(ia).to.include({ iaid: 0xffffffff, t1: 0xffffffff, t2: 0 });
    expect(ia6.readIaPrefix(ia.options[0]!.value)).to.deep.equal({
      prefix: prefixOf(ip6('2001:db8:0:1100::'), 56),
      preferred: 300,
      valid: 600,
      options: [],
    });
    expect(ia6.writeIa(ia)).to.deep.equal(value);
  });

  it('an IA_TA, which old clients send', () => {
    const ia = ia6.readIaTa(hex('00000007' + option(5, address)))!;
    expect([ia.iaid, shown(ia.options)]).to.deep.equal([7, [[5, address.replaceAll(' ', '')]]]);
  });

  it('only the well-formed of their options (row 46)', () => {
    const ia = ia6.readIa(hex('00000001 00000000 00000000' + option(5, '20') + option(5, address) + option(13, '')))!;
    expect(ia.options.map(({ value }) => value.length)).to.deep.equal([24]);
  });

  it('bits beyond the length of a prefix count as zero (RFC 9915 §21.22)', () => {
    const read = ia6.readIaPrefix(hex('00000000 00000000 30 20010db8000011ffffffffffffffffff'))!;
    expect(read.prefix).to.deep.equal(prefixOf(ip6('2001:db8::'), 48));
  });

  it('nothing of what is cut off (F55)', () => {
    const readers = [ia6.readIa, ia6.readIaTa, ia6.readIaAddress, ia6.readIaPrefix];
    for (const [reader, length] of [
      [ia6.readIa, 12],
      [ia6.readIaTa, 4],
      [ia6.readIaAddress, 24],
      [ia6.readIaPrefix, 25],
    ] as const) {
      expect(reader(new Uint8Array(length))).not.to.equal(undefined);
      expect(reader(new Uint8Array(length - 1))).to.equal(undefined);
      expect(reader(new Uint8Array(length + 3))).to.equal(undefined);
    }
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
        for (const reader of readers) reader(bytes);
      }),
    );
  });

  it('are what was written', () => {
    fc.assert(
      fc.property(ip6s, numbers32, numbers32, fc.nat(128), (ip, preferred, valid, length) => {
        const address6 = { address: ip, preferred, valid, options: status };
        expect(ia6.readIaAddress(ia6.writeIaAddress(address6))).to.deep.equal(address6);
        const prefix6 = { prefix: prefixOf(ip, length), preferred, valid, options: status };
        expect(ia6.readIaPrefix(ia6.writeIaPrefix(prefix6))).to.deep.equal(prefix6);
        const ia = { iaid: valid, t1: preferred, t2: length, options: status };
        expect(ia6.readIa(ia6.writeIa(ia))).to.deep.equal(ia);
      }),
    );
    const four = { first: 0, last: 0, length: 32 } as unknown as ia6.IaPrefix6['prefix'];
    expect(() => ia6.writeIaPrefix({ prefix: four, preferred: 0, valid: 0, options: [] })).to.throw('IPv4');
  });
});

describe('the other options that the server reads', () => {
  it('status codes', () => {
    const value = ia6.writeStatus(statusCode6.noAddrsAvail, 'no é');
    expect(value).to.deep.equal(hex('0002 6e6f20c3a9'));
    expect(ia6.readStatus(value)).to.deep.equal({ code: 2, message: hex('6e6f20c3a9') });
    expect(ia6.writeStatus(statusCode6.success)).to.deep.equal(hex('0000'));
    expect(ia6.readStatus(hex('00'))).to.equal(undefined);
  });

  it('option requests', () => {
    expect(ia6.readNumbers(hex('0017 0018 ffff'))).to.deep.equal([23, 24, 65535]);
    expect(ia6.writeNumbers([23, 24, 65535])).to.deep.equal(hex('0017 0018 ffff'));
    expect([ia6.readNumbers(hex('')), ia6.readNumbers(hex('001700'))]).to.deep.equal([[], undefined]);
  });

  it('elapsed time, in hundredths of a second on the wire', () => {
    expect([0, 9, 10, 655350, 1e9].map((ms) => ia6.readElapsed(ia6.writeElapsed(ms)))).to.deep.equal([
      0, 0, 10, 655350, 655350,
    ]);
    expect(ia6.readElapsed(hex('000001'))).to.equal(undefined);
  });

  it('the link-layer address of a client (RFC 6939)', () => {
    const value = hex('0001 020000000001');
    expect(ia6.readLinkLayer(value)).to.deep.equal({ hardware: 1, address: hex('020000000001') });
    expect(ia6.writeLinkLayer(ia6.readLinkLayer(value)!)).to.deep.equal(value);
    expect(ia6.readLinkLayer(hex('0001'))).to.equal(undefined);
  });

  it('enterprise numbers', () => {
    expect(ia6.readEnterprise(hex('0000118b 0102'))).to.deep.equal({ enterprise: 4491, data: hex('0102') });
    expect(ia6.readEnterprise(hex('00118b'))).to.equal(undefined);
  });

  it('strings with lengths, and those of firmware that forgets them (F28, row 60)', () => {
    expect(ia6.readStrings(hex('0004 69505845 0001 78'))).to.deep.equal([hex('69505845'), hex('78')]);
    for (const raw of ['69505845', '00', '0004695058']) expect(ia6.readStrings(hex(raw))).to.deep.equal([hex(raw)]);
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 6 }), (strings) => {
        expect(ia6.readStrings(ia6.writeStrings(strings))).to.deep.equal(strings);
      }),
    );
    expect(() => ia6.writeStrings([new Uint8Array(65536)])).to.throw('65536');
  });
});
