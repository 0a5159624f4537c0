// Where an answer goes: a table over giaddr, ciaddr, the B bit, the hardware, and whether it is a NAK (RFC 2131 §4.1).
import { expect } from 'chai';
import type { Packet } from '../../../lib/dhcp/packet.js';
import { relayFacts } from '../../../lib/dhcp/relay.js';
import { route } from '../../../lib/dhcp/route.js';
import type { Mac } from '../../../lib/net/ids.js';
import { option } from '../../support/octets.js';
import type { Sent } from '../../support/served.js';
import { ip4, messageOf } from '../../support/served.js';

const mac = '02:00:00:00:00:01' as Mac;
const ports = { server: 1067, client: 1068 };
const yiaddr = ip4('10.20.0.100');
const packet: Packet = {
  link: { name: 'eth0', addresses: [{ ip: ip4('10.20.0.1'), length: 24 }] },
  bytes: new Uint8Array(0),
  source: ip4('10.20.0.254'),
  sourcePort: 40_000,
  broadcast: false,
};
const relay = { kind: 'unicast', address: ip4('10.20.0.254'), port: 1067 } as const;
const everybody = { kind: 'broadcast', port: 1068 } as const;
const client = { kind: 'unicast', address: ip4('10.20.0.5'), port: 1068 } as const;
const frame = { kind: 'frame', address: yiaddr, mac, port: 1068 } as const;
const ownPort = option(82, 19, 0);
const noHardware = { hlen: 0, chaddr: new Uint8Array(0) };
const infiniband = { htype: 32, hlen: 8, chaddr: Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8) };
const given = { nak: false, yiaddr };
const none = { nak: false, yiaddr: ip4('0.0.0.0') };
const nak = { nak: true, yiaddr: ip4('0.0.0.0') };

type Row = readonly [title: string, sent: Partial<Sent>, answer: typeof given, to: ReturnType<typeof route>];

const rows: readonly Row[] = [
  ['relayed', { giaddr: '10.20.0.254' }, given, relay],
  ['relayed, with ciaddr and B', { giaddr: '10.20.0.254', ciaddr: '10.20.0.5', flags: 0x8000 }, given, relay],
  ['relayed NAK', { giaddr: '10.20.0.254' }, nak, relay],
  [
    'relayed, from the relay’s own port',
    { giaddr: '10.20.0.254', options: ownPort },
    given,
    { ...relay, port: 40_000 },
  ],
  ['option 82 without giaddr means nothing', { options: ownPort }, given, frame],
  ['NAK', {}, nak, everybody],
  ['NAK to a RENEW', { ciaddr: '10.20.0.5' }, nak, everybody],
  ['ciaddr', { ciaddr: '10.20.0.5' }, given, client],
  ['ciaddr, with B', { ciaddr: '10.20.0.5', flags: 0x8000 }, given, client],
  ['B', { flags: 0x8000 }, given, everybody],
  ['reserved flag bits mean nothing', { flags: 0x7fff }, given, frame],
  ['neither', {}, given, frame],
  ['conformance 42: no hardware address', { header: noHardware }, given, everybody],
  ['other hardware than Ethernet', { header: infiniband }, given, everybody],
  ['no address to give and none that the client has', {}, none, everybody],
];

describe('route', () => {
  for (const [title, sent, answer, to] of rows)
    it(`${title} → ${to.kind}`, () => {
      const message = messageOf({ mac, ...sent });
      expect(route(packet, message, relayFacts(message), ports, answer)).to.deep.equal(to);
    });
});
