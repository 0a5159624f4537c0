// Option 82 where several relays added one each: read, remembered and written in its pieces (RFC 3046 §2.1).
import { expect } from 'chai';
import { decode4, encode4 } from '../../../lib/wire/message4.js';
import { optionsInOrder } from '../../support/octets.js';
import { raw, run, take, withOptions } from './samples.js';

/** The codes of the options field, pieces one by one. */
function codesIn(bytes: Uint8Array): readonly number[] {
  return optionsInOrder(bytes).map(([code]) => code);
}

describe('option 82 of several relays', () => {
  const pieces = (octets: readonly number[]): number[][] | undefined =>
    take(decode4(raw(octets))).relayPieces?.map((piece) => [...piece]);

  it('is joined, and remembered as it came', () => {
    const octets = [53, 1, 1, 82, 3, 1, 1, 7, 12, 1, 97, 82, 3, 1, 1, 9, 255];
    expect([...(take(decode4(raw(octets))).options.get(82) ?? [])]).to.deep.equal([1, 1, 7, 1, 1, 9]);
    expect(pieces(octets)).to.deep.equal([
      [1, 1, 7],
      [1, 1, 9],
    ]);
  });

  it('is not what is long, alone, repeated in another option, or empty', () => {
    expect(pieces([53, 1, 1, 82, 255, ...run(255), 82, 3, 1, 1, 9, 255])).to.equal(undefined);
    expect(pieces([53, 1, 1, 82, 3, 1, 1, 9, 255])).to.equal(undefined);
    expect(pieces([53, 1, 1, 12, 1, 97, 12, 1, 98, 82, 3, 1, 1, 9, 255])).to.equal(undefined);
    expect(pieces([53, 1, 1, 82, 0, 82, 3, 1, 1, 9, 255])).to.equal(undefined);
  });

  it('writes 82 of several relays as it came, and drops it whole at the octet that is too many (rows 29, 31)', () => {
    const relayPieces = [run(60), run(70, 8), run(80, 9)].map((piece) => Uint8Array.from(piece));
    const joined = relayPieces.flatMap((piece) => [...piece]);
    const message = withOptions(
      [
        [53, [2]],
        [82, joined],
      ],
      { relayPieces },
    );
    const least = 240 + 3 + (2 + 60) + (2 + 70) + (2 + 80) + 1;
    const bytes = take(encode4(message, least));
    expect(bytes).to.have.length(least);
    expect(codesIn(bytes)).to.deep.equal([53, 82, 82, 82]);
    expect(take(decode4(bytes))).to.deep.equal(message);
    expect(encode4(message, least - 1)).to.include({ ok: true, relayInfoOmitted: true });
    const without = take(encode4({ ...message, options: new Map([[53, Uint8Array.of(2)]]) }, least));
    expect(codesIn(without), 'the pieces alone are no option').to.deep.equal([53]);
  });
});
