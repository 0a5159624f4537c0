// From packets to answers: an answer leaves only after its commit, refusals are counted by reason and reported once.
import { expect } from 'chai';
import type { Store } from '../../db/store.js';
import type { Answer, Packet } from '../../lib/dhcp/packet.js';
import { decode4, encode4 } from '../../lib/wire/message4.js';
import { apply, compile } from '../../server/apply.js';
import type { Facts } from '../../server/events/events.js';
import { Events } from '../../server/events/events.js';
import { openStore } from '../../server/open.js';
import { Pipeline } from '../../server/pipeline.js';
import { Writer } from '../../server/writer.js';
import { file, m1, m2, m3 } from '../support/scenario.js';
import type { Sent } from '../support/served.js';
import { ip4, messageOf, MINUTE, START } from '../support/served.js';

describe('Pipeline', () => {
  const sent: Answer[] = [];
  const told: { level: string; event: string; facts: Facts }[] = [];
  let store: Store;
  let now = START;
  let events: Events;
  let writer: Writer;
  let pipeline: Pipeline;

  function make(logPackets: boolean): void {
    const transport = {
      open: () => Promise.resolve(),
      send: (answer: Answer) => void sent.push(answer),
      close: () => Promise.resolve(),
    };
    pipeline = new Pipeline(writer, transport, events, { ports: { server: 67, client: 68 }, logPackets });
  }

  beforeEach(async () => {
    now = START;
    sent.length = 0;
    told.length = 0;
    store = openStore({ path: ':memory:', now });
    const compiled = compile(new Map([['dhcpd.yaml', file([], { a: { pools: ['10.20.0.100'] } })]]));
    if (!compiled.ok) return expect.fail('the file has mistakes');
    const sink = {
      write: (level: string, event: string, facts: Facts) => void told.push({ level, event, facts }),
      close: () => Promise.resolve(),
    };
    events = new Events(sink, () => now);
    writer = new Writer(
      store,
      { now: () => now },
      { site: compiled.config.site, own: [ip4('10.20.0.1')] },
      () => undefined,
    );
    await apply(writer, store, compiled.config, 'test');
    make(false);
  });
  afterEach(() => {
    store.close();
  });

  function packet(message: Sent): Packet {
    const encoded = encode4(messageOf(message), 1472);
    if (!encoded.ok) return expect.fail(encoded.reason);
    const link = { name: 'eth0', addresses: [{ ip: ip4('10.20.0.1'), length: 24 }] };
    return { link, bytes: encoded.value, source: ip4('0.0.0.0'), sourcePort: 68, broadcast: true };
  }
  const receive = (message: Sent): void => {
    pipeline.receive(packet(message));
  };
  const discover = (mac: string): Sent => ({ type: 'discover', mac });

  it('sends nothing before the turn is committed, and everything then', () => {
    receive(discover(m1));
    receive({ type: 'inform', mac: m2, ciaddr: '10.20.0.50' });
    expect(sent).to.deep.equal([]);
    writer.flush();
    expect(sent.map(({ bytes }) => decode4(bytes).ok)).to.deep.equal([true, true]);
    expect(events.counters()).to.deep.equal({ informed: 1, offered: 1 });
  });

  it('counts what it does not answer by its reason', () => {
    pipeline.receive({ ...packet(discover(m1)), bytes: new Uint8Array(9) });
    receive({ type: 'offer', mac: m1 });
    receive({ type: 'release', mac: m1, ciaddr: '10.20.0.100' });
    writer.flush();
    expect(sent).to.deep.equal([]);
    expect(events.counters()).to.deep.equal({ 'not-holder': 1, 'too-short': 1, 'unknown-message': 1 });
  });

  it('C20: reports an empty pool once for the network, and again when ten minutes have passed', () => {
    for (const mac of [m1, m2, m3, m2]) receive(discover(mac));
    writer.flush();
    expect(events.counters()).to.deep.equal({ offered: 1, 'pool-empty': 3 });
    const reports = (): number => told.filter(({ event }) => event === 'pool-empty').length;
    expect(reports()).to.equal(1);
    expect(told[0]).to.deep.include({ level: 'warn', event: 'pool-empty' });
    expect(told[0]?.facts).to.include({
      network: 'a',
      sentence: 'No free address is left in the pools of the network.',
    });
    now += 10 * MINUTE - 1;
    receive(discover(m1));
    receive(discover(m2));
    writer.flush();
    expect(reports()).to.equal(1);
    now += 1;
    receive(discover(m2));
    writer.flush();
    expect(reports()).to.equal(2);
  });

  it('logs no packet, unless asked to: then one line each, with what was asked, answered and why', () => {
    receive(discover(m1));
    writer.flush();
    expect(told).to.deep.equal([]);
    make(true);
    receive(discover(m1));
    receive(discover(m2));
    writer.flush();
    const lines = told.filter(({ event }) => event === 'packet').map(({ facts }) => facts);
    expect(lines[0]).to.include({
      link: 'eth0',
      asked: 'DISCOVER',
      answered: 'OFFER',
      owner: m1,
      network: 'a',
      address: '10.20.0.100',
      reason: 'offered',
    });
    expect(lines[1]).to.include({ asked: 'DISCOVER', owner: m2, reason: 'pool-empty' });
    expect(lines).to.have.length(2);
  });

  it('once stopped it drops what comes, and still answers what it took', () => {
    receive(discover(m1));
    pipeline.stop();
    receive(discover(m2));
    writer.flush();
    expect(sent).to.have.length(1);
  });
});
