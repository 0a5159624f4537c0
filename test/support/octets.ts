// Options as octets: for tests that look at a reply as a client does, and for option 82.
import { expect } from 'chai';
import type { Got } from './served.js';

/** Where the options begin, and what closes them (RFC 2131 §2, RFC 2132 §3). */
const OPTIONS = 240;
const [PAD, END] = [0, 255];

/** The reply's octets. */
export function octetsOf(got: Got): Uint8Array {
  return got.verdict.answer?.bytes ?? expect.fail(`no answer: ${got.reason}`);
}

/** Every option of the options field in the order on the wire, a repeated one as often as it stands there. */
export function optionsInOrder(bytes: Uint8Array): readonly (readonly [code: number, value: readonly number[]])[] {
  const found: [number, number[]][] = [];
  let at = OPTIONS;
  while (bytes[at] !== END) {
    const code = bytes[at] ?? expect.fail('the options have no END');
    if (code === PAD) {
      at++;
      continue;
    }
    const length = bytes[at + 1] ?? expect.fail('an option without a length');
    found.push([code, [...bytes.subarray(at + 2, at + 2 + length)]]);
    at += 2 + length;
  }
  return found;
}

/** The codes alone. */
export function codesOf(got: Got): readonly number[] {
  return optionsInOrder(octetsOf(got)).map(([code]) => code);
}

/** What stands after the first END, up to the end of the message. */
export function afterEnd(bytes: Uint8Array): Uint8Array {
  const used = optionsInOrder(bytes).reduce((sum, [, value]) => sum + 2 + value.length, OPTIONS);
  return bytes.subarray(used + 1);
}

/** The value of option 82 with these sub-options. */
export function relayInformation(...subs: readonly (readonly [sub: number, value: readonly number[]])[]): Uint8Array {
  return Uint8Array.from(subs.flatMap(([sub, value]) => [sub, value.length, ...value]));
}

/** One option for a message. */
export function option(code: number, ...value: readonly number[]): ReadonlyMap<number, Uint8Array> {
  return new Map([[code, Uint8Array.from(value)]]);
}
