// The transport without sockets: frames and captures become packets, answers become the frames that would carry them.
import { expect } from 'chai';
import type { Destination, Link, Packet } from '../../../lib/dhcp/packet.js';
import { macToBytes, parseMac, toHex } from '../../../lib/net/ids.js';
import { formatIp, parseIp4 } from '../../../lib/net/ip.js';
import type { Frame } from '../../../lib/wire/frame.js';
import { encodeFrame } from '../../../lib/wire/frame.js';
import { LINKTYPE_ETHERNET, writePcap } from '../../../lib/wire/pcap.js';
import { CaptureTransport } from '../../../server/transport/capture.js';

const ip = (text: string) => parseIp4(text)!;
const mac = parseMac('02:00:00:00:00:01')!;
const link: Link = {
  name: 'eth0',
  addresses: [
    { ip: ip('10.20.0.1'), length: 24 },
    { ip: ip('10.20.0.2'), length: 24 },
  ],
};

function frame(more: Partial<Frame> = {}): Uint8Array {
  return encodeFrame({
    sourceMac: macToBytes(mac),
    destinationMac: new Uint8Array(6).fill(0xff),
    source: ip('0.0.0.0'),
    destination: ip('255.255.255.255'),
    sourcePort: 68,
    destinationPort: 67,
    payload: Uint8Array.of(1, 2, 3),
    ...more,
  });
}

describe('CaptureTransport', () => {
  let transport: CaptureTransport;
  let packets: Packet[];

  beforeEach(async () => {
    packets = [];
    transport = new CaptureTransport();
    await transport.open((packet) => packets.push(packet));
  });

  it('makes a packet of a broadcast frame', () => {
    expect(transport.feedFrame(frame(), link).ok).to.equal(true);
    expect(packets).to.deep.equal([
      { link, bytes: Uint8Array.of(1, 2, 3), source: 0, sourcePort: 68, broadcast: true },
    ]);
  });

  it('lets the address that a unicast was sent to come first', () => {
    transport.feedFrame(frame({ source: ip('10.20.0.50'), destination: ip('10.20.0.2') }), link);
    expect(packets[0]?.broadcast).to.equal(false);
    expect(packets[0]?.link.addresses.map((address) => formatIp(address.ip))).to.deep.equal(['10.20.0.2', '10.20.0.1']);
  });

  it('feeds a capture in its order, and counts the frames that are not for a server', () => {
    const damaged = frame();
    damaged[20] = 0x20; // More Fragments
    const toClient = frame({ destinationPort: 68, sourcePort: 67 });
    const wrongChecksum = frame({ payload: Uint8Array.of(4) });
    wrongChecksum[41] = 0xff; // as left for the NIC to fill in
    const frames = [frame(), toClient, damaged, wrongChecksum].map((bytes, at) => {
      return { at, linkType: LINKTYPE_ETHERNET, bytes };
    });
    const fed = transport.feedCapture(writePcap(frames), link);
    expect(fed).to.deep.equal({
      ok: true,
      value: {
        packets: 2,
        skipped: new Map([
          ['not-for-us', 1],
          ['bad-frame', 1],
        ]),
      },
    });
    expect(packets.map(({ bytes }) => [...bytes])).to.deep.equal([[1, 2, 3], [4]]);
  });

  it('refuses a file that is no capture', () => {
    const fed = transport.feedCapture(Uint8Array.of(1, 2, 3, 4, 5), link);
    expect(!fed.ok && fed.reason).to.equal('bad-capture');
  });

  const to: readonly (readonly [string, Destination, string, string])[] = [
    ['a broadcast', { kind: 'broadcast', port: 68 }, 'ff:ff:ff:ff:ff:ff', '255.255.255.255'],
    ['a frame', { kind: 'frame', address: ip('10.20.0.11'), mac, port: 68 }, mac, '10.20.0.11'],
    ['a unicast to who has spoken', { kind: 'unicast', address: ip('10.20.0.50'), port: 68 }, mac, '10.20.0.50'],
    [
      'a unicast to a stranger',
      { kind: 'unicast', address: ip('10.9.0.1'), port: 67 },
      '00:00:00:00:00:00',
      '10.9.0.1',
    ],
  ];
  for (const [what, destination, hardware, address] of to) {
    it(`keeps ${what} as its frame`, () => {
      transport.feedFrame(frame({ source: ip('10.20.0.50'), destination: ip('10.20.0.1') }), link);
      transport.send({ link, bytes: Uint8Array.of(9), to: destination });
      const [sent, ...more] = transport.taken();
      expect(more).to.deep.equal([]);
      expect(toHex(sent!.frame.destinationMac, ':')).to.equal(hardware);
      expect(formatIp(sent!.frame.destination)).to.equal(address);
      expect(formatIp(sent!.frame.source)).to.equal('10.20.0.1');
      expect(sent!.frame).to.include({ sourcePort: 67, destinationPort: destination.port });
      expect(transport.taken()).to.deep.equal([]);
    });
  }

  it('gives the next answer to who waits for it', async () => {
    const next = transport.next();
    transport.send({ link, bytes: Uint8Array.of(1), to: { kind: 'broadcast', port: 68 } });
    transport.send({ link, bytes: Uint8Array.of(2), to: { kind: 'broadcast', port: 68 } });
    expect((await next).answer.bytes).to.deep.equal(Uint8Array.of(1));
    expect((await transport.next()).answer.bytes).to.deep.equal(Uint8Array.of(2));
  });

  it('hands over nothing once it is closed', async () => {
    await transport.close();
    transport.feedFrame(frame(), link);
    expect(packets).to.deep.equal([]);
  });
});
