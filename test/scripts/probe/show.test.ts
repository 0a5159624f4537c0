// What the probe prints, letter by letter.
import { expect } from 'chai';
import { parseMac } from '../../../lib/net/ids.js';
import { ipToBytes, parseIp4 } from '../../../lib/net/ip.js';
import type { Message4 } from '../../../lib/wire/message4.js';
import type { Outcome } from '../../../scripts/probe/converse.js';
import type { Client } from '../../../scripts/probe/message.js';
import { discover, release, request } from '../../../scripts/probe/message.js';
import type { Scene } from '../../../scripts/probe/show.js';
import { jsonReport, showLine, showOutcome, showScene, showTally, tallyOf } from '../../../scripts/probe/show.js';

const ip = (text: string) => parseIp4(text)!;
const bytes = (text: string) => new TextEncoder().encode(text);

const scene: Scene = {
  server: { address: ip('127.0.0.1'), port: 1067 },
  self: { address: ip('127.0.0.1'), port: 40000 },
  link: ip('10.20.0.0'),
  timeout: 5,
};

const client: Client = {
  mac: parseMac('02:00:00:00:00:01')!,
  xid: 0x01020304,
  giaddr: ip('127.0.0.1'),
  link: ip('10.20.0.0'),
  options: new Map([[55, Uint8Array.of(1, 2, 3, 6, 15, 16)]]),
};

function answer(type: number, more: Partial<Message4> = {}, options: [number, Uint8Array][] = []): Message4 {
  return {
    ...discover(client),
    op: 2,
    hops: 0,
    options: new Map([[53, Uint8Array.of(type)], [54, ipToBytes(ip('10.20.0.1'))], ...options]),
    ...more,
  };
}

const gifts: [number, Uint8Array][] = [
  [51, Uint8Array.of(0, 0, 14, 16)],
  [1, ipToBytes(ip('255.255.255.0'))],
  [6, Uint8Array.of(10, 20, 0, 2, 10, 20, 0, 3)],
  [15, bytes('rack1.example')],
  [222, Uint8Array.of(1, 255)],
];
const offer = answer(2, { yiaddr: ip('10.20.0.11') }, gifts);
const ack = answer(5, { yiaddr: ip('10.20.0.11'), siaddr: ip('10.20.0.5'), file: bytes('boot\u001b[2J.efi') }, gifts);
const from = { address: ip('127.0.0.1'), port: 1067 };

const bound: Outcome = {
  mac: client.mac,
  result: 'bound',
  steps: [
    { message: discover(client), times: 2, at: 0 },
    { message: offer, from, times: 1, at: 1001.26 },
    { message: request(client, offer), times: 1, at: 1001.9 },
    { message: ack, from, times: 1, at: 1003 },
    { message: release(client, ack), times: 1, at: 1003.2 },
  ],
  address: ip('10.20.0.11'),
  leaseSeconds: 3600,
  serverId: ip('10.20.0.1'),
  released: true,
  milliseconds: 1003,
};

const refused: Outcome = {
  mac: client.mac,
  result: 'refused',
  steps: [
    { message: request(client, offer), times: 1, at: 0 },
    { message: answer(6, {}, [[56, bytes('no such address')]]), from, times: 1, at: 2 },
  ],
  serverId: ip('10.20.0.1'),
  released: false,
  milliseconds: 2,
};

const unanswered: Outcome = {
  mac: client.mac,
  result: 'unanswered',
  steps: [{ message: discover(client), times: 3, at: 0 }],
  released: false,
  milliseconds: 5000,
};

describe('what the probe prints', () => {
  it('says first whom it asks', () => {
    expect(showScene(scene)).to.equal(
      'Asking 127.0.0.1 port 1067 as a relay at 127.0.0.1 port 40000, for the network of 10.20.0.0.',
    );
  });

  it('shows each message with its options by name, and the end', () => {
    expect(showOutcome(bound, scene, new Map())).to.equal(
      `\
DISCOVER sent for 02:00:00:00:00:01, 2 times
      53  dhcp-message-type              DISCOVER
      55  dhcp-parameter-request-list    1-3, 6, 15-16
      57  dhcp-max-message-size          1500
      82  relay-agent-information        link_selection=10.20.0.0 relay_port=true

OFFER of 10.20.0.11 received from 127.0.0.1 port 1067 after 1001.3 ms
      53  dhcp-message-type              OFFER
      54  dhcp-server-identifier         10.20.0.1
      51  dhcp-lease-time                3600 s
       1  subnet-mask                    255.255.255.0
       6  domain-name-servers            10.20.0.2, 10.20.0.3
      15  domain-name                    rack1.example
     222  option-222                     01:ff

REQUEST sent for 02:00:00:00:00:01
      53  dhcp-message-type              REQUEST
      50  dhcp-requested-address         10.20.0.11
      54  dhcp-server-identifier         10.20.0.1
      55  dhcp-parameter-request-list    1-3, 6, 15-16
      57  dhcp-max-message-size          1500
      82  relay-agent-information        link_selection=10.20.0.0 relay_port=true

ACK of 10.20.0.11 received from 127.0.0.1 port 1067 after 1003 ms
  siaddr  next server                    10.20.0.5
    file  boot file                      boot\\x1b[2J.efi
      53  dhcp-message-type              ACK
      54  dhcp-server-identifier         10.20.0.1
      51  dhcp-lease-time                3600 s
       1  subnet-mask                    255.255.255.0
       6  domain-name-servers            10.20.0.2, 10.20.0.3
      15  domain-name                    rack1.example
     222  option-222                     01:ff

RELEASE sent for 02:00:00:00:00:01
      53  dhcp-message-type              RELEASE
      54  dhcp-server-identifier         10.20.0.1
      82  relay-agent-information        link_selection=10.20.0.0 relay_port=true

10.20.0.11 is bound to 02:00:00:00:00:01 for 3600 s by 10.20.0.1.
It was given back; a RELEASE has no answer.`,
    );
  });

  it('repeats the reason that a NAK gives', () => {
    expect(showOutcome(refused, scene, new Map())).to.match(
      /\n\n10\.20\.0\.1 refused 02:00:00:00:00:01 with a NAK: no such address\.$/,
    );
    const silent = { ...refused, steps: [{ message: answer(6), from, times: 1, at: 1 }] };
    expect(showOutcome(silent, scene, new Map())).to.match(/with a NAK\.$/);
  });

  it('says what to look at where nobody answered, and what came instead', () => {
    const ignored = new Map([['bad-cookie (0x00000001)', 2]]);
    expect(showOutcome(unanswered, scene, ignored).split('\n\n').at(-1)).to.equal(
      `\
No answer to the DISCOVER of 02:00:00:00:00:01 came from 127.0.0.1 port 1067 within 5 s.
Is a server running there, does it know the network of 10.20.0.0, and may 127.0.0.1 relay to it (\`relays\`)?
Not counted as an answer: bad-cookie (0x00000001), 2 times.`,
    );
  });

  it('gives one line to each of many', () => {
    const forever = { ...bound, released: false, leaseSeconds: 0xffffffff };
    const { leaseSeconds: _, ...untimed } = bound;
    expect([bound, forever, untimed, refused, unanswered].map(showLine)).to.deep.equal([
      '02:00:00:00:00:01  10.20.0.11       for 3600 s, given back, after 1003 ms',
      '02:00:00:00:00:01  10.20.0.11       for ever, after 1003 ms',
      '02:00:00:00:00:01  10.20.0.11       for no stated time, given back, after 1003 ms',
      '02:00:00:00:00:01  -                refused, after 2 ms',
      '02:00:00:00:00:01  -                unanswered, after 5000 ms',
    ]);
    expect(showTally(tallyOf([bound, refused, unanswered, bound]), 12.34)).to.equal(
      '4 asked: 2 bound, 1 refused, 1 unanswered, in 12.3 ms.',
    );
  });

  it('gives programs the same as one object', () => {
    const report = JSON.parse(JSON.stringify(jsonReport(scene, [bound, unanswered]))) as {
      probes: { messages: unknown[] }[];
    };
    const [first, second] = report.probes;
    expect({ ...report, probes: undefined }).to.deep.equal({
      server: { address: '127.0.0.1', port: 1067 },
      relay: { address: '127.0.0.1', port: 40000 },
      link: '10.20.0.0',
      bound: 1,
      refused: 0,
      unanswered: 1,
      probes: undefined,
    });
    expect({ ...first, messages: undefined }).to.deep.equal({
      mac: '02:00:00:00:00:01',
      result: 'bound',
      address: '10.20.0.11',
      lease_seconds: 3600,
      server_id: '10.20.0.1',
      released: true,
      milliseconds: 1003,
      messages: undefined,
    });
    expect(second).to.deep.include({ result: 'unanswered', address: null, lease_seconds: null, server_id: null });
    expect(first?.messages[3]).to.deep.equal({
      direction: 'received',
      type: 'ACK',
      times: 1,
      milliseconds: 1003,
      from: { address: '127.0.0.1', port: 1067 },
      ciaddr: '0.0.0.0',
      yiaddr: '10.20.0.11',
      siaddr: '10.20.0.5',
      giaddr: '127.0.0.1',
      sname: '',
      file: 'boot\\x1b[2J.efi',
      options: [
        { code: 53, name: 'dhcp-message-type', value: 5 },
        { code: 54, name: 'dhcp-server-identifier', value: '10.20.0.1' },
        { code: 51, name: 'dhcp-lease-time', value: 3600 },
        { code: 1, name: 'subnet-mask', value: '255.255.255.0' },
        { code: 6, name: 'domain-name-servers', value: ['10.20.0.2', '10.20.0.3'] },
        { code: 15, name: 'domain-name', value: 'rack1.example' },
        { code: 222, name: 'option-222', value: '01:ff' },
      ],
    });
  });
});
