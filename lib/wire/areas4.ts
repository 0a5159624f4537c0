// Options in the areas of a DHCPv4 message: found and joined, placed and cut (RFC 2131 §4.1, RFC 3396).
import type { Failure } from '../net/reason.js';
import { fail } from '../net/reason.js';
import { code, optionByCode } from './options4.js';

const MOST_PIECE = 255;

/** Option values as they are found, in up to three areas; pieces of one code are joined once, at the end (RFC 3396 §5). */
export class Gathered {
  private readonly options = new Map<number, Uint8Array>();
  private readonly pieces = new Map<number, Uint8Array[]>();

  /** Reads one area; a failure where an option runs past its end. */
  walk(bytes: Uint8Array, from: number, to: number, area: string): Failure | undefined {
    let next = from;
    while (next < to) {
      const found = bytes[next]!;
      // Pad and END are single octets (RFC 2132 §3.1, §3.2); an area may also end without END.
      if (found === code.end) return undefined;
      if (found === code.pad) {
        next++;
        continue;
      }
      const begin = next + 2;
      if (begin > to || begin + bytes[next + 1]! > to) {
        return fail('option-overrun', `option ${found} at octet ${next} in ${area}`);
      }
      next = begin + bytes[next + 1]!;
      this.add(found, bytes.subarray(begin, next));
    }
    return undefined;
  }

  private add(found: number, value: Uint8Array): void {
    if (value.length === 0 && !mayBeEmpty(found)) return;
    const first = this.options.get(found);
    if (first === undefined) {
      this.options.set(found, value);
      return;
    }
    const pieces = this.pieces.get(found);
    if (pieces === undefined) this.pieces.set(found, [first, value]);
    else pieces.push(value);
  }

  /** Which fields hold options too; a value that RFC 2132 §9.3 does not know means neither. */
  overload(): number {
    const value = this.options.get(code.overload);
    return value?.length === 1 && value[0]! <= 3 ? value[0]! : 0;
  }

  /** The pieces of option `found` where they are other than {@link put} would make of them joined; else undefined. */
  apart(found: number): readonly Uint8Array[] | undefined {
    const pieces = this.pieces.get(found);
    return pieces?.slice(0, -1).some(({ length }) => length < MOST_PIECE) === true ? pieces : undefined;
  }

  joined(): ReadonlyMap<number, Uint8Array> {
    for (const [found, pieces] of this.pieces) this.options.set(found, concat(pieces));
    return this.options;
  }
}

function concat(pieces: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let end = 0;
  for (const piece of pieces) {
    whole.set(piece, end);
    end += piece.length;
  }
  return whole;
}

export function mayBeEmpty(option: number): boolean {
  return optionByCode(option)?.field === 'flag';
}

/** The octets that `value` takes on the wire, with a code and a length for each 255. */
export function sizeOf(value: Uint8Array): number {
  return value.length + 2 * Math.max(1, Math.ceil(value.length / MOST_PIECE));
}

/** A stretch of the message that takes options from `next` up to `end`. */
export interface Area {
  next: number;
  readonly end: number;
}

export type Place = (bytes: Uint8Array, areas: readonly Area[], option: number, value: Uint8Array) => boolean;

/** Puts the option into the first area that takes all of it: many clients do not join pieces across areas. */
export function whole(bytes: Uint8Array, areas: readonly Area[], option: number, value: Uint8Array): boolean {
  const area = areas.find((one) => one.next + sizeOf(value) <= one.end);
  if (area === undefined) return false;
  area.next = put(bytes, area.next, option, value);
  return true;
}

/** Fills area after area to the last octet, cutting the option where one is full (RFC 3396 §6). */
export function split(bytes: Uint8Array, areas: readonly Area[], option: number, value: Uint8Array): boolean {
  let done = 0;
  for (const area of areas) {
    // Two octets of head without any value are worth it only for an option that has none.
    while (area.end - area.next >= (value.length === 0 ? 2 : 3)) {
      const piece = value.subarray(done, done + Math.min(MOST_PIECE, area.end - area.next - 2));
      area.next = put(bytes, area.next, option, piece);
      done += piece.length;
      if (done === value.length) return true;
    }
  }
  return false;
}

/** Writes the option at `from`, in as many pieces as it needs; returns where the next one goes. */
export function put(bytes: Uint8Array, from: number, option: number, value: Uint8Array): number {
  let next = from;
  let done = 0;
  do {
    const length = Math.min(MOST_PIECE, value.length - done);
    bytes[next] = option;
    bytes[next + 1] = length;
    bytes.set(value.subarray(done, done + length), next + 2);
    next += 2 + length;
    done += length;
  } while (done < value.length);
  return next;
}
