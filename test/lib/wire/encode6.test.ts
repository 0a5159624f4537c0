// How DHCPv6 messages are written: what was read is written again, relays with the lengths of what they hold, and what does not fit.
import { expect } from 'chai';
import fc from 'fast-check';
import { decode6, encode6, HOP_COUNT_LIMIT } from '../../../lib/wire/message6.js';
import type { Message6 } from '../../../lib/wire/message6.js';
import { take } from './samples.js';
import { clientId, hex, messages6, option, options6, relayed, relayHead, solicit } from './samples6.js';

describe('encode6', () => {
  it('writes type, transaction and options in their order', () => {
    expect(Buffer.from(take(encode6(solicit))).toString('hex')).to.equal(
      Buffer.from(
        hex('01 0a0b0c' + option(1, clientId) + option(8, '0000') + option(3, '000000010000000000000000')),
      ).toString('hex'),
    );
  });

  it('writes a Relay-reply through two relays, each length that of what it holds (F35, row 59)', () => {
    const reply = { ...solicit, type: 7, options: options6([1, clientId]) };
    const inner = relayed(reply, { type: 13, hopCount: 0, options: options6([18, '65746830']) });
    const outer = relayed(inner, { type: 13, hopCount: 1, options: options6([18, '0102030405']) });
    const first = '07 0a0b0c' + option(1, clientId);
    const second = relayHead(13, 0) + option(18, '65746830') + option(9, first);
    const third = relayHead(13, 1) + option(18, '0102030405') + option(9, second);
    expect(take(encode6(outer))).to.deep.equal(hex(third));
    expect(take(decode6(hex(third)))).to.deep.equal(outer);
  });

  it('writes one Relay Message option a level, whatever the options of the relay say', () => {
    const stray = relayed(solicit, { options: options6([9, '0102'], [18, '01']) });
    expect(take(decode6(take(encode6(stray))))).to.deep.equal(relayed(solicit, { options: options6([18, '01']) }));
  });

  it('writes as many relays as decode6 reads, and not one more', () => {
    let message: Message6 = solicit;
    for (let i = 0; i < HOP_COUNT_LIMIT; i++) message = relayed(message);
    expect(take(decode6(take(encode6(message))))).to.deep.equal(message);
    expect(encode6(relayed(message))).to.include({ ok: false, reason: 'too-many-hops' });
  });

  it('refuses what no length or datagram can hold', () => {
    const filled = (length: number): Message6 => ({
      ...solicit,
      options: [{ code: 17, value: new Uint8Array(length) }],
    });
    expect(take(encode6(filled(65519)))).to.have.length(65527);
    expect(encode6(filled(65520))).to.include({ ok: false, reason: 'too-large' });
    expect(encode6(filled(65536))).to.include({ ok: false, reason: 'too-large' });
    expect(encode6(relayed(filled(65481)))).to.include({ ok: true });
    expect(encode6(relayed(filled(65482)))).to.include({ ok: false, reason: 'too-large' });
  });

  it('is what decode6 reads, in any number of relays', () => {
    fc.assert(
      fc.property(messages6, (message) => {
        expect(decode6(take(encode6(message)))).to.deep.equal({ ok: true, value: message, dropped: [] });
      }),
      { numRuns: 500 },
    );
  });
});
