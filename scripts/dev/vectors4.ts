// Writes test/vectors/v4.json: what tshark, which knows nothing of our code, says of every DHCPv4 frame in the captures beside it.
// Run by hand where captures were added: node build/scripts/dev/vectors4.js. Tests read only what it wrote.
import type { PdmlPacket } from './pdml.js';
import { attribute, field, numberOf, writeVectors } from './pdml.js';

/** One DHCPv4 frame. `options`: code and joined length, in the order in which RFC 2131 §4.1 reads them. */
interface Row {
  /** Option 53, null for BOOTP. */
  readonly type: number | null;
  readonly xid: number | null;
  readonly options: readonly (readonly [code: number, length: number])[];
}

/** Where the options and the file field begin, from the first octet of the message. */
const optionsFrom = 240;
const fileFrom = 108;

function read(packet: PdmlPacket): Row {
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
  return { type: field(packet, 'dhcp.option.dhcp'), xid: field(packet, 'dhcp.id'), options: [...joined] };
}

// ProxyDHCP speaks on 4011; an ICMP error holds a message without being one.
writeVectors('v4.json', 'dhcp && !icmp', ['-d', 'udp.port==4011,dhcp'], read);
