// The npm package `dhcp` reads what we write and writes what we read: an independent implementation as a check on well-formed packets.
import { expect } from 'chai';
import fc from 'fast-check';
import { createRequire } from 'node:module';
import { formatIp } from '../../../lib/net/ip.js';
import type { Field } from '../../../lib/wire/fields.js';
import { encodeField, jsonField } from '../../../lib/wire/fields.js';
import type { Message4 } from '../../../lib/wire/message4.js';
import { decode4, encode4 } from '../../../lib/wire/message4.js';
import { optionByCode, options4 } from '../../../lib/wire/options4.js';
import { ip4s, plain, take } from './samples.js';

/** What the package calls a message: addresses as text, options by code, each as a value of its type. */
interface Peer {
  readonly op: number;
  readonly htype: number;
  readonly hlen: number;
  readonly hops: number;
  readonly xid: number;
  readonly secs: number;
  readonly flags: number;
  readonly ciaddr: string;
  readonly yiaddr: string;
  readonly siaddr: string;
  readonly giaddr: string;
  readonly chaddr: string;
  readonly sname: string;
  readonly file: string;
  readonly options: Readonly<Record<number, unknown>>;
}

interface Protocol {
  readonly parse: (bytes: Buffer) => Peer;
  readonly format: (message: Peer) => { readonly _data: Buffer; readonly _w: number };
}

const require = createRequire(import.meta.url);
const protocol = require('dhcp/lib/protocol.js') as Protocol;
const theirs = (require('dhcp/lib/options.js') as { opts: Record<string, { type: string } | undefined> }).opts;

const words = fc.stringMatching(/^[a-z][a-z0-9.-]{0,30}$/);
const dotted = ip4s.map(formatIp);

/** The package's types, our kinds that mean the same, and values that both write alike. */
const types: Readonly<Record<string, { fields: readonly Field[]; values: fc.Arbitrary<unknown> }>> = {
  IP: { fields: ['ip4'], values: dotted },
  IPs: { fields: ['ip4-list'], values: fc.array(dotted, { minLength: 1, maxLength: 8 }) },
  UInt8: { fields: ['uint8'], values: fc.nat(0xff) },
  UInt16: { fields: ['uint16'], values: fc.nat(0xffff) },
  UInt32: { fields: ['uint32', 'seconds'], values: fc.integer({ min: 0, max: 0xffffffff }) },
  Int32: { fields: ['int32'], values: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }) },
  ASCII: { fields: ['text'], values: words },
  UInt8s: { fields: ['uint8-list'], values: fc.array(fc.nat(0xff), { minLength: 1, maxLength: 60 }) },
  UInt16s: { fields: ['uint16-list'], values: fc.array(fc.nat(0xffff), { minLength: 1, maxLength: 20 }) },
};

/** The options of which both have the same understanding; 52 is each encoder's own business. */
const shared = options4.flatMap(({ code, field }) => {
  const type = types[theirs[code]?.type ?? ''];
  return type?.fields.includes(field) && code !== 52 && code !== 53 ? [{ code, values: type.values }] : [];
});

const options = fc
  .record({
    type: fc.integer({ min: 1, max: 8 }),
    rest: fc.uniqueArray(
      fc.constantFrom(...shared).chain(({ code, values }) => values.map((value) => [code, value] as const)),
      { maxLength: 20, selector: ([code]) => code },
    ),
  })
  .map(({ type, rest }): Record<number, unknown> => ({ 53: type, ...Object.fromEntries(rest) }));

const headers = fc.record({
  op: fc.constantFrom(1, 2),
  hops: fc.nat(255),
  xid: fc.integer({ min: 0, max: 0xffffffff }),
  secs: fc.nat(0xffff),
  flags: fc.constantFrom(0, 0x8000),
  ciaddr: ip4s,
  yiaddr: ip4s,
  siaddr: ip4s,
  giaddr: ip4s,
  chaddr: fc.uint8Array({ minLength: 6, maxLength: 6 }),
  sname: fc.oneof(fc.constant(''), words),
  file: fc.oneof(fc.constant(''), words),
});
type Header = typeof headers extends fc.Arbitrary<infer T> ? T : never;

function asPeer(header: Header, values: Readonly<Record<number, unknown>>): Peer {
  const chaddr = [...header.chaddr].map((octet) => octet.toString(16).padStart(2, '0').toUpperCase()).join('-');
  const addresses = {
    ciaddr: formatIp(header.ciaddr),
    yiaddr: formatIp(header.yiaddr),
    siaddr: formatIp(header.siaddr),
    giaddr: formatIp(header.giaddr),
  };
  return { ...header, ...addresses, htype: 1, hlen: 6, chaddr, options: values };
}

function asOurs(header: Header, values: Readonly<Record<number, unknown>>): Message4 {
  const encoded = Object.entries(values).map(([code, value]): [number, Uint8Array] => {
    const result = encodeField(optionByCode(Number(code))!.field, value);
    if (!result.ok) throw new Error(`option ${code}: it should be ${result.right}`);
    return [Number(code), result.bytes];
  });
  const { sname, file } = { sname: Buffer.from(header.sname), file: Buffer.from(header.file) };
  return { ...plain, ...header, sname: Uint8Array.from(sname), file: Uint8Array.from(file), options: new Map(encoded) };
}

describe('the package dhcp as a peer', () => {
  it('shares most options of RFC 2132 with us', () => {
    expect(shared.length).to.be.greaterThan(50);
  });

  it('writes what we read', () => {
    fc.assert(
      fc.property(headers, options, (header, values) => {
        const written = protocol.format(asPeer(header, values));
        const message = take(decode4(Uint8Array.from(written._data.subarray(0, written._w))));
        const read = [...message.options].map(([code, bytes]) => [code, jsonField(optionByCode(code)!.field, bytes)]);
        expect(Object.fromEntries(read)).to.deep.equal(values);
        expect({ ...message, options: null }).to.deep.equal({ ...asOurs(header, {}), options: null });
      }),
      { numRuns: 500 },
    );
  });

  it('reads what we write', () => {
    fc.assert(
      fc.property(headers, options, (header, values) => {
        const bytes = take(encode4(asOurs(header, values), 65507));
        const { magicCookie, ...read } = protocol.parse(Buffer.from(bytes)) as Peer & { magicCookie: number };
        expect(magicCookie).to.equal(0x63825363);
        expect(read).to.deep.equal(asPeer(header, values));
      }),
      { numRuns: 500 },
    );
  });
});
