// Option values of the kinds that DHCPv6 adds: what a configuration may say, the octets it becomes, what people and JSON are shown.
import { expect } from 'chai';
import fc from 'fast-check';
import { formatDuid } from '../../../lib/net/duid.js';
import { formatIp } from '../../../lib/net/ip.js';
import type { Field } from '../../../lib/wire/fields.js';
import { encodeField, formatField, jsonField } from '../../../lib/wire/fields.js';
import { hex, ip6s, numbers32, option } from './samples6.js';

/** The octets of `value`, or what would have been right. */
function encoded(field: Field, value: unknown): string {
  const result = encodeField(field, value);
  return result.ok ? Buffer.from(result.bytes).toString('hex') : `should be ${result.right}`;
}

const two = '20010db8000000000000000000000002';

describe('encodeField of DHCPv6', () => {
  const rows: readonly (readonly [field: Field, value: unknown, octets: string])[] = [
    ['ip6', '2001:db8::2', two],
    ['ip6-list', '2001:db8::2', two],
    ['ip6-list', ['2001:db8::2', '::1'], two + '00000000000000000000000000000001'],
    ['duid', '00:03:00:01:02:00:00:00:00:01', '00030001020000000001'],
    ['strings', ['iPXE', 'x'], '0004695058450001' + '78'],
    ['strings', 'root=/dev/nfs', '000d726f6f743d2f6465762f6e6673'],
    ['vendor-class', [343, 'HTTPClient'], '00000157000a48545450436c69656e74'],
    ['vendor-class', [0, 'a', 'b'], '00000000' + '000161' + '000162'],
    [
      'ntp-servers',
      ['2001:db8::2', 'ff05::101', 'ntp.a'],
      option(1, two) + option(2, 'ff050000000000000000000000000101') + option(3, '036e7470016100'),
    ],
    ['vendor-options', '0000118b', '0000118b'],
    ['ia', '01', '01'],
  ];
  for (const [field, value, octets] of rows) {
    it(`${field}: ${JSON.stringify(value)}`, () => {
      expect(encoded(field, value)).to.equal(octets);
    });
  }

  const wrong: readonly (readonly [field: Field, values: readonly unknown[]])[] = [
    ['ip6', ['10.20.0.2', '2001:db8::/64', 'fe80::1%eth0', '', 5, ['::1']]],
    ['ip6-list', [[], ['::1', '10.0.0.1'], null]],
    ['duid', ['', 'auto', '00:03', '00'.repeat(131), 3]],
    ['strings', [[], '', ['a', ''], [5], ['a\n'], ['x'.repeat(65536)]]],
    ['vendor-class', [[], 343, [343], ['HTTPClient'], [343, 5], [-1, 'a'], [4294967296, 'a']]],
    ['ntp-servers', [[], ['::1', '10.0.0.1'], ['a..b'], [5]]],
    ['status', ['NoBinding', 2]],
  ];
  for (const [field, values] of wrong) {
    for (const value of values) {
      it(`${field} is not ${JSON.stringify(value).slice(0, 60)}`, () => {
        expect(encoded(field, value)).to.match(/^should be \S/);
      });
    }
  }
});

describe('what is shown of octets of DHCPv6', () => {
  const address = `${two}0000012c00000258`;
  const prefix = '0000012c000002583820010db8000011000000000000000000';
  const rows: readonly (readonly [field: Field, octets: string, text: string, json?: unknown])[] = [
    ['ip6', two, '2001:db8::2'],
    ['ip6', two.slice(2), two.slice(2).match(/../g)!.join(':')],
    ['ip6-list', two + two, '2001:db8::2, 2001:db8::2', ['2001:db8::2', '2001:db8::2']],
    ['duid', '00030001020000000001', '00:03:00:01:02:00:00:00:00:01'],
    ['duid', '0003', '00:03'],
    ['strings', '0004695058450001' + '78', 'iPXE, x', ['iPXE', 'x']],
    // Without lengths, as some firmware sends it (F28).
    ['strings', '69505845', 'iPXE', ['iPXE']],
    ['strings', '', ''],
    ['vendor-class', '00000157000a48545450436c69656e74', '343, HTTPClient', [343, 'HTTPClient']],
    ['vendor-class', '00000157', '343', [343]],
    ['vendor-class', '000157', '00:01:57'],
    [
      'vendor-options',
      '0000118b' + option(1, 'ff') + option(2, '') + option(1, '00'),
      'enterprise=4491 sub_1=ff, 00 sub_2=',
      { enterprise: 4491, sub_1: 'ff, 00', sub_2: '' },
    ],
    ['vendor-options', '0000118b00', '00:00:11:8b:00'],
    ['ntp-servers', option(1, two) + option(3, '016100'), '2001:db8::2, a', ['2001:db8::2', 'a']],
    ['ntp-servers', option(1, '2001'), '00:01:00:02:20:01'],
    ['status', '00026e6f', 'status=NoAddrsAvail message=no', { status: 'NoAddrsAvail', message: 'no' }],
    ['status', '0000', 'status=Success', { status: 'Success' }],
    ['status', '00ff1b', 'status=255 message=\\x1b', { status: '255', message: '\\x1b' }],
    ['status', '00', '00'],
    [
      'ia',
      '0000000a00000096000000f0' + option(5, address) + option(5, address + option(13, '0004')),
      'iaid=10 t1=150 t2=240 addresses=2001:db8::2 300 600+2001:db8::2 300 600 NotOnLink',
      { iaid: 10, t1: 150, t2: 240, addresses: ['2001:db8::2 300 600', '2001:db8::2 300 600 NotOnLink'] },
    ],
    [
      'ia',
      '0000000a0000000000000000' + option(26, prefix) + option(13, '0006'),
      'iaid=10 t1=0 t2=0 prefixes=2001:db8:0:1100::/56 300 600 status=NoPrefixAvail',
      { iaid: 10, t1: 0, t2: 0, prefixes: ['2001:db8:0:1100::/56 300 600'], status: 'NoPrefixAvail' },
    ],
    ['ia', '00000001', '00:00:00:01'],
    ['ia-ta', '00000001', 'iaid=1', { iaid: 1 }],
    [
      'ia-address',
      address,
      'address=2001:db8::2 preferred=300 valid=600',
      { address: '2001:db8::2', preferred: 300, valid: 600 },
    ],
    [
      'ia-prefix',
      prefix + option(67, '4001'),
      'prefix=2001:db8:0:1100::/56 preferred=300 valid=600 pd_exclude=40:01',
      { prefix: '2001:db8:0:1100::/56', preferred: 300, valid: 600, pd_exclude: '40:01' },
    ],
    ['client-name', '01036162630161' + '00', 'flags=s name=abc.a', { flags: ['s'], name: 'abc.a' }],
    // A name that is not fully qualified ends without a root (RFC 4704 §4.2).
    ['client-name', '0603616263', 'flags=o+n name=abc', { flags: ['o', 'n'], name: 'abc' }],
    ['client-name', '00', 'flags= name=.', { flags: [], name: '.' }],
    ['client-name', '000961', '00:09:61'],
    ['remote-id', '000000090102', 'enterprise=9 remote_id=01:02', { enterprise: 9, remote_id: '01:02' }],
    [
      'link-layer',
      '0001020000000001',
      'hardware=1 address=02:00:00:00:00:01',
      { hardware: 1, address: '02:00:00:00:00:01' },
    ],
    ['link-layer', '0001', '00:01'],
    ['options-6', option(65, '00') + option(65, '01'), 'option_65=00, 01', { option_65: '00, 01' }],
    ['options-6', '0041', '00:41'],
  ];
  for (const [field, octets, text, json] of rows) {
    it(`${field}: ${octets === '' ? 'nothing' : octets} is ${text}`, () => {
      expect(formatField(field, hex(octets))).to.equal(text);
      expect(jsonField(field, hex(octets))).to.deep.equal(json ?? text);
    });
  }
});

describe('what JSON shows of DHCPv6, written into a configuration', () => {
  const some = <T>(one: fc.Arbitrary<T>) => fc.array(one, { minLength: 1, maxLength: 8 });
  const words = fc.stringMatching(/^[ -[\]-~]{1,40}$/);
  const colons = ip6s.map(formatIp);
  const kinds: Readonly<Partial<Record<Field, fc.Arbitrary<unknown>>>> = {
    ip6: colons,
    'ip6-list': some(colons),
    duid: fc.uint8Array({ minLength: 3, maxLength: 130 }).map(formatDuid),
    strings: some(words),
    'vendor-class': fc.tuple(numbers32, some(words)).map(([number, texts]) => [number, ...texts]),
    'ntp-servers': some(fc.oneof(colons, fc.stringMatching(/^[a-z]{1,20}\.[a-z]{1,20}$/))),
  };
  for (const [field, values] of Object.entries(kinds) as [Field, fc.Arbitrary<unknown>][]) {
    it(`${field} gives the same octets, and the value that went in`, () => {
      fc.assert(
        fc.property(values, (value) => {
          const first = encodeField(field, value);
          if (!first.ok) throw new Error(first.right);
          const shown = jsonField(field, first.bytes);
          expect(shown).to.deep.equal(value);
          expect(encodeField(field, shown)).to.deep.equal(first);
        }),
      );
    });
  }
});
