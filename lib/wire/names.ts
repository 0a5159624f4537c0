// Domain names as DNS writes them (RFC 1035 §3.1), with and without compression (§4.1.4).

const MOST_LABEL = 63;
const MOST_NAME = 255;
/** A pointer of two octets can stand for a name of 255, so the number of names is what bounds the work. */
const MOST_NAMES = 256;
const POINTER = 0xc0;
const MOST_POINTED = 0x3fff;

/** The labels of `text`, a host or domain name with or without the final dot; undefined where it is not one. */
export function parseName(text: string): readonly string[] | undefined {
  const labels = text.replace(/\.$/, '').split('.');
  if (!labels.every((label) => label.length <= MOST_LABEL && /^(?!-)[A-Za-z0-9_-]+(?<!-)$/.test(label)))
    return undefined;
  const octets = labels.reduce((sum, label) => sum + label.length + 1, 1);
  return octets <= MOST_NAME ? labels : undefined;
}

/** The names one after another; with `compress`, the end of a name that stood before is a pointer to it. */
export function encodeNames(names: readonly (readonly string[])[], compress: boolean): Uint8Array {
  const bytes: number[] = [];
  const seen = new Map<string, number>();
  for (const labels of names) {
    let pointed = false;
    for (let i = 0; i < labels.length && !pointed; i++) {
      const rest = labels.slice(i).join('.').toLowerCase();
      const before = compress ? seen.get(rest) : undefined;
      if (before !== undefined) {
        bytes.push(POINTER | (before >>> 8), before & 255);
        pointed = true;
        continue;
      }
      if (bytes.length <= MOST_POINTED) seen.set(rest, bytes.length);
      const label = labels[i]!;
      bytes.push(label.length);
      for (let at = 0; at < label.length; at++) bytes.push(label.charCodeAt(at));
    }
    if (!pointed) bytes.push(0);
  }
  return Uint8Array.from(bytes);
}

/**
 * The names that fill `bytes`, without the final dot (the root is `.`); undefined where they are not names. Pointers are followed
 * backwards only, so there is no loop; octets that are no part of host names come as `\xNN`.
 */
export function decodeNames(bytes: Uint8Array): readonly string[] | undefined {
  const names: string[] = [];
  let next = 0;
  while (next < bytes.length) {
    const read = readName(bytes, next);
    if (read === undefined || names.length === MOST_NAMES) return undefined;
    names.push(read.name);
    next = read.next;
  }
  return names;
}

/** The name at `from`, and where the octets after it begin; undefined where it is cut off, too long or points forward. */
export function readName(bytes: Uint8Array, from: number): { name: string; next: number } | undefined {
  const labels: string[] = [];
  let octets = 1;
  let at = from;
  let floor = from;
  let next: number | undefined;
  for (;;) {
    const length = bytes[at];
    if (length === undefined) return undefined;
    if (length === 0) return { name: labels.join('.') || '.', next: next ?? at + 1 };
    if ((length & POINTER) === POINTER) {
      const low = bytes[at + 1];
      if (low === undefined) return undefined;
      const target = ((length & ~POINTER) << 8) | low;
      if (target >= floor) return undefined;
      next ??= at + 2;
      at = floor = target;
      continue;
    }
    octets += length + 1;
    if (length > MOST_LABEL || octets > MOST_NAME || at + 1 + length > bytes.length) return undefined;
    labels.push(labelText(bytes.subarray(at + 1, at + 1 + length)));
    at += 1 + length;
  }
}

function labelText(label: Uint8Array): string {
  let text = '';
  for (const octet of label) {
    const letter = String.fromCharCode(octet);
    text += /[A-Za-z0-9_-]/.test(letter) ? letter : `\\x${octet.toString(16).padStart(2, '0')}`;
  }
  return text;
}
