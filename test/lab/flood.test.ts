// Whatever octets come in by real sockets, the daemon stands, answers who asks well, and fails at no decision.
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { fromHex, toHex } from '../../lib/net/ids.js';
import { formatIp } from '../../lib/net/ip.js';
import type { Message4 } from '../../lib/wire/message4.js';
import { decode4, encode4 } from '../../lib/wire/message4.js';
import { code, messageType } from '../../lib/wire/options4.js';
import { take } from '../lib/wire/samples.js';
import { chance, mutate, realPackets } from '../support/mutate.js';
import { messageOf } from '../support/served.js';
import { wellFormed } from '../support/well-formed.js';
import { Udhcpc } from './clients/udhcpc.js';
import { Daemon, eventIn } from './daemon.js';
import type { Lab } from './lab.js';
import { withLab } from './lab.js';
import type { Program } from './program.js';
import { manyClients, RELAY, relayed, SERVER } from './storm.js';

const datagrams = fileURLToPath(new URL('programs/datagrams.js', import.meta.url));
const PACKETS = 20_000;
/** The kernel keeps far more than so many for the daemon; between them one asks whether it still answers. */
const BATCH = 200;
const DECLARED = '02:00:00:00:00:01';
const everyCode = Array.from({ length: 256 }, (_, octet) => octet);

/** Option 55 as no client in its senses sends it. */
const oddLists: Record<string, readonly number[]> = {
  'all 256 codes': everyCode,
  'all of them backwards': [...everyCode].reverse(),
  'one code 255 times': Array.from({ length: 255 }, () => 3),
  'duplicates of what is there': [1, 3, 6, 1, 3, 6, 6, 6, 1],
  'the codes that only the server may write': [51, 53, 54, 58, 59, 61, 82, 52, 255, 0],
  'codes that nobody has named': [224, 225, 254, 200],
  nothing: [],
};

/** A relay that says what it is told; the daemon behind it. */
class Talk {
  readonly #program: Program;
  #xid = 0x7a000000;

  constructor(program: Program) {
    this.#program = program;
  }

  send(bytes: Uint8Array, way: 'unicast' | 'broadcast' = 'unicast'): void {
    this.#program.tell(`${way} ${toHex(bytes)}`);
  }

  /** Sends a DISCOVER of the declared machine through the relay, with `options`, until its OFFER comes. */
  async discover(options: ReadonlyMap<number, Uint8Array> = new Map()): Promise<Message4> {
    const xid = this.#xid++;
    const message = { ...messageOf({ type: 'discover', mac: DECLARED, giaddr: RELAY, options }), xid };
    const bytes = withEmpty(message, options);
    const from = this.#program.lines.length;
    this.send(bytes);
    // A client asks again: a kernel may drop what comes too fast for it.
    const again = setInterval(() => {
      this.send(bytes);
    }, 1000);
    const offer = this.#program.line((line) => {
      const octets = fromHex(line);
      const reply = octets === undefined ? undefined : decode4(octets);
      if (reply?.ok !== true || reply.value.xid !== xid) return undefined;
      return reply.value.options.get(code.messageType)?.[0] === messageType.offer ? reply.value : undefined;
    }, from);
    return offer.finally(() => {
      clearInterval(again);
    });
  }
}

/** `message` as octets; an empty option, which our own encoder leaves out, is written before END. */
function withEmpty(message: Message4, options: ReadonlyMap<number, Uint8Array>): Uint8Array {
  const bytes = take(encode4(message, 1472));
  const empty = [...options].filter(([, value]) => value.length === 0).flatMap(([option]) => [option, 0]);
  return Uint8Array.from([...bytes.subarray(0, 240), ...empty, ...bytes.subarray(240)]);
}

async function withTalk(work: (talk: Talk, daemon: Daemon, lab: Lab) => Promise<void>): Promise<void> {
  await withLab(async (lab) => {
    const { server, relay } = relayed(lab);
    const daemon = new Daemon(lab, server);
    daemon.write(manyClients);
    await daemon.start({ packets: false });
    const talk = new Talk(lab.start(relay, process.execPath, [datagrams, SERVER, RELAY]));
    await work(talk, daemon, lab);
  });
}

describe('a daemon that is sent anything', function () {
  this.timeout(60_000);

  it(`stands ${PACKETS} damaged messages, and serves afterwards`, () =>
    withTalk(async (talk, daemon, lab) => {
      await talk.discover();
      const near = wellFormed({ relay: RELAY, address: '10.20.1.7', server: SERVER });
      const real = realPackets();
      const pick = chance(20_001);
      for (let sent = 1; sent <= PACKETS; sent++) {
        // As many of ours, which get deep into the server, as of those that others sent.
        const sound = sent % 2 === 0 ? near : real;
        talk.send(mutate(sound[pick(sound.length)]!, pick), pick(2) === 0 ? 'unicast' : 'broadcast');
        if (sent % BATCH === 0) expect(formatIp((await talk.discover()).yiaddr)).to.equal('10.20.0.11');
      }
      const client = new Udhcpc(lab, 'rack1', DECLARED);
      expect(await client.bind()).to.include({ address: '10.20.0.11', mask: '255.255.248.0' });

      expect(await daemon.stop()).to.deep.equal({ code: 0, signal: null });
      const { lines } = daemon.program;
      const events = lines.map(eventIn);
      expect(
        lines.filter((_, i) => events[i] === undefined),
        'lines that are no events',
      ).to.deep.equal([]);
      const stopped = events.find((event) => event?.event === 'stopped') ?? expect.fail('it did not say what it did');
      const counters = Object.entries(stopped).filter((fact): fact is [string, number] => typeof fact[1] === 'number');
      const counted = counters.filter(([name]) => !name.startsWith('send:')).reduce((sum, [, times]) => sum + times, 0);
      expect(counted, 'packets that it looked at').to.be.at.least(PACKETS);
      expect(Object.keys(stopped)).to.include.members([
        'too-short',
        'option-overrun',
        'wrong-network',
        'offered',
        'informed',
        'not-holder',
      ]);
      expect(stopped).to.not.have.any.keys('decision-failed', 'store-failed');
    }));

  it('keeps nobody waiting because of clients that do not hear its answers', () =>
    withTalk(async (talk) => {
      await talk.discover();
      // For three seconds the kernel looks for each of these, and keeps what is for them.
      for (let i = 0; i < 2000; i++) {
        talk.send(
          take(encode4(messageOf({ type: 'inform', mac: '02:0b:00:00:00:01', ciaddr: `10.20.1.${i % 10}` }), 1472)),
        );
      }
      const began = Date.now();
      await talk.discover();
      expect(Date.now() - began, 'ms until the answer').to.be.below(2000);
    }));

  it('offers to a DISCOVER with an odd parameter list', () =>
    withTalk(async (talk) => {
      for (const [name, list] of Object.entries(oddLists)) {
        const { yiaddr, options } = await talk.discover(new Map([[code.parameterRequestList, Uint8Array.from(list)]]));
        expect(formatIp(yiaddr), name).to.equal('10.20.0.11');
        expect(options.get(code.subnetMask), name).to.deep.equal(Uint8Array.of(255, 255, 248, 0));
        // Without a list a client gets whatever there is.
        const router = list.length === 0 || list.includes(code.routers) ? Uint8Array.of(10, 20, 0, 1) : undefined;
        expect(options.get(code.routers), name).to.deep.equal(router);
      }
    }));
});
