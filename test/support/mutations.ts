// Damaged DHCP messages without end: real ones with octets turned, lengths bent, ends cut and pieces swapped. The same for the same number.
import { decodeFrame } from '../../lib/wire/frame.js';
import { readCapture } from '../../lib/wire/pcap.js';
import { encode4 } from '../../lib/wire/message4.js';
import { code } from '../../lib/wire/options4.js';
import { take, vector, vectors } from '../lib/wire/samples.js';
import type { Sent } from './served.js';
import { messageOf } from './served.js';

/** A source of numbers that repeats itself for the same `seed`: a Weyl sequence, mixed. */
export class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** A whole number from 0 to `sides` - 1. */
  below(sides: number): number {
    this.#state = (this.#state + 0x9e3779b9) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) % sides;
  }

  octet(): number {
    return this.below(256);
  }

  one<T>(list: readonly T[]): T {
    const found = list[this.below(list.length)];
    if (found === undefined) throw new Error('nothing to choose from');
    return found;
  }
}

/** Every DHCP payload in the captures under test/vectors, to whichever side it went. */
export function captured(): readonly Uint8Array[] {
  return vectors(/\.pcap(ng)?$/).flatMap((file) => {
    const capture = readCapture(vector(file));
    if (!capture.ok) return [];
    return capture.value.frames.flatMap(({ bytes }) => {
      const frame = decodeFrame(bytes, 'ignore');
      return frame.ok ? [frame.value.payload] : [];
    });
  });
}

/** Well-formed messages of every type as they would come from the network of `near`: these get deepest into the server. */
export function wellFormed(near: {
  readonly relay: string;
  readonly address: string;
  readonly server: string;
}): readonly Uint8Array[] {
  const mac = '02:0b:00:00:00:01';
  const { relay, address, server } = near;
  const options = new Map([
    [code.parameterRequestList, Uint8Array.of(1, 3, 6, 15, 28, 51, 58, 59)],
    [code.maxMessageSize, Uint8Array.of(5, 0xdc)],
    [code.relayAgentInformation, Uint8Array.of(1, 4, 101, 116, 104, 49, 5, 4, 10, 20, 0, 0, 19, 0)],
    [code.leaseTime, Uint8Array.of(0, 0, 14, 16)],
    [code.vendorClass, new TextEncoder().encode('PXEClient:Arch:00007:UNDI:003016')],
  ]);
  const plans: readonly Sent[] = [
    { type: 'discover', mac, requested: address },
    { type: 'request', mac, requested: address, server },
    { type: 'request', mac, requested: address },
    { type: 'request', mac, ciaddr: address },
    { type: 'decline', mac, requested: address, server },
    { type: 'release', mac, ciaddr: address, server },
    { type: 'inform', mac, ciaddr: address },
    { mac },
  ];
  return plans.flatMap((plan) =>
    [plan, { ...plan, giaddr: relay, options, clientId: '01020b00000001' }].map((sent) =>
      take(encode4(messageOf(sent), 1472)),
    ),
  );
}

const HEADER = 240;
const MOST_OCTETS = 1472;

type Damage = (bytes: Uint8Array, dice: Dice, all: readonly Uint8Array[]) => Uint8Array;

const damages: readonly Damage[] = [
  (bytes, dice) => set(bytes, dice.below(bytes.length), (octet) => octet ^ (1 << dice.below(8))),
  (bytes, dice) => set(bytes, dice.below(bytes.length), () => dice.octet()),
  (bytes, dice) => set(bytes, dice.below(bytes.length), () => dice.one([0, 1, 127, 128, 255])),
  // Where the types and lengths of options are.
  (bytes, dice) =>
    set(bytes, HEADER + dice.below(Math.max(1, bytes.length - HEADER)), () => dice.one([0, 52, 53, 82, 255])),
  // op, htype, hlen, hops.
  (bytes, dice) => set(bytes, dice.below(4), () => dice.octet()),
  // Another client.
  (bytes, dice) => set(bytes, 33, () => dice.octet()),
  (bytes, dice) => bytes.slice(0, dice.below(bytes.length + 1)),
  (bytes, dice) =>
    joined(
      bytes,
      Uint8Array.from({ length: dice.below(400) }, () => dice.octet()),
    ),
  (bytes, dice, all) => {
    const at = dice.below(bytes.length + 1);
    return joined(bytes.subarray(0, at), dice.one(all).subarray(at));
  },
  // The options twice.
  (bytes) => joined(bytes.subarray(0, bytes.length - 1), bytes.subarray(HEADER)),
  (bytes, dice) => {
    const [from, to, length] = [dice.below(bytes.length), dice.below(bytes.length), dice.below(40)];
    return bytes.slice().copyWithin(to, from, from + length);
  },
];

function set(bytes: Uint8Array, at: number, value: (octet: number) => number): Uint8Array {
  const copy = bytes.slice();
  if (at < copy.length) copy[at] = value(copy[at] ?? 0);
  return copy;
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  return Uint8Array.from([...a, ...b]).subarray(0, MOST_OCTETS);
}

/** `count` damaged messages made from `sound` ones, each with one to four kinds of damage. */
export function* mutants(sound: readonly Uint8Array[], seed: number, count: number): Generator<Uint8Array> {
  const dice = new Dice(seed);
  for (let i = 0; i < count; i++) {
    let bytes = dice.one(sound);
    for (let times = 1 + dice.below(4); times > 0 && bytes.length > 0; times--)
      bytes = dice.one(damages)(bytes, dice, sound);
    yield bytes;
  }
}
