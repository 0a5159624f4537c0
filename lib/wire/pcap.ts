// Capture files: pcap and pcapng read, pcap written (draft-ietf-opsawg-pcap, draft-ietf-opsawg-pcapng).
import type { Result } from '../net/reason.js';
import { fail, ok } from '../net/reason.js';

/** One frame as it was captured. */
export interface CapturedFrame {
  /** Microseconds since 1970, a whole number (exact in a double until the year 2255); finer time is cut off. */
  readonly at: number;
  /** LINKTYPE, 1 is Ethernet. */
  readonly linkType: number;
  /** A view into the file; shorter than the frame was where the capture says so. */
  readonly bytes: Uint8Array;
}

export interface Capture {
  readonly frames: readonly CapturedFrame[];
  /** The file ends within a record; the frames before it are there. */
  readonly cut: boolean;
}

export const LINKTYPE_ETHERNET = 1;

const PCAP_MICROSECONDS = 0xa1b2c3d4;
const PCAP_NANOSECONDS = 0xa1b23c4d;
const SNAPLEN = 262144;
const pcapHeader = { magic: 0, major: 4, minor: 6, snaplen: 16, linkType: 20, length: 24 } as const;
const pcapRecord = { seconds: 0, fraction: 4, captured: 8, original: 12, length: 16 } as const;

const SECTION = 0x0a0d0d0a;
const INTERFACE = 1;
const SIMPLE_PACKET = 3;
const ENHANCED_PACKET = 6;
const BYTE_ORDER = 0x1a2b3c4d;
/** Type and length before a block's body, and the length again after it. */
const blockHead = 8;
const blockLeast = 12;

/**
 * Reads a capture of either format and either byte order; never throws, and works in time linear in the length of the file. `cut` where it
 * ends within a record. Reason: `bad-capture` where it is neither format or a record is impossible.
 */
export function readCapture(bytes: Uint8Array): Result<Capture> {
  if (bytes.length < 4) return fail('bad-capture', `${bytes.length} octets`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.getUint32(0) === SECTION) return readPcapng(bytes, view);
  for (const little of [true, false]) {
    const magic = view.getUint32(pcapHeader.magic, little);
    if (magic === PCAP_MICROSECONDS) return readPcap(bytes, view, little, 1);
    if (magic === PCAP_NANOSECONDS) return readPcap(bytes, view, little, 1000);
  }
  return fail('bad-capture', 'neither magic number');
}

/** `fine`: how many units of the fraction make a microsecond. */
function readPcap(bytes: Uint8Array, view: DataView, little: boolean, fine: number): Result<Capture> {
  if (bytes.length < pcapHeader.length) return fail('bad-capture', 'ends within the pcap header');
  // The upper bits of the field say how long a frame check sequence is.
  const linkType = view.getUint32(pcapHeader.linkType, little) & 0xffff;
  const frames: CapturedFrame[] = [];
  let next: number = pcapHeader.length;
  while (next + pcapRecord.length <= bytes.length) {
    const from = next + pcapRecord.length;
    const to = from + view.getUint32(next + pcapRecord.captured, little);
    if (to > bytes.length) return ok({ frames, cut: true });
    const seconds = view.getUint32(next + pcapRecord.seconds, little);
    const fraction = view.getUint32(next + pcapRecord.fraction, little);
    frames.push({ at: seconds * 1e6 + Math.floor(fraction / fine), linkType, bytes: bytes.subarray(from, to) });
    next = to;
  }
  return ok({ frames, cut: next < bytes.length });
}

interface Source {
  readonly linkType: number;
  /** The longest capture of one frame, 0 for any. */
  readonly snaplen: number;
  /** The unit of its times, in microseconds. */
  readonly toMicroseconds: (high: number, low: number) => number;
}

function readPcapng(bytes: Uint8Array, view: DataView): Result<Capture> {
  const frames: CapturedFrame[] = [];
  let sources: Source[] = [];
  let little = true;
  let next = 0;
  while (next + blockLeast <= bytes.length) {
    // A section's type reads the same in both orders, and its magic number says the order of its lengths too.
    const isSection = view.getUint32(next) === SECTION;
    if (isSection) {
      const order = byteOrder(view, next + blockHead);
      if (order === undefined) return fail('bad-capture', `no byte-order magic at octet ${next}`);
      little = order;
      sources = [];
    }
    const type = view.getUint32(next, little);
    const length = view.getUint32(next + 4, little);
    if (length < blockLeast || length % 4 !== 0)
      return fail('bad-capture', `a block of ${length} octets at octet ${next}`);
    if (next + length > bytes.length) return ok({ frames, cut: true });
    const body = { from: next + blockHead, to: next + length - 4 };
    if (type === INTERFACE && !isSection) sources.push(readInterface(view, body, little));
    if (type === ENHANCED_PACKET || type === SIMPLE_PACKET) {
      const frame =
        type === SIMPLE_PACKET
          ? simple(bytes, view, body, little, sources)
          : enhanced(bytes, view, body, little, sources);
      if (frame === undefined)
        return fail('bad-capture', `a packet block at octet ${next} that does not hold what it says`);
      frames.push(frame);
    }
    next += length;
  }
  return ok({ frames, cut: next < bytes.length });
}

interface Body {
  readonly from: number;
  readonly to: number;
}

function byteOrder(view: DataView, at: number): boolean | undefined {
  if (view.getUint32(at, true) === BYTE_ORDER) return true;
  return view.getUint32(at, false) === BYTE_ORDER ? false : undefined;
}

/** An interface description: link type, two octets reserved, snaplen, options of which only if_tsresol matters here. */
function readInterface(view: DataView, body: Body, little: boolean): Source {
  if (body.to - body.from < 8) return { linkType: 0, snaplen: 0, toMicroseconds: clock(6) };
  let resolution = 6;
  let next = body.from + 8;
  while (next + 4 <= body.to) {
    const option = view.getUint16(next, little);
    const length = view.getUint16(next + 2, little);
    if (option === 0) break;
    if (option === 9 && length === 1 && next + 4 < body.to) resolution = view.getUint8(next + 4);
    next += 4 + Math.ceil(length / 4) * 4;
  }
  return {
    linkType: view.getUint16(body.from, little),
    snaplen: view.getUint32(body.from + 4, little),
    toMicroseconds: clock(resolution),
  };
}

/** if_tsresol: units a second, a power of ten, or of two where the high bit is set. */
function clock(resolution: number): Source['toMicroseconds'] {
  const exponent = BigInt(resolution & 0x7f);
  const unitsPerSecond = (resolution & 0x80 ? 2n : 10n) ** exponent;
  return (high, low) => Number((((BigInt(high) << 32n) | BigInt(low)) * 1_000_000n) / unitsPerSecond);
}

/** Source number, time in two halves, captured and original length, the frame padded to four octets, options. */
function enhanced(
  bytes: Uint8Array,
  view: DataView,
  body: Body,
  little: boolean,
  sources: readonly Source[],
): CapturedFrame | undefined {
  const from = body.from + 20;
  if (from > body.to) return undefined;
  const source = sources[view.getUint32(body.from, little)];
  const to = from + view.getUint32(body.from + 12, little);
  if (source === undefined || to > body.to) return undefined;
  const at = source.toMicroseconds(view.getUint32(body.from + 4, little), view.getUint32(body.from + 8, little));
  return { at, linkType: source.linkType, bytes: bytes.subarray(from, to) };
}

/** Original length and the frame, cut at the snaplen of the first interface; there is no time. */
function simple(
  bytes: Uint8Array,
  view: DataView,
  body: Body,
  little: boolean,
  sources: readonly Source[],
): CapturedFrame | undefined {
  const source = sources[0];
  const from = body.from + 4;
  if (source === undefined || from > body.to) return undefined;
  const original = view.getUint32(body.from, little);
  const to = from + (source.snaplen === 0 ? original : Math.min(original, source.snaplen));
  return to > body.to ? undefined : { at: 0, linkType: source.linkType, bytes: bytes.subarray(from, to) };
}

/** A pcap file of `frames`, microseconds, least significant octet first; they share the link type of the first, Ethernet where there is none. */
export function writePcap(frames: readonly CapturedFrame[]): Uint8Array {
  const linkType = frames[0]?.linkType ?? LINKTYPE_ETHERNET;
  const length = frames.reduce<number>((sum, one) => sum + pcapRecord.length + one.bytes.length, pcapHeader.length);
  const bytes = new Uint8Array(length);
  const view = new DataView(bytes.buffer);
  view.setUint32(pcapHeader.magic, PCAP_MICROSECONDS, true);
  view.setUint16(pcapHeader.major, 2, true);
  view.setUint16(pcapHeader.minor, 4, true);
  view.setUint32(pcapHeader.snaplen, SNAPLEN, true);
  view.setUint32(pcapHeader.linkType, linkType, true);
  let next: number = pcapHeader.length;
  for (const frame of frames) {
    if (frame.linkType !== linkType) throw new Error(`link types ${linkType} and ${frame.linkType} in one pcap`);
    view.setUint32(next + pcapRecord.seconds, Math.floor(frame.at / 1e6), true);
    view.setUint32(next + pcapRecord.fraction, frame.at % 1e6, true);
    view.setUint32(next + pcapRecord.captured, frame.bytes.length, true);
    view.setUint32(next + pcapRecord.original, frame.bytes.length, true);
    bytes.set(frame.bytes, next + pcapRecord.length);
    next += pcapRecord.length + frame.bytes.length;
  }
  return bytes;
}
