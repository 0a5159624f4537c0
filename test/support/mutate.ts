// Packets that nobody should send: real ones, damaged. Deterministic: the same seed makes the same packets.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { decodeFrame } from '../../lib/wire/frame.js';
import { readCapture } from '../../lib/wire/pcap.js';

const folder = new URL('../../../test/vectors/', import.meta.url).pathname;

/** The UDP payloads of all DHCPv4 packets to a server in the captures that the tests carry. */
export function realPackets(): readonly Uint8Array[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => /\.pcap(ng)?$/.test(file));
  const payloads: Uint8Array[] = [];
  for (const file of files.sort()) {
    const capture = readCapture(readFileSync(join(folder, file)));
    for (const frame of capture.ok ? capture.value.frames : []) {
      const decoded = decodeFrame(frame.bytes, 'ignore');
      if (decoded.ok && decoded.value.destinationPort === 67) payloads.push(decoded.value.payload);
    }
  }
  return payloads;
}

/** Marsaglia's xorshift32: whole numbers from 0 to `below - 1`. */
export function chance(seed: number): (below: number) => number {
  let state = seed | 1;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

/** A copy of `packet` with a few octets changed, cut out, doubled, or the end lost. */
export function mutate(packet: Uint8Array, pick: (below: number) => number): Uint8Array {
  let bytes = Uint8Array.from(packet);
  for (let changes = 1 + pick(6); changes > 0; changes--) {
    const at = pick(bytes.length || 1);
    switch (pick(24)) {
      case 0:
        bytes = bytes.slice(0, at);
        break;
      case 1:
        bytes = Uint8Array.from([...bytes.subarray(0, at), ...bytes.subarray(Math.max(0, at - pick(64)))]);
        break;
      case 2:
        bytes[at] = 255;
        break;
      case 3:
        bytes[at] = pick(256);
        break;
      default:
        // Most is decided by what stands after the cookie; a typed array drops what lies beyond its end.
        bytes[240 + pick(60)] = pick(256);
    }
  }
  return bytes;
}
