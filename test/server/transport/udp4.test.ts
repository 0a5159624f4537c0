// The sockets for real links, on the loopback link: it has broadcasts and needs no privilege. Two links and frames are the lab's.
import type { Socket } from 'node:dgram';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { expect } from 'chai';
import type { Destination, Packet } from '../../../lib/dhcp/packet.js';
import { parseMac } from '../../../lib/net/ids.js';
import { formatIp, parseIp4 } from '../../../lib/net/ip.js';
import { TransportError } from '../../../server/transport/transport.js';
import { Udp4Transport } from '../../../server/transport/udp4.js';

const here = parseIp4('127.0.0.1')!;
const mac = parseMac('02:00:00:00:00:01')!;

async function freePort(): Promise<number> {
  const socket = createSocket('udp4');
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const { port } = socket.address();
  await new Promise<void>((resolve) =>
    socket.close(() => {
      resolve();
    }),
  );
  return port;
}

describe('Udp4Transport', () => {
  let client: Socket;
  let port: number;
  let transport: Udp4Transport;
  let failures: string[];
  let arrived: (packet: Packet) => void;

  const options = (links: readonly string[]) => ({
    links,
    port,
    failed: (code: string) => failures.push(code),
    notice: (sentence: string) => failures.push(sentence),
  });

  beforeEach(async function () {
    if (process.platform !== 'linux') {
      console.log('      skipped: sockets bound to a link need Linux');
      this.skip();
    }
    failures = [];
    port = await freePort();
    transport = new Udp4Transport(options(['lo', 'lo']));
    await transport.open((packet) => {
      arrived(packet);
    });
    client = createSocket('udp4');
    client.bind(0, '127.0.0.1');
    await once(client, 'listening');
    client.setBroadcast(true);
  });

  afterEach(async () => {
    await transport.close();
    client.close();
  });

  function received(bytes: Uint8Array, to: string): Promise<Packet> {
    return new Promise((resolve) => {
      arrived = resolve;
      client.send(bytes, port, to);
    });
  }

  for (const [to, broadcast] of [
    ['127.0.0.1', false],
    ['255.255.255.255', true],
  ] as const) {
    it(`tells by what was sent to ${to} that it is ${broadcast ? 'a broadcast' : 'none'}`, async () => {
      const packet = await received(Uint8Array.of(7, 8), to);
      expect(packet.bytes).to.deep.equal(Uint8Array.of(7, 8));
      expect(packet.broadcast).to.equal(broadcast);
      expect(packet.link.name).to.equal('lo');
      expect(packet.link.addresses[0]?.ip).to.equal(here);
      expect(formatIp(packet.source)).to.equal('127.0.0.1');
      expect(packet.sourcePort).to.equal(client.address().port);
    });
  }

  it('hands over one packet for one broadcast', async () => {
    const packets: Packet[] = [];
    const both = new Promise<void>((resolve) => {
      arrived = (packet) => {
        packets.push(packet);
        // Had the other socket received the broadcast too, then before the unicast that follows it.
        if (packets.length === 1) client.send(Uint8Array.of(2), port, '127.0.0.1');
        if (packet.bytes[0] === 2) resolve();
      };
    });
    client.send(Uint8Array.of(1), port, '255.255.255.255');
    await both;
    expect(packets.map(({ bytes, broadcast }) => [bytes[0], broadcast])).to.deep.equal([
      [1, true],
      [2, false],
    ]);
  });

  const ways: readonly (readonly [string, (to: number) => Destination])[] = [
    ['unicast', (to) => ({ kind: 'unicast', address: here, port: to })],
    ['broadcast', (to) => ({ kind: 'broadcast', port: to })],
    [
      'frame, which the loopback link has not, as a broadcast',
      (to) => ({ kind: 'frame', address: here, mac, port: to }),
    ],
  ];
  for (const [what, to] of ways) {
    for (const asked of ['127.0.0.1', '255.255.255.255']) {
      it(`answers what was sent to ${asked} by ${what}, from its address and port`, async () => {
        // Bound to no address: a socket that is bound to one hears no broadcast.
        const listener = createSocket('udp4');
        listener.bind(0);
        await once(listener, 'listening');
        const { link } = await received(Uint8Array.of(1), asked);
        const answer = once(listener, 'message') as Promise<[Buffer, { address: string; port: number }]>;
        transport.send({ link, bytes: Uint8Array.of(4, 5), to: to(listener.address().port) });
        const [bytes, from] = await answer;
        listener.close();
        expect([...bytes]).to.deep.equal([4, 5]);
        expect(from).to.include({ address: '127.0.0.1', port });
        expect(failures).to.deep.equal([]);
      });
    }
  }

  it('finds the way for an answer that no packet led to by the name of its link', async () => {
    const answer = once(client, 'message') as Promise<[Buffer, { port: number }]>;
    const to: Destination = { kind: 'unicast', address: here, port: client.address().port };
    transport.send({ link: { name: 'lo', addresses: [] }, bytes: Uint8Array.of(1), to });
    expect((await answer)[1].port).to.equal(port);
    transport.send({ link: { name: 'eth9', addresses: [] }, bytes: Uint8Array.of(1), to });
    expect(failures).to.deep.equal(['ENODEV']);
  });

  it('says who may hold a port that is taken, and leaves nothing open', async () => {
    const second = new Udp4Transport(options(['lo']));
    const error: unknown = await second.open(() => undefined).catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(TransportError);
    expect((error as Error).message).to.match(
      /^Another program already serves UDP 127\.0\.0\.1 port \d+: perhaps dnsmasq/,
    );
    await transport.close();
    await second.open(() => undefined);
    await second.close();
  });

  it('names every link that it cannot serve at once', async () => {
    const wrong = new Udp4Transport(options(['eth7', 'lo', 'eth8']));
    const error: unknown = await wrong.open(() => undefined).catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(TransportError);
    expect((error as Error).message.split('\n').map((line) => line.slice(0, 22))).to.deep.equal([
      'There is no link eth7 ',
      'There is no link eth8 ',
    ]);
    const none = new Udp4Transport(options([]));
    const silent: unknown = await none.open(() => undefined).catch((thrown: unknown) => thrown);
    expect((silent as Error).message).to.contain('No link is named under `listen`');
  });
});
