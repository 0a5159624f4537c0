// Option values of every kind: what a configuration may say, the octets it becomes, what people and JSON are shown, and what is refused.
import { expect } from 'chai';
import fc from 'fast-check';
import { formatIp } from '../../../lib/net/ip.js';
import { formatPrefix, prefixOf } from '../../../lib/net/prefix.js';
import type { Field } from '../../../lib/wire/fields.js';
import { encodeField, fields, formatField, jsonField } from '../../../lib/wire/fields.js';
import { ip4s } from './samples.js';

function hex(text: string): Uint8Array {
  return Uint8Array.from(Buffer.from(text.replaceAll(' ', ''), 'hex'));
}

/** The octets of `value`, or what would have been right. */
function encoded(field: Field, value: unknown): string {
  const result = encodeField(field, value);
  return result.ok ? Buffer.from(result.bytes).toString('hex') : `should be ${result.right}`;
}

describe('encodeField', () => {
  const rows: readonly (readonly [field: Field, value: unknown, octets: string])[] = [
    ['flag', true, ''],
    ['boolean', true, '01'],
    ['boolean', false, '00'],
    ['uint8', 255, 'ff'],
    ['uint16', 1500, '05dc'],
    ['uint32', 4294967295, 'ffffffff'],
    ['int32', -3600, 'fffff1f0'],
    ['int32', 3600, '00000e10'],
    ['uint8-list', [1, 3, 6], '010306'],
    ['uint8-list', 1, '01'],
    ['uint16-list', [0, 7, 16], '000000070010'],
    ['seconds', 3600, '00000e10'],
    ['seconds', '1h', '00000e10'],
    ['seconds', '2 d', '0002a300'],
    ['seconds', 'infinite', 'ffffffff'],
    ['ip4', '10.20.0.2', '0a140002'],
    ['ip4-list', '10.20.0.2', '0a140002'],
    ['ip4-list', ['10.20.0.2', '255.255.255.255'], '0a140002ffffffff'],
    ['ip4-pairs', ['10.0.0.0 10.20.0.1'], '0a0000000a140001'],
    ['text', 'pxelinux.0', '7078656c696e75782e30'],
    ['text', 'é', 'c3a9'],
    ['bytes', '01:02:ff', '0102ff'],
    ['bytes', '0102FF', '0102ff'],
    ['domain-name', 'a.example', '0161076578616d706c6500'],
    ['domain-names', ['a.b', 'c.b.'], '0161016200' + '0163016200'],
    [
      'domain-search',
      ['eng.apple.com', 'marketing.apple.com'],
      '03656e67056170706c6503636f6d00' + '096d61726b6574696e67c004',
    ],
    ['domain-search', ['a.b', 'A.B', 'b'], '0161016200' + 'c000' + 'c002'],
    // The examples of RFC 3442, and the default route (row 39).
    ['routes', '0.0.0.0/0 via 10.17.0.1', '000a110001'],
    ['routes', ['10.0.0.0/8 via 10.17.0.1'], '080a0a110001'],
    ['routes', ['10.17.0.0/16 via 10.17.0.1', '10.27.129.0/24 via 10.17.0.2'], '100a110a110001' + '180a1b810a110002'],
    [
      'routes',
      ['10.229.0.128/25 via 10.0.0.1', '10.198.122.47/32 via 10.0.0.1'],
      '190ae500800a000001' + '200ac67a2f0a000001',
    ],
    ['sip-servers', ['10.0.0.1', '10.0.0.2'], '010a0000010a000002'],
    ['sip-servers', ['sip.a'], '00' + '03736970016100'],
    ['user-classes', ['iPXE', 'x'], '046950584501' + '78'],
    ['sub-options', '06:01:08', '060108'],
  ];
  for (const [field, value, octets] of rows) {
    it(`${field}: ${JSON.stringify(value)}`, () => {
      expect(encoded(field, value)).to.equal(octets);
    });
  }

  const wrong: readonly (readonly [field: Field, values: readonly unknown[]])[] = [
    ['flag', [false, 1, 'true', null]],
    ['boolean', [0, 1, 'yes', null, [true]]],
    ['uint8', [-1, 256, 1.5, '7', NaN, null, [7]]],
    ['uint16', [-1, 65536, Infinity]],
    ['uint32', [-1, 4294967296, '1h']],
    ['int32', [-2147483649, 2147483648]],
    ['uint8-list', [[], [1, 256], [1, [2]], 'abc', undefined]],
    ['uint16-list', [[], [65536]]],
    ['seconds', [-1, 1.5, '1y', '1h30m', '5000000000s', 'forever', '', 4294967296]],
    ['ip4', ['10.20.0', '10.20.0.256', '010.20.0.2', 'fd00::1', 10, ['10.20.0.2'], '10.20.0.2 ']],
    ['ip4-list', [[], ['10.20.0.2', 'fd00::1'], '10.20.0.2, 10.20.0.3', [null]]],
    [
      'ip4-pairs',
      [[], ['10.0.0.0'], ['10.0.0.0 10.0.0.1 10.0.0.2'], ['10.0.0.0/8 10.0.0.1'], [['10.0.0.0', '10.0.0.1']]],
    ],
    ['text', ['', 5, ['a'], 'a\nb', 'a\0', '\x7f']],
    ['bytes', ['', '1', '0x01', 'zz', 102, '01 02']],
    ['domain-name', ['', '.', 'a..b', `${'a'.repeat(64)}.b`, 'a b', ['a.b'], Array(130).fill('a').join('.')]],
    ['domain-names', [[], ['ok', '-.'], ['ü.example'], 5]],
    ['domain-search', [[], ['a..b']]],
    [
      'routes',
      [
        [],
        ['10.0.0.0/8'],
        ['10.0.0.1/8 via 10.0.0.1'],
        ['10.0.0.0/33 via 10.0.0.1'],
        ['fd00::/8 via 10.0.0.1'],
        ['10.0.0.0/8 via fd00::1'],
        [8],
      ],
    ],
    ['sip-servers', [[], ['10.0.0.1', 'a..b']]],
    ['user-classes', [[], '', [''], ['x'.repeat(256)], [5]]],
    ['relay-information', ['', 'circuit', {}]],
  ];
  for (const [field, values] of wrong) {
    for (const value of values) {
      it(`${field} is not ${value === undefined ? 'undefined' : JSON.stringify(value)}`, () => {
        expect(encoded(field, value)).to.match(/^should be \S/);
      });
    }
  }

  it('says what would be right', () => {
    expect(encodeField('ip4', 'x')).to.deep.equal({ ok: false, right: 'an IPv4 address, such as 10.20.0.2' });
    expect(encodeField('uint8', 'x')).to.deep.equal({ ok: false, right: 'a whole number from 0 to 255' });
  });
});

describe('what is shown of octets', () => {
  const rows: readonly (readonly [field: Field, octets: string, text: string, json?: unknown])[] = [
    ['flag', '', 'true', true],
    ['boolean', '01', 'true', true],
    ['boolean', '02', '02'],
    ['uint8', '07', '7', 7],
    ['uint8', '0007', '00:07'],
    ['uint16', 'ffff', '65535', 65535],
    ['uint32', 'ffffffff', '4294967295', 4294967295],
    ['int32', 'fffff1f0', '-3600', -3600],
    ['uint8-list', '010306', '1, 3, 6', [1, 3, 6]],
    ['uint16-list', '00070010', '7, 16', [7, 16]],
    ['uint16-list', '000700', '00:07:00'],
    ['seconds', '00000e10', '3600 s', 3600],
    ['seconds', 'ffffffff', 'infinite', 4294967295],
    ['seconds', '0e10', '0e:10'],
    ['ip4', '0a140002', '10.20.0.2', '10.20.0.2'],
    ['ip4', '0a1400', '0a:14:00'],
    ['ip4-list', '0a1400020a140003', '10.20.0.2, 10.20.0.3', ['10.20.0.2', '10.20.0.3']],
    ['ip4-list', '', ''],
    ['ip4-pairs', '0a0000000a140001', '10.0.0.0 10.20.0.1', ['10.0.0.0 10.20.0.1']],
    ['text', '61620a1b5b5c7fc3', 'ab\\x0a\\x1b[\\x5c\\x7f\\xc3', 'ab\\x0a\\x1b[\\x5c\\x7f\\xc3'],
    ['bytes', '0102ff', '01:02:ff', '01:02:ff'],
    ['domain-name', '0161016200', 'a.b', 'a.b'],
    ['domain-name', '00', '.', '.'],
    ['domain-name', '01610162', '01:61:01:62'],
    ['domain-name', '016100016200', '01:61:00:01:62:00'],
    ['domain-search', '01610162000163c002', 'a.b, c.b', ['a.b', 'c.b']],
    ['domain-search', 'c000', 'c0:00'],
    [
      'routes',
      '000a110001190ae500ff0a000001',
      '0.0.0.0/0 via 10.17.0.1, 10.229.0.128/25 via 10.0.0.1',
      ['0.0.0.0/0 via 10.17.0.1', '10.229.0.128/25 via 10.0.0.1'],
    ],
    ['routes', '210a0000000a000001', '21:0a:00:00:00:0a:00:00:01'],
    ['routes', '210a000000000a000001', '21:0a:00:00:00:00:0a:00:00:01'],
    ['routes', 'ff', 'ff'],
    ['routes', '180a1b810a1100', '18:0a:1b:81:0a:11:00'],
    ['sip-servers', '010a000001', '10.0.0.1', ['10.0.0.1']],
    ['sip-servers', '000373697000', 'sip', ['sip']],
    ['sip-servers', '020a000001', '02:0a:00:00:01'],
    ['user-classes', '0469505845017c', 'iPXE, |', ['iPXE', '|']],
    // iPXE without RFC 3004's length octets (F28).
    ['user-classes', '69505845', 'iPXE', ['iPXE']],
    ['sub-options', '0601080a00ff99', 'sub_6=08 sub_10=', { sub_6: '08', sub_10: '' }],
    ['sub-options', '00060108', 'sub_6=08', { sub_6: '08' }],
    ['sub-options', '0605', '06:05'],
    ['enterprises', '0000118b0401020304', 'enterprise_4491=01:02:03:04', { enterprise_4491: '01:02:03:04' }],
    ['enterprises', '0000118b0101' + '0000118b0102', 'enterprise_4491=01:02', { enterprise_4491: '01:02' }],
    ['enterprises', '0000118b00', 'enterprise_4491=', { enterprise_4491: '' }],
    ['enterprises', '0000118b05010203', '00:00:11:8b:05:01:02:03'],
    [
      'client-fqdn',
      '0500000568656c6c6f076578616d706c6500',
      'flags=s+e name=hello.example',
      { flags: ['s', 'e'], name: 'hello.example' },
    ],
    ['client-fqdn', '0400000568656c6c6f', 'flags=e name=hello', { flags: ['e'], name: 'hello' }],
    ['client-fqdn', '01000068690a', 'flags=s name=hi\\x0a', { flags: ['s'], name: 'hi\\x0a' }],
    ['client-fqdn', '0400003f68', '04:00:00:3f:68'],
    ['client-fqdn', '0100', '01:00'],
    [
      'relay-information',
      '0104deadbeef' + '05040a1e0000' + '0606737562736372' + '1300' + 'c80101',
      'circuit_id=de:ad:be:ef link_selection=10.30.0.0 subscriber_id=subscr relay_port=true sub_200=01',
      {
        circuit_id: 'de:ad:be:ef',
        link_selection: '10.30.0.0',
        subscriber_id: 'subscr',
        relay_port: true,
        sub_200: '01',
      },
    ],
    ['relay-information', '05030a1e00', 'link_selection=0a:1e:00', { link_selection: '0a:1e:00' }],
    [
      'relay-information',
      '0e0161' + '120162',
      'access_network_name=a operator_realm=b',
      { access_network_name: 'a', operator_realm: 'b' },
    ],
    // Option 82 has no pads: 00 is a code here.
    ['relay-information', '0001', '00:01'],
  ];
  for (const [field, octets, text, json] of rows) {
    it(`${field}: ${octets === '' ? 'nothing' : octets} is ${text}`, () => {
      expect(formatField(field, hex(octets))).to.equal(text);
      expect(jsonField(field, hex(octets))).to.deep.equal(json ?? text);
    });
  }

  it('never throws, and is printable ASCII on one line, whatever the octets', () => {
    fc.assert(
      fc.property(fc.constantFrom(...fields), fc.uint8Array({ maxLength: 400 }), (field, octets) => {
        expect(formatField(field, octets)).to.match(/^[ -~]*$/);
        expect(JSON.stringify(jsonField(field, octets))).to.match(/^[ -~]*$/);
      }),
      { numRuns: 5000 },
    );
  });
});

describe('what JSON shows, written into a configuration', () => {
  const labels = fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,20}[a-z0-9])?$/);
  const names = fc.array(labels, { minLength: 1, maxLength: 6 }).map((parts) => parts.join('.'));
  const some = <T>(one: fc.Arbitrary<T>) => fc.array(one, { minLength: 1, maxLength: 12 });
  const dotted = ip4s.map(formatIp);
  const routes = fc
    .tuple(ip4s, fc.nat(32), dotted)
    .map(([ip, width, router]) => `${formatPrefix(prefixOf(ip, width))} via ${router}`);
  const kinds: Readonly<Partial<Record<Field, fc.Arbitrary<unknown>>>> = {
    boolean: fc.boolean(),
    uint8: fc.nat(255),
    uint16: fc.nat(65535),
    uint32: fc.integer({ min: 0, max: 0xffffffff }),
    int32: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
    'uint8-list': some(fc.nat(255)),
    'uint16-list': some(fc.nat(65535)),
    seconds: fc.integer({ min: 0, max: 0xffffffff }),
    ip4: dotted,
    'ip4-list': some(dotted),
    'ip4-pairs': some(fc.tuple(dotted, dotted).map((pair) => pair.join(' '))),
    text: fc.stringMatching(/^[ -[\]-~]{1,300}$/),
    bytes: some(fc.nat(255)).map((octets) => octets.map((octet) => octet.toString(16).padStart(2, '0')).join(':')),
    'domain-name': names,
    'domain-names': some(names),
    'domain-search': some(names),
    routes: some(routes),
    'sip-servers': fc.oneof(some(dotted), some(fc.tuple(names, labels).map((parts) => `${parts.join('.')}.x`))),
    'user-classes': some(fc.stringMatching(/^[ -[\]-~]{1,40}$/)),
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
