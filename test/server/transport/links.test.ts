// A link named in the configuration is found with what the sockets need, or the operator is told what to do.
import { expect } from 'chai';
import { formatIp } from '../../../lib/net/ip.js';
import type { LinkSource } from '../../../server/transport/links.js';
import { findLink, systemLinks } from '../../../server/transport/links.js';

type Attributes = Partial<Record<Parameters<LinkSource['attribute']>[1], string>>;

const v4 = (cidr: string) => ({ address: cidr.split('/')[0] ?? '', family: 'IPv4', cidr });
const v6 = (cidr: string) => ({ address: cidr.split('/')[0] ?? '', family: 'IPv6', cidr });

const links: Record<string, Attributes> = {
  lo: { ifindex: '1', address: '00:00:00:00:00:00', type: '772', flags: '0x9', carrier: '1' },
  eth0: { ifindex: '2', address: '02:00:00:00:AA:01', type: '1', flags: '0x1003', carrier: '1' },
  eth01: { ifindex: '3', address: '02:00:00:00:aa:02', type: '1', flags: '0x1003', carrier: '1' },
  'eth0.20': { ifindex: '4', address: '02:00:00:00:aa:01', type: '1', flags: '0x1003', carrier: '1' },
  asleep: { ifindex: '5', address: '02:00:00:00:aa:03', type: '1', flags: '0x1002' },
  unplugged: { ifindex: '6', address: '02:00:00:00:aa:04', type: '1', flags: '0x1003', carrier: '0' },
  only6: { ifindex: '7', address: '02:00:00:00:aa:05', type: '1', flags: '0x1003', carrier: '1' },
};

const source: LinkSource = {
  interfaces: () => ({
    lo: [v4('127.0.0.1/8'), v6('::1/128')],
    eth0: [v4('10.20.0.1/24'), v6('fe80::1/64'), v4('10.20.1.1/25'), v4('10.20.0.1/16')],
    'eth0:extra': [v4('10.20.2.1/32')],
    eth01: [v4('10.30.0.1/16')],
    'eth0.20': [v4('10.40.0.1/24')],
    only6: [v6('fe80::5/64')],
  }),
  names: () => [...Object.keys(links), 'bonding_masters'],
  attribute: (name, attribute) => links[name]?.[attribute],
};

describe('findLink', () => {
  it('gives index, MAC and the IPv4 addresses in their order, labelled ones among them', () => {
    const found = findLink('eth0', source);
    if (!found.ok) throw new Error(found.message);
    expect(found.link).to.include({ name: 'eth0', index: 2, mac: '02:00:00:00:aa:01' });
    expect(found.link.addresses.map(({ ip, length }) => `${formatIp(ip)}/${length}`)).to.deep.equal([
      '10.20.0.1/24',
      '10.20.1.1/25',
      '10.20.2.1/32',
    ]);
  });

  it('takes a VLAN and a link with a longer name for links of their own', () => {
    for (const [name, address] of [
      ['eth01', '10.30.0.1'],
      ['eth0.20', '10.40.0.1'],
    ] as const) {
      const found = findLink(name, source);
      expect(found.ok && found.link.addresses.map(({ ip }) => formatIp(ip)), name).to.deep.equal([address]);
    }
  });

  it('knows no MAC for a link that is not Ethernet', () => {
    const found = findLink('lo', source);
    expect(found.ok && found.link.mac).to.equal(undefined);
    expect(found.ok && found.link.addresses.length).to.equal(1);
  });

  const mistakes: readonly (readonly [string, string])[] = [
    [
      'eth9',
      'There is no link eth9 on this machine. Name one of these under `listen`: lo, eth0, eth01, eth0.20, asleep, unplugged, only6.',
    ],
    ['asleep', 'The link asleep is down. Bring it up: ip link set asleep up'],
    [
      'unplugged',
      'The link unplugged is up but has no carrier. Look at its cable, or at the other end where it is virtual.',
    ],
    [
      'only6',
      "The link only6 has no IPv4 address. Give it the server's own address in the network that it serves, for example: ip address add 10.20.0.1/24 dev only6",
    ],
  ];
  for (const [name, message] of mistakes) {
    it(`says what to do about ${name}`, () => {
      expect(findLink(name, source)).to.deep.equal({ ok: false, message });
    });
  }

  it('finds the loopback link of this machine', function () {
    if (!systemLinks.names().includes('lo')) {
      console.log('      skipped: this machine has no link lo');
      this.skip();
    }
    const found = findLink('lo');
    expect(found.ok && found.link.addresses.map(({ ip }) => formatIp(ip))).to.include('127.0.0.1');
  });

  for (const name of ['', '.', '..', '../net/lo', 'lo/../lo', 'lo\0']) {
    it(`takes ${JSON.stringify(name)} for no link`, () => {
      const found = findLink(name);
      expect(found.ok).to.equal(false);
    });
  }
});
