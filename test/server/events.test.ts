// Events for the operator: once for the same thing, so many a minute, and nothing that a client wrote can forge a line.
import { expect } from 'chai';
import { fileURLToPath } from 'node:url';
import type { Facts } from '../../server/events/events.js';
import { Events } from '../../server/events/events.js';
import { escapeText } from '../../server/events/log.js';
import { run } from '../support/folder.js';
import { ip4, MINUTE, START } from '../support/served.js';

describe('Events', () => {
  const told: { level: string; event: string; facts: Facts }[] = [];
  let now = START;
  let events: Events;
  beforeEach(() => {
    now = START;
    told.length = 0;
    const write = (level: string, event: string, facts: Facts): void => void told.push({ level, event, facts });
    events = new Events({ write, close: () => Promise.resolve() }, () => now);
  });

  it('counts by reason', () => {
    events.count('offered');
    events.count('granted');
    events.count('offered');
    expect(events.counters()).to.deep.equal({ granted: 1, offered: 2 });
    expect(told).to.deep.equal([]);
  });

  it('says a thing once in ten minutes', () => {
    const say = (): void => {
      events.once('pool-empty a', 'pool-empty', { network: 'a' });
    };
    say();
    now += 10 * MINUTE - 1;
    say();
    expect(told).to.have.length(1);
    now += 1;
    say();
    expect(told).to.have.length(2);
    events.once('pool-empty b', 'pool-empty', { network: 'b' });
    expect(told).to.have.length(3);
  });

  it('says sixty things a minute at most, whatever their names', () => {
    const flood = (from: number): void => {
      for (let i = from; i < from + 1000; i++) events.once(`key ${i}`, 'address-taken', {});
    };
    flood(0);
    expect(told).to.have.length(60);
    now += MINUTE;
    flood(1000);
    expect(told).to.have.length(120);
  });

  it('what was not said for want of room is said later', () => {
    for (let i = 0; i < 61; i++) events.once(`key ${i}`, 'address-taken', {});
    now += MINUTE;
    events.once('key 60', 'address-taken', {});
    expect(told).to.have.length(61);
  });

  it('remembers a bounded number of names, and goes on saying', () => {
    for (let i = 0; i < 20_000; i++) {
      if (i % 60 === 0) now += MINUTE;
      events.once(`key ${i}`, 'address-taken', {});
    }
    expect(told).to.have.length(20_000);
  });

  it('writes addresses as text', () => {
    events.once('key', 'address-taken', { address: ip4('10.20.0.7'), owner: 'x' });
    expect(told[0]?.facts).to.deep.equal({ address: '10.20.0.7', owner: 'x' });
  });

  it('a failed send is counted by its errno and said once', () => {
    events.sendFailed('ENETUNREACH');
    events.sendFailed('ENETUNREACH');
    expect(events.counters()).to.deep.equal({ 'send:ENETUNREACH': 2 });
    expect(told.map(({ event, facts }) => [event, facts.code])).to.deep.equal([['send-failed', 'ENETUNREACH']]);
  });
});

describe('the log', () => {
  const rows = [
    ['plain text 10.20.0.7', 'plain text 10.20.0.7'],
    ['two\nlines\r', 'two\\x0alines\\x0d'],
    ['\u001b[31mred\u0007\u0000', '\\x1b[31mred\\x07\\x00'],
    ['Ünïcode', '\\xdcn\\xefcode'],
    ['→ \u202e', '\\u2192 \\u202e'],
    ['\u{1f600}', '\\ud83d\\ude00'],
    ['\u007f\u0085', '\\x7f\\x85'],
  ] as const;
  for (const [text, shown] of rows)
    it(`shows ${JSON.stringify(text)} as ${shown}`, () => {
      expect(escapeText(text)).to.equal(shown);
    });

  /** What a process of its own writes on standard error for one event. */
  async function written(format: 'text' | 'json', facts: Facts): Promise<string> {
    const module = fileURLToPath(new URL('../../server/events/log.js', import.meta.url));
    const script = `const { logTo } = await import(${JSON.stringify(module)});
      const sink = logTo(${JSON.stringify(format)}, () => ${START});
      sink.write('warn', 'address-taken', ${JSON.stringify(facts)});
      await sink.close();`;
    const { code, out, err } = await run(process.execPath, ['--input-type=module', '-e', script], '.');
    expect({ code, out }, err).to.deep.equal({ code: 0, out: '' });
    return err;
  }
  const facts = { owner: 'x" level=error', detail: 'a\nb', list: ['a', 'b'], sentence: 'Why\nit is.' };

  it('as text is one line an event, whatever a client sent', async () => {
    expect(await written('text', facts)).to.equal(
      `2026-01-01T00:00:00.000Z warn address-taken owner="x\\" level=error" detail=a\\x0ab list=a,b (Why\\x0ait is.)\n`,
    );
  });

  it('as JSON is one object an event', async () => {
    const line = await written('json', facts);
    expect(line.match(/\n/g)).to.have.length(1);
    expect(JSON.parse(line)).to.deep.include({
      level: 'warn',
      at: '2026-01-01T00:00:00.000Z',
      event: 'address-taken',
      ...facts,
    });
  });
});
