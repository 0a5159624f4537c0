// The probe's arguments: what they mean, and what a tired person is told.
import { expect } from 'chai';
import { formatIp } from '../../../lib/net/ip.js';
import type { Arguments, Settings } from '../../../scripts/probe/settings.js';
import { readSettings } from '../../../scripts/probe/settings.js';

const note = { server: '127.0.0.1', port: 1067, link: '10.20.0.1' };
const good: Arguments = { mac: '02:00:00:00:00:01', server: '10.20.0.1' };

function read(given: Arguments, withNote = false): Settings {
  const settings = readSettings(given, withNote ? note : undefined);
  if (!settings.ok) throw new Error(settings.mistakes.join('\n'));
  return settings.value;
}

describe('the arguments of the probe', () => {
  it('need no more than a MAC where the demo runs', () => {
    const settings = read({ mac: '0200.0000.0001' }, true);
    expect(settings).to.deep.include({
      host: '127.0.0.1',
      port: 1067,
      macs: ['02:00:00:00:00:01'],
      timeout: 5,
      json: false,
    });
    expect(formatIp(settings.link!)).to.equal('10.20.0.1');
    expect(settings.wishes).to.deep.equal({ release: false });
    expect(settings.options.size).to.equal(0);
  });

  it('may ask the demo for another network', () => {
    expect(formatIp(read({ mac: '02:00:00:00:00:01', link: '10.30.0.0/16' }, true).link!)).to.equal('10.30.0.0');
  });

  it('mean port 67 and the network of this machine where a server is named', () => {
    expect(read(good, true)).to.include({ host: '10.20.0.1', port: 67, link: undefined });
    expect(read({ ...good, server: 'dhcp.example:1067' })).to.include({ host: 'dhcp.example', port: 1067 });
  });

  it('take the last of a flag that is given twice', () => {
    expect(read({ ...good, json: [false, true], release: [true, false] })).to.deep.include({
      json: true,
      wishes: { release: false },
    });
  });

  const mistakes: readonly (readonly [Arguments, readonly string[]])[] = [
    [
      {},
      [
        '--mac is missing: name the client, for example --mac 02:00:00:00:00:01.',
        'There is no demo to ask here: start one with `npm start`, or name the server with --server and the network with --link.',
      ],
    ],
    [
      { ...good, server: '127.0.0.1:1067' },
      [
        '--link is missing: on the loopback link only it says for which network to ask, for example --link 10.20.0.0/24.',
      ],
    ],
    [
      { ...good, mac: '02:00:00:00:01' },
      ['--mac 02:00:00:00:01: it should be a MAC address, such as 02:00:00:00:00:01.'],
    ],
    [{ ...good, mac: ['a', 'b'] }, ['--mac is given 2 times; give it once.']],
    ...['10.20.0.256', '10.20.0.1:0', '10.20.0.1:65536', 'a b', '[::1]', ''].map((server) => {
      return [
        { ...good, server },
        [`--server ${server}: it should be a name or IPv4 address, with or without a port: 10.20.0.1:67.`],
      ] as const;
    }),
    ...['10.20.0.1/24', 'fd00::/64', 'rack1'].map((link) => {
      return [
        { ...good, link },
        [`--link ${link}: it should be an IPv4 address or prefix of the network to ask for, such as 10.20.0.0/24.`],
      ] as const;
    }),
    ...['0', '-1', '1.5', '100001', 'x'].map((count) => {
      return [{ ...good, count }, [`--count ${count}: it should be a whole number from 1 to 100000.`]] as const;
    }),
    [
      { ...good, mac: 'ff:ff:ff:ff:ff:ff', count: '2' },
      ['--count 2: from ff:ff:ff:ff:ff:ff on there are not so many MAC addresses.'],
    ],
    ...['0', '-1', '1s', '3601'].map((timeout) => {
      return [{ ...good, timeout }, [`--timeout ${timeout}: it should be seconds over 0 and at most 3600.`]] as const;
    }),
    [
      { ...good, request: '10.20.0.1', reboot: '10.20.0.1' },
      ['--request and --reboot exclude each other: the one asks in a DISCOVER, the other goes without.'],
    ],
    [{ ...good, vendorClass: '' }, ['--vendor-class : it should be a text.']],
    [
      { ...good, clientId: 'node1' },
      ['--client-id node1: it should be octets as hexadecimal digits, such as 01:02:00:00:00:00:01.'],
    ],
    [
      { ...good, option: ['hostname=a', 'dhcp-server-identifier=10.0.0.1', 'client-system=x', 'client-system=[1'] },
      [
        '--option hostname=a: no option is called hostname; write NAME=VALUE, such as host-name=node1.',
        '--option dhcp-server-identifier=10.0.0.1: the probe writes dhcp-server-identifier itself.',
        '--option client-system=x: it should be a list of whole numbers from 0 to 65535, such as [576, 1500].',
        '--option client-system=[1: it should be a list of whole numbers from 0 to 65535, such as [576, 1500].',
      ],
    ],
    [
      { mac: 'x', server: 'y z', count: '0' },
      [
        '--server y z: it should be a name or IPv4 address, with or without a port: 10.20.0.1:67.',
        '--mac x: it should be a MAC address, such as 02:00:00:00:00:01.',
        '--count 0: it should be a whole number from 1 to 100000.',
      ],
    ],
  ];
  for (const [given, told] of mistakes) {
    it(`refuse ${JSON.stringify(given)}`, () => {
      expect(readSettings(given, undefined)).to.deep.equal({ ok: false, mistakes: told });
    });
  }
});
