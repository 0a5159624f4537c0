// Writes test/vectors/v4.json: what tshark, which knows nothing of our code, says of every DHCPv4 frame in the captures beside it.
// Run by hand where captures were added: node build/scripts/dev/vectors4.js. Tests read only what it wrote.
import { spawnSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';

/** One DHCPv4 frame. `options`: code and joined length, in the order in which RFC 2131 §4.1 reads them. */
interface Row {
  readonly file: string;
  /** Counted from 1. */
  readonly frame: number;
  /** tshark calls it malformed, or the capture did not keep all of it. */
  readonly broken: boolean;
  /** Option 53, null for BOOTP. */
  readonly type: number | null;
  readonly xid: number | null;
  readonly options: readonly (readonly [code: number, length: number])[];
}

const folder = 'test/vectors';
/** Where the options and the file field begin, from the first octet of the message. */
const optionsFrom = 240;
const fileFrom = 108;

function attribute(line: string, name: string): string | undefined {
  return new RegExp(` ${name}="([^"]*)"`).exec(line)?.[1];
}

function numberOf(line: string, name: string): number {
  return Number(attribute(line, name));
}

/** The first field called `name` in a packet's PDML, as a number. */
function field(packet: readonly string[], name: string): number | null {
  const line = packet.find((one) => attribute(one, 'name') === name);
  return line === undefined ? null : numberOf(line, 'show');
}

function read(file: string, packet: readonly string[]): Row {
  const message = packet.find((line) => line.includes('<proto name="dhcp"'));
  const start = message === undefined ? 0 : numberOf(message, 'pos');
  const pieces: { area: number; at: number; code: number; length: number }[] = [];
  packet.forEach((line, i) => {
    const next = packet[i + 1];
    if (attribute(line, 'name') !== 'dhcp.option.type' || next === undefined) return;
    // Pad and END have no length.
    if (attribute(next, 'name') !== 'dhcp.option.length') return;
    const at = numberOf(line, 'pos') - start;
    const area = at >= optionsFrom ? 0 : at >= fileFrom ? 1 : 2;
    pieces.push({ area, at, code: numberOf(line, 'show'), length: numberOf(next, 'show') });
  });
  pieces.sort((a, b) => a.area - b.area || a.at - b.at);
  const joined = new Map<number, number>();
  for (const { code, length } of pieces) joined.set(code, (joined.get(code) ?? 0) + length);
  const kept = field(packet, 'frame.cap_len') === field(packet, 'frame.len');
  return {
    file,
    frame: field(packet, 'frame.number') ?? 0,
    broken: !kept || packet.some((line) => attribute(line, 'name') === '_ws.malformed'),
    type: field(packet, 'dhcp.option.dhcp'),
    xid: field(packet, 'dhcp.id'),
    options: [...joined],
  };
}

function rows(file: string): Row[] {
  const path = `${folder}/${file}`;
  // ProxyDHCP speaks on 4011; an ICMP error holds a message without being one.
  const args = ['-r', path, '-d', 'udp.port==4011,dhcp', '-Y', 'dhcp && !icmp', '-T', 'pdml'];
  const ran = spawnSync('tshark', args, { encoding: 'utf8', maxBuffer: 1 << 30 });
  if (ran.status !== 0) throw new Error(`tshark on ${path}: ${ran.stderr}`);
  const packets = ran.stdout.split('<packet>').slice(1);
  return packets.map((packet) => read(file, packet.split('\n')));
}

const captures = readdirSync(folder, { encoding: 'utf8', recursive: true })
  .filter((file) => /\.pcap(ng)?$/.test(file))
  .sort();
const lines = captures.flatMap(rows).map((row) => JSON.stringify(row));
writeFileSync(`${folder}/v4.json`, `[\n${lines.join(',\n')}\n]\n`);
console.log(`${lines.length} frames of ${captures.length} captures`);
