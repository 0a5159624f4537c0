// Octets set, cut out, doubled or cut off, as a bad wire or a bad mind does.
import fc from 'fast-check';

export interface Damage {
  readonly at: number;
  readonly to: number;
  readonly kind: 'set' | 'drop' | 'double' | 'end';
}

/** One to six damages at places that any of `places` names. */
export function damagesAt(...places: readonly fc.Arbitrary<number>[]): fc.Arbitrary<readonly Damage[]> {
  const kind = fc.constantFrom<Damage['kind'][]>('set', 'set', 'set', 'set', 'drop', 'double', 'end');
  return fc.array(fc.record({ at: fc.oneof(...places), to: fc.nat(255), kind }), { minLength: 1, maxLength: 6 });
}

export function damaged(bytes: Uint8Array, damages: readonly Damage[]): Uint8Array {
  let octets = [...bytes];
  for (const { at: anywhere, to, kind } of damages) {
    const at = anywhere % (octets.length + 1);
    if (kind === 'set') octets[Math.min(at, octets.length - 1)] = to;
    else if (kind === 'drop') octets.splice(at, to);
    else if (kind === 'double') octets.splice(at, 0, ...octets.slice(at, at + to));
    else octets = octets.slice(0, at);
  }
  return Uint8Array.from(octets);
}
