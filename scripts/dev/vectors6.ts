// Writes test/vectors/v6.json: what tshark, which knows nothing of our code, says of every DHCPv6 frame in the captures beside it.
// Run by hand where captures were added: node build/scripts/dev/vectors6.js. Tests read only what it wrote.
import type { PdmlPacket } from './pdml.js';
import { attribute, numberOf, writeVectors } from './pdml.js';

/** An option, and the options inside it where tshark looks into it. */
type OptionRow = readonly [code: number, length: number, inside?: readonly OptionRow[]];

/** A message: `xid` of one between client and server; hop count and addresses of a relay's. */
interface LevelRow {
  readonly type: number;
  readonly xid?: number;
  readonly hops?: number;
  readonly link?: string;
  readonly peer?: string;
  readonly options: readonly OptionRow[];
}

/** A `proto` or `field` of PDML with those in it. */
interface Node {
  readonly line: string;
  readonly inside: Node[];
}

/** The nodes of a packet, by their nesting. */
function tree(packet: PdmlPacket): Node {
  const root: Node = { line: '', inside: [] };
  const open = [root];
  for (const line of packet) {
    if (/^\s*<\/(proto|field)>/.test(line)) open.pop();
    if (!/^\s*<(proto|field) /.test(line)) continue;
    const node: Node = { line, inside: [] };
    open.at(-1)?.inside.push(node);
    if (!line.endsWith('/>')) open.push(node);
  }
  return root;
}

function nameOf(node: Node): string | undefined {
  return attribute(node.line, 'name');
}

function child(node: Node, name: string): Node | undefined {
  return node.inside.find((one) => nameOf(one) === name);
}

function optionRows(nodes: readonly Node[]): OptionRow[] {
  return nodes.flatMap((node): OptionRow[] => {
    const [type, length] = [child(node, 'dhcpv6.option.type'), child(node, 'dhcpv6.option.length')];
    if (type === undefined || length === undefined) return [];
    const inside = optionRows(node.inside);
    const row = [numberOf(type.line, 'show'), numberOf(length.line, 'show')] as const;
    return inside.length === 0 ? [row] : [[...row, inside]];
  });
}

/** The messages in `node`, outermost first: a relayed one lies in the option that holds it. */
function levels(node: Node): LevelRow[] {
  const message = node.inside.find((one) => nameOf(one) === 'dhcpv6' && one.line.includes('<proto'));
  if (message === undefined) return node.inside.flatMap(levels);
  const value = (name: string) => child(message, `dhcpv6.${name}`)?.line;
  const [type, xid, hops] = ['msgtype', 'xid', 'hopcount'].map(value);
  const [link, peer] = ['linkaddr', 'peeraddr'].map(value);
  const row: LevelRow = {
    type: type === undefined ? -1 : numberOf(type, 'show'),
    ...(xid === undefined ? {} : { xid: numberOf(xid, 'show') }),
    ...(hops === undefined ? {} : { hops: numberOf(hops, 'show') }),
    ...(link === undefined ? {} : { link: attribute(link, 'show') ?? '' }),
    ...(peer === undefined ? {} : { peer: attribute(peer, 'show') ?? '' }),
    options: optionRows(message.inside),
  };
  return [row, ...message.inside.flatMap(levels)];
}

// An ICMPv6 error holds a message without being one.
writeVectors('v6.json', 'dhcpv6 && !icmpv6', [], (packet) => ({ levels: levels(tree(packet)) }));
