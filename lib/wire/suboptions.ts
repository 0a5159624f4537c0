// Options inside an option: code, length, value (RFC 2132 §8.4 for option 43, RFC 3046 §2 for option 82).

/**
 * The sub-options in the value of an option 43 or 82, views into it; of a repeated one the first counts. Undefined where a length runs
 * over the end. `padded`: 0 and 255 are Pad and End, as in option 43 (RFC 2132 §8.4); option 82 has neither (RFC 3046 §2.0).
 */
export function decodeSubOptions(bytes: Uint8Array, padded: boolean): ReadonlyMap<number, Uint8Array> | undefined {
  const found = new Map<number, Uint8Array>();
  let next = 0;
  while (next < bytes.length) {
    const sub = bytes[next]!;
    if (padded && sub === 255) break;
    if (padded && sub === 0) {
      next++;
      continue;
    }
    const begin = next + 2;
    if (begin > bytes.length || begin + bytes[next + 1]! > bytes.length) return undefined;
    next = begin + bytes[next + 1]!;
    if (!found.has(sub)) found.set(sub, bytes.subarray(begin, next));
  }
  return found;
}

/** The value of an option made of `subs`, in their order; a value over 255 octets is a defect of the caller. */
export function encodeSubOptions(subs: ReadonlyMap<number, Uint8Array>): Uint8Array {
  const bytes: number[] = [];
  for (const [sub, value] of subs) {
    if (value.length > 255) throw new Error(`sub-option ${sub} of ${value.length} octets`);
    bytes.push(sub, value.length, ...value);
  }
  return Uint8Array.from(bytes);
}
