// What tshark, which knows nothing of our code, says of the captures under test/vectors: its packets as PDML, line by line.
import { spawnSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';

const folder = 'test/vectors';

/** One packet: the lines of its PDML, each of which is a `proto` or a `field`, or ends one. */
export type PdmlPacket = readonly string[];

export function attribute(line: string, name: string): string | undefined {
  return new RegExp(` ${name}="([^"]*)"`).exec(line)?.[1];
}

export function numberOf(line: string, name: string): number {
  return Number(attribute(line, name));
}

/** The first field called `name` in a packet, as a number. */
export function field(packet: PdmlPacket, name: string): number | null {
  const line = packet.find((one) => attribute(one, 'name') === name);
  return line === undefined ? null : numberOf(line, 'show');
}

/** What every row says: where the frame is, and whether tshark calls it malformed or the capture did not keep all of it. */
export interface FrameRow {
  readonly file: string;
  /** Counted from 1. */
  readonly frame: number;
  readonly broken: boolean;
}

function frameRow(file: string, packet: PdmlPacket): FrameRow {
  const kept = field(packet, 'frame.cap_len') === field(packet, 'frame.len');
  return {
    file,
    frame: field(packet, 'frame.number') ?? 0,
    broken: !kept || packet.some((line) => attribute(line, 'name') === '_ws.malformed'),
  };
}

/**
 * Writes test/vectors/`name`: a line for each packet that `filter` lets pass, in every capture there, with what `read` makes of it.
 * `more`: further arguments of tshark.
 */
export function writeVectors(
  name: string,
  filter: string,
  more: readonly string[],
  read: (packet: PdmlPacket) => object,
): void {
  const captures = readdirSync(folder, { encoding: 'utf8', recursive: true })
    .filter((file) => /\.pcap(ng)?$/.test(file))
    .sort();
  const lines = captures.flatMap((file) => {
    const path = `${folder}/${file}`;
    const args = ['-r', path, ...more, '-Y', filter, '-T', 'pdml'];
    const ran = spawnSync('tshark', args, { encoding: 'utf8', maxBuffer: 1 << 30 });
    if (ran.status !== 0) throw new Error(`tshark on ${path}: ${ran.stderr}`);
    const packets = ran.stdout.split('<packet>').slice(1);
    return packets.map((packet) => {
      const pdml = packet.split('\n');
      return JSON.stringify({ ...frameRow(file, pdml), ...read(pdml) });
    });
  });
  writeFileSync(`${folder}/${name}`, `[\n${lines.join(',\n')}\n]\n`);
  console.log(`${lines.length} frames of ${captures.length} captures`);
}
