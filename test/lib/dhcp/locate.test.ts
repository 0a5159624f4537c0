// Which network a packet belongs to: by relay, by the address that the client has, or by the link.
import { expect } from 'chai';
import type { Packet } from '../../../lib/dhcp/packet.js';
import { encode4 } from '../../../lib/wire/message4.js';
import { file } from '../../support/scenario.js';
import { option, relayInformation } from '../../support/octets.js';
import type { Sent } from '../../support/served.js';
import { ip4, messageOf, Served } from '../../support/served.js';

const mac = '02:00:00:00:00:01';
const LINK_SELECTION = 5;
const selecting = (...subnet: readonly number[]): ReadonlyMap<number, Uint8Array> =>
  new Map([[82, relayInformation([1, [7]], [LINK_SELECTION, subnet])]]);
const inB = selecting(10, 30, 0, 0);
const twoSelections = new Map([
  [82, relayInformation([LINK_SELECTION, [10, 30, 0, 0]], [LINK_SELECTION, [10, 20, 0, 0]])],
]);

type Row = readonly [title: string, relays: { a?: string[]; b?: string[] }, sent: Partial<Sent>, network: string];

const rows: readonly Row[] = [
  ['a broadcast belongs to the network of its link', {}, { link: 'eth0' }, 'a'],
  ['and on the other link to the other one', {}, { link: 'eth1' }, 'b'],
  ['a link whose addresses are in no network', {}, { link: 'eth2' }, 'no-network'],
  ['relayed: giaddr, whatever link it came by', {}, { giaddr: '10.30.0.254', source: '10.30.0.254' }, 'b'],
  ['relayed from another address of the relay', {}, { giaddr: '10.30.0.254', source: '192.0.2.1' }, 'b'],
  ['F47: giaddr in no network', {}, { giaddr: '192.0.2.1', source: '192.0.2.1' }, 'no-network'],
  ['listed relay', { b: ['10.30.0.254'] }, { giaddr: '10.30.0.254', source: '10.30.0.254' }, 'b'],
  ['listed as a prefix', { b: ['192.0.2.0/24'] }, { giaddr: '10.30.0.254', source: '192.0.2.7' }, 'b'],
  [
    'not listed where a list is',
    { b: ['10.30.0.254'] },
    { giaddr: '10.30.0.254', source: '10.30.0.9' },
    'untrusted-relay',
  ],
  [
    'conformance 34: link selection of a listed relay overrides giaddr',
    { b: ['10.20.0.254'] },
    { giaddr: '10.20.0.254', source: '10.20.0.254', options: inB },
    'b',
  ],
  [
    'conformance 34: a listed relay whose giaddr is in no network, with link selection in one',
    { b: ['192.0.2.0/24'] },
    { giaddr: '192.0.2.1', source: '192.0.2.1', options: inB },
    'b',
  ],
  [
    'the same, not listed by the network that it selects',
    { a: ['192.0.2.0/24'] },
    { giaddr: '192.0.2.1', source: '192.0.2.1', options: inB },
    'untrusted-relay',
  ],
  [
    'link selection of a listed relay by a packet from elsewhere counts for nothing',
    { b: ['10.20.0.254'] },
    { giaddr: '10.20.0.254', source: '10.20.0.9', options: inB },
    'a',
  ],
  [
    'link selection of 0.0.0.0 counts for nothing',
    { b: ['10.20.0.254'] },
    { giaddr: '10.20.0.254', source: '10.20.0.254', options: selecting(0, 0, 0, 0) },
    'a',
  ],
  [
    'of two link selections the first counts',
    { a: ['10.20.0.254'], b: ['10.20.0.254'] },
    { giaddr: '10.20.0.254', source: '10.20.0.254', options: twoSelections },
    'b',
  ],
  [
    'link selection of a relay that the network does not list counts for nothing',
    {},
    { giaddr: '10.20.0.254', source: '10.20.0.254', options: inB },
    'a',
  ],
  [
    'link selection of a relay that another network lists',
    { a: ['10.20.0.254'], b: ['10.30.0.254'] },
    { giaddr: '10.20.0.254', source: '10.20.0.254', options: inB },
    'a',
  ],
  [
    'link selection of a subnet that we do not serve',
    { a: ['10.20.0.254'] },
    { giaddr: '10.20.0.254', source: '10.20.0.254', options: selecting(192, 0, 2, 0) },
    'a',
  ],
  [
    'link selection with three octets counts for nothing',
    { b: ['10.20.0.254'] },
    { giaddr: '10.20.0.254', source: '10.20.0.254', options: selecting(10, 30, 0) },
    'a',
  ],
  [
    'an ill-formed option 82 counts for nothing',
    { b: ['10.20.0.254'] },
    { giaddr: '10.20.0.254', source: '10.20.0.254', options: option(82, 5, 9, 10, 30) },
    'a',
  ],
  [
    'link selection without giaddr counts for nothing',
    { b: ['10.20.0.9'] },
    { source: '10.20.0.9', options: inB },
    'a',
  ],
  [
    'from loopback: link selection counts without a list',
    {},
    { giaddr: '127.0.0.1', source: '127.0.0.1', options: inB },
    'b',
  ],
  [
    'from loopback: taken where the list names others',
    { b: ['10.30.0.254'] },
    { giaddr: '10.30.0.2', source: '127.0.0.1' },
    'b',
  ],
  [
    'unicast RENEW to the other link: the network of ciaddr',
    {},
    { type: 'request', ciaddr: '10.30.0.100', source: '10.30.0.100', unicast: true, link: 'eth0' },
    'b',
  ],
  [
    'broadcast REBIND: the network of the link, whatever ciaddr says',
    {},
    { type: 'request', ciaddr: '10.30.0.100', source: '10.30.0.100', link: 'eth0' },
    'a',
  ],
  [
    'F47: unicast REQUEST whose ciaddr is in no network',
    {},
    { type: 'request', ciaddr: '192.0.2.9', source: '192.0.2.9', unicast: true, options: option(12, 0x61) },
    'no-network',
  ],
  [
    'F47: unicast DISCOVER whose ciaddr is in no network',
    {},
    { type: 'discover', ciaddr: '192.0.2.9', source: '192.0.2.9', unicast: true },
    'no-network',
  ],
  ['unicast without ciaddr: the network of the link', {}, { type: 'discover', unicast: true, link: 'eth1' }, 'b'],
];

describe('locate', () => {
  for (const [title, { a, b }, sent, network] of rows)
    it(`${title} → ${network}`, async () => {
      const text = file([], { a: a === undefined ? {} : { relays: a }, b: b === undefined ? {} : { relays: b } });
      const links = { eth0: '10.20.0.1', eth1: '10.30.0.1', eth2: '198.51.100.1' };
      const server = await Served.open({ text, links });
      const { verdict } = server.send({ type: 'inform', mac, ...sent });
      expect(verdict.network ?? verdict.reason).to.equal(network);
      server.close();
    });

  it('of two VRFs with the same addresses, the one that lists the relay comes before the one that lists none', async () => {
    const b = { prefixes: ['10.20.0.0/24'], pools: ['10.20.0.100-10.20.0.199'], vrf: 'two', relays: ['192.0.2.7'] };
    const server = await Served.open({ text: file([], { b }), links: { eth0: '198.51.100.1' } });
    const by = (source: string): string | undefined =>
      server.send({ type: 'inform', mac, giaddr: '10.20.0.254', source }).verdict.network;
    expect([by('192.0.2.7'), by('10.20.0.254')]).to.deep.equal(['b', 'a']);
    server.close();
  });

  it('a link with addresses of two networks: broadcasts belong to the first, a unicast to that of its ciaddr', async () => {
    const server = await Served.open({ text: file([], { b: {} }), links: { eth0: '10.20.0.1' } });
    const link: Packet['link'] = {
      name: 'eth0',
      addresses: [
        { ip: ip4('10.20.0.1'), length: 24 },
        { ip: ip4('10.30.0.1'), length: 24 },
      ],
    };
    const encoded = encode4(messageOf({ type: 'request', mac, ciaddr: '10.30.0.100' }), 1472);
    if (!encoded.ok) return expect.fail(encoded.reason);
    expect(server.sendBytes(encoded.value, { link, broadcast: true }).network).to.equal('a');
    expect(server.sendBytes(encoded.value, { link, broadcast: false }).network).to.equal('b');
    server.close();
  });
});
