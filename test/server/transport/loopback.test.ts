// The loopback transport receives, answers, refuses a taken port with a sentence, and stops.
import type { Socket } from 'node:dgram';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { expect } from 'chai';
import type { Destination, Packet } from '../../../lib/dhcp/packet.js';
import { parseMac } from '../../../lib/net/ids.js';
import { formatIp, parseIp4 } from '../../../lib/net/ip.js';
import { LoopbackTransport } from '../../../server/transport/loopback.js';
import { TransportError } from '../../../server/transport/transport.js';

const away = parseIp4('203.0.113.7')!;
const here = parseIp4('127.0.0.1')!;
const mac = parseMac('02:00:00:00:00:01')!;

describe('LoopbackTransport', () => {
  let client: Socket;
  let transport: LoopbackTransport;
  let failures: string[];

  beforeEach(async () => {
    failures = [];
    transport = new LoopbackTransport({ port: 0, failed: (code) => failures.push(code) });
    client = createSocket('udp4');
    client.bind(0, '127.0.0.1');
    await once(client, 'listening');
  });

  afterEach(async () => {
    await transport.close();
    client.close();
  });

  /** Opens the transport, sends one datagram to it and gives what it made of it. */
  async function received(bytes: Uint8Array): Promise<Packet> {
    const packet = new Promise<Packet>((resolve, reject) => {
      transport.open(resolve).then(() => {
        client.send(bytes, transport.port, '127.0.0.1');
      }, reject);
    });
    return packet;
  }

  it('hands over octets, source and link, as a unicast', async () => {
    const packet = await received(Uint8Array.of(1, 2, 3));
    expect(packet.bytes).to.deep.equal(Uint8Array.of(1, 2, 3));
    expect(packet.bytes.constructor).to.equal(Uint8Array);
    expect(formatIp(packet.source)).to.equal('127.0.0.1');
    expect(packet.sourcePort).to.equal(client.address().port);
    expect(packet.broadcast).to.equal(false);
    expect(packet.link.name).to.equal('lo');
    expect(packet.link.addresses).to.deep.equal([{ ip: here, length: 8 }]);
  });

  const destinations: readonly (readonly [string, (port: number) => Destination])[] = [
    ['a unicast', (port) => ({ kind: 'unicast', address: here, port })],
    ['a frame, although its address is nobody’s', (port) => ({ kind: 'frame', address: away, mac, port })],
    ['a broadcast', (port) => ({ kind: 'broadcast', port })],
  ];
  for (const [what, to] of destinations) {
    it(`delivers ${what} to who listens at the port`, async () => {
      const { link } = await received(Uint8Array.of(1));
      const answer = once(client, 'message') as Promise<[Buffer, { address: string; port: number }]>;
      transport.send({ link, bytes: Uint8Array.of(4, 5), to: to(client.address().port) });
      const [bytes, sender] = await answer;
      expect([...bytes]).to.deep.equal([4, 5]);
      expect(sender).to.include({ address: '127.0.0.1', port: transport.port });
      expect(failures).to.deep.equal([]);
    });
  }

  it('counts what cannot be sent and goes on', async () => {
    const { link } = await received(Uint8Array.of(1));
    const failed = new Promise<void>((resolve) => {
      failures.push = (...codes) => (resolve(), Array.prototype.push.apply(failures, codes));
    });
    // 64 KiB do not fit into an IPv4 datagram.
    transport.send({ link, bytes: new Uint8Array(65_536), to: { kind: 'unicast', address: here, port: 9 } });
    await failed;
    expect(failures).to.deep.equal(['EMSGSIZE']);
    const answer = once(client, 'message');
    transport.send({
      link,
      bytes: Uint8Array.of(1),
      to: { kind: 'unicast', address: here, port: client.address().port },
    });
    await answer;
  });

  it('says who may hold a port that is taken', async () => {
    const { port } = client.address();
    const second = new LoopbackTransport({ port, failed: () => undefined });
    const error: unknown = await second.open(() => undefined).catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(TransportError);
    expect((error as Error).message).to.equal(
      `Another program already serves UDP 127.0.0.1 port ${port}: perhaps dnsmasq, dhcpd, Kea, systemd-networkd or a second leasehold. See which with: ss -lunp 'sport = :${port}'`,
    );
    await second.close();
  });

  it('frees its port when closed, and sends nothing after', async () => {
    const { link } = await received(Uint8Array.of(1));
    const { port } = transport;
    await transport.close();
    transport.send({
      link,
      bytes: Uint8Array.of(1),
      to: { kind: 'unicast', address: here, port: client.address().port },
    });
    const again = new LoopbackTransport({ port, failed: () => undefined });
    await again.open(() => undefined);
    await again.close();
    await again.close();
  });
});
