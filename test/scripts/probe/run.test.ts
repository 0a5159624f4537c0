// The probe against a tiny server: what it sends, what it makes of the answers, and its exit codes.
import { expect } from 'chai';
import { formatIp, parseIp4 } from '../../../lib/net/ip.js';
import { toHex } from '../../../lib/net/ids.js';
import { Relay } from '../../../scripts/probe/relay.js';
import { discover } from '../../../scripts/probe/message.js';
import { runProbe } from '../../../scripts/probe/run.js';
import type { Arguments } from '../../../scripts/probe/settings.js';
import { readSettings } from '../../../scripts/probe/settings.js';
import { parseMac } from '../../../lib/net/ids.js';
import type { Behaviour } from './fake-server.js';
import { FakeServer, reply, typeOf, wellBehaved } from './fake-server.js';

const ip = (text: string) => parseIp4(text)!;

describe('the probe', () => {
  let server: FakeServer;
  let out: string[];
  let err: string[];

  afterEach(async () => {
    await server.close();
  });

  /** Opens a server of this behaviour and asks it; gives the exit code. */
  async function ask(behaviour: Behaviour, more: Arguments = {}): Promise<number> {
    server = await FakeServer.open(behaviour);
    out = [];
    err = [];
    const settings = readSettings(
      {
        server: `127.0.0.1:${server.endpoint.port}`,
        link: '10.20.0.0/24',
        mac: '02:00:00:00:00:0b',
        timeout: '2',
        ...more,
      },
      undefined,
    );
    if (!settings.ok) throw new Error(settings.mistakes.join('\n'));
    return runProbe(settings.value, { out: (line) => out.push(line), err: (line) => err.push(line) });
  }

  it('asks as a relay, with link selection and relay port, and takes the offer', async () => {
    expect(await ask(wellBehaved)).to.equal(0);
    expect(server.types).to.deep.equal([1, 3]);
    const [first, second] = server.got;
    for (const message of [first!, second!]) {
      expect(message).to.include({ op: 1, htype: 1, hlen: 6, hops: 1, flags: 0, ciaddr: 0, yiaddr: 0 });
      expect(formatIp(message.giaddr)).to.equal('127.0.0.1');
      expect(toHex(message.chaddr, ':')).to.equal('02:00:00:00:00:0b');
      expect(toHex(message.options.get(82)!, ':')).to.equal('05:04:0a:14:00:00:13:00');
      expect([...message.options.get(55)!])
        .to.include.members([1, 3, 6, 15, 66, 67])
        .and.not.include(108);
      expect([...message.options.get(57)!]).to.deep.equal([5, 220]);
    }
    expect(second!.xid).to.equal(first!.xid);
    expect([50, 54].filter((option) => first!.options.has(option))).to.deep.equal([]);
    expect([...second!.options.get(50)!]).to.deep.equal([10, 20, 0, 11]);
    expect([...second!.options.get(54)!]).to.deep.equal([10, 20, 0, 1]);
    expect(err).to.deep.equal([]);
    expect(out.at(-1)).to.match(/\n\n10\.20\.0\.11 is bound to 02:00:00:00:00:0b for 3600 s by 10\.20\.0\.1\.$/);
  });

  it('wishes for an address, names its class and identifier, and sends options by name', async () => {
    const option = ['host-name=12', 'client-system=[0, 7]', 'dhcp-parameter-request-list=6', 'uuid-guid=00:01'];
    await ask(wellBehaved, { request: '10.20.0.77', vendorClass: 'PXEClient', clientId: '01:02', option });
    const [first, second] = server.got.map(({ options }) => options);
    expect(toHex(first!.get(50)!)).to.equal('0a14004d');
    for (const options of [first!, second!]) {
      expect(new TextDecoder().decode(options.get(60))).to.equal('PXEClient');
      expect(toHex(options.get(61)!)).to.equal('0102');
      expect(new TextDecoder().decode(options.get(12))).to.equal('12');
      expect(toHex(options.get(93)!)).to.equal('00000007');
      expect(toHex(options.get(55)!)).to.equal('06');
      expect(toHex(options.get(97)!)).to.equal('0001');
    }
  });

  it('gives the address back', async () => {
    let released: () => void = () => undefined;
    const farewell = new Promise<void>((resolve) => (released = resolve));
    const code = await ask(
      (message, itself) => {
        if (typeOf(message) === 7) released();
        return wellBehaved(message, itself);
      },
      { release: true, clientId: '01:02' },
    );
    expect(code).to.equal(0);
    await farewell;
    const message = server.got[2]!;
    expect(formatIp(message.ciaddr)).to.equal('10.20.0.11');
    expect([...message.options.keys()]).to.have.members([53, 54, 61, 82]);
    expect(out.at(-1)).to.match(/given back/);
  });

  it('asks to keep an address without a DISCOVER', async () => {
    expect(await ask(wellBehaved, { reboot: '10.20.0.11' })).to.equal(0);
    expect(server.types).to.deep.equal([3]);
    expect(toHex(server.got[0]!.options.get(50)!)).to.equal('0a14000b');
    expect(server.got[0]!.options.has(54)).to.equal(false);
  });

  it('ends with 4 for a NAK', async () => {
    const code = await ask((message) => [reply(message, typeOf(message) === 1 ? 2 : 6)]);
    expect(code).to.equal(4);
    expect(out.at(-1)).to.match(/10\.20\.0\.1 refused 02:00:00:00:00:0b with a NAK\.$/);
  });

  it('ends with 3 where nobody answers the DISCOVER', async () => {
    expect(await ask(() => [], { timeout: '0.05' })).to.equal(3);
    expect(out.at(-1)).to.match(/No answer to the DISCOVER of 02:00:00:00:00:0b .* within 0\.05 s\./);
  });

  it('ends with 3 where nobody answers the REQUEST', async () => {
    const code = await ask((message) => (typeOf(message) === 1 ? [reply(message, 2)] : []), { timeout: '0.05' });
    expect(code).to.equal(3);
    expect(out.at(-1)).to.match(/No answer to the REQUEST of/);
  });

  it('takes no answer that is not one to its message', async () => {
    const code = await ask((message, itself) => {
      const right = wellBehaved(message, itself) as ReturnType<typeof reply>[];
      const [answer] = right;
      if (answer === undefined || typeOf(message) === 3) return right;
      return [
        Uint8Array.of(2, 1, 6, 0),
        { ...answer, xid: (answer.xid + 1) % 2 ** 32 },
        { ...answer, chaddr: Uint8Array.of(2, 0, 0, 0, 0, 99) },
        { ...answer, op: 1 },
        reply(message, 5),
        { ...answer, yiaddr: ip('10.20.0.99') },
      ];
    });
    expect(code).to.equal(0);
    // The first that is one counts, and it is the last that was sent.
    expect(toHex(server.got[1]!.options.get(50)!)).to.equal('0a140063');
  });

  it('says what came instead of an answer', async () => {
    const code = await ask(
      (message) => [
        Uint8Array.of(2, 1, 6, 0),
        Uint8Array.of(2, 1, 6, 0),
        { ...reply(message, 2), xid: message.xid ^ 1 },
      ],
      { timeout: '0.2' },
    );
    expect(code).to.equal(3);
    expect(out.at(-1)).to.match(
      /Not counted as an answer: too-short \(4 octets of 236\), 2 times\.\nNot counted as an answer: an answer that nobody waits for, once\.$/,
    );
  });

  it('asks for many clients, and reports them in one line each', async () => {
    const code = await ask(
      (message, itself) => {
        if (message.chaddr[5] === 20) return [];
        if (message.chaddr[5] === 21 && typeOf(message) === 3) return [reply(message, 6)];
        return wellBehaved(message, itself);
      },
      { count: '50', timeout: '0.3' },
    );
    expect(code).to.equal(3);
    const macs = new Set(server.got.map(({ chaddr }) => chaddr[5]!));
    expect([...macs].sort((a, b) => a - b)).to.deep.equal(Array.from({ length: 50 }, (_, i) => 11 + i));
    expect(new Set(server.got.map(({ xid }) => xid)).size).to.equal(50);
    const lines = out.slice(2, -1);
    expect(lines.length).to.equal(50);
    expect(
      lines.filter((line) => /^02:00:00:00:00:[0-9a-f]{2} {2}10\.20\.0\.\d+ +for 3600 s, after /.test(line)).length,
    ).to.equal(48);
    expect(out.at(-1)).to.match(/^50 asked: 48 bound, 1 refused, 1 unanswered, in [\d.]+ ms\.$/);
  });

  it('carries over in the MAC, and ends with 4 where some are refused', async () => {
    const code = await ask((message) => [reply(message, typeOf(message) === 1 ? 2 : message.chaddr[5] === 0 ? 6 : 5)], {
      mac: '02:00:00:00:ff:ff',
      count: '2',
      json: true,
    });
    expect(code).to.equal(4);
    expect(out.length).to.equal(1);
    const report = JSON.parse(out[0]!) as { bound: number; refused: number; probes: { mac: string; result: string }[] };
    expect(report).to.include({ bound: 1, refused: 1 });
    expect(report.probes.map(({ mac, result }) => [mac, result])).to.deep.equal([
      ['02:00:00:00:ff:ff', 'bound'],
      ['02:00:00:01:00:00', 'refused'],
    ]);
  });

  it('says that a server cannot be reached', async () => {
    // The kernel lets nobody connect to the broadcast address who has not asked for that.
    const code = await ask(wellBehaved, { server: '255.255.255.255' });
    expect(code).to.equal(2);
    expect(out).to.deep.equal([]);
    expect(err).to.deep.equal([
      '--server 255.255.255.255: it cannot be reached from here (EACCES). Name a host or an IPv4 address that this machine has a route to.',
    ]);
  });
});

describe('Relay', () => {
  const client = {
    mac: parseMac('02:00:00:00:00:01')!,
    xid: 7,
    giaddr: ip('127.0.0.1'),
    options: new Map<number, Uint8Array>(),
  };

  it('asks again while nobody answers, and stops once somebody does', async () => {
    const server = await FakeServer.open((message, itself) => (itself.got.length < 3 ? [] : [reply(message, 2)]));
    const relay = await Relay.open(server.endpoint);
    const times: number[] = [];
    const answer = await relay.ask(discover(client), [2], { timeout: 10_000, again: 5 }, (time) => times.push(time));
    expect(answer?.from.port).to.equal(server.endpoint.port);
    expect(times).to.deep.equal([1, 2, 3]);
    expect(server.got.length).to.equal(3);
    await relay.close();
    await server.close();
  });

  it('rejects what cannot be sent', async () => {
    const server = await FakeServer.open(() => []);
    const relay = await Relay.open(server.endpoint);
    const options = new Map([[43, new Uint8Array(2000)]]);
    const error: unknown = await relay
      .ask(discover({ ...client, options }), [2], { timeout: 10_000, again: 5 }, () => undefined)
      .catch((thrown: unknown) => thrown);
    expect((error as Error).message).to.contain('the message cannot be written');
    await relay.close();
    await server.close();
  });
});
