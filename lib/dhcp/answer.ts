// Makes the reply: header and options as RFC 2131 table 3 has them.
import type { Declaration } from '../ipam/model.js';
import type { Network } from '../ipam/site.js';
import { prefixIn } from '../ipam/site.js';
import type { Ip, Ip4 } from '../net/ip.js';
import { ANY4, familyOf, ipToBytes } from '../net/ip.js';
import type { Prefix } from '../net/prefix.js';
import { contains, netmask4 } from '../net/prefix.js';
import { assertNever } from '../net/reason.js';
import type { Encoded4, Message4 } from '../wire/message4.js';
import { BOOTREPLY, BROADCAST_FLAG, encode4 } from '../wire/message4.js';
import { code, messageType } from '../wire/options4.js';
import type { Due } from './decide4.js';
import type { World } from './world.js';

/** IP and UDP headers, which option 57 counts. */
const HEADERS = 28;
/** What every client takes (RFC 2131 §2), and what an Ethernet frame holds. */
const LEAST_ROOM = 576 - HEADERS;
const MOST_ROOM = 1500 - HEADERS;

/** Whom the answer is for and from. */
export interface Parties {
  readonly message: Message4;
  readonly network: Network;
  readonly declaration: Declaration | undefined;
  readonly serverId: Ip4;
}

/** The reply that `due` calls for; undefined where none is due. Fails with `too-large` where even the least does not fit. */
export function answer(world: World, parties: Parties, due: Due): Encoded4 | undefined {
  if (due.kind === 'none') return undefined;
  const { message } = parties;
  const options = optionsFor(world, parties, due);
  const echo = message.options.get(code.relayAgentInformation);
  if (echo !== undefined) options.set(code.relayAgentInformation, echo);
  const reply: Message4 = {
    op: BOOTREPLY,
    htype: message.htype,
    hlen: message.hlen,
    hops: 0,
    xid: message.xid,
    secs: 0,
    // A relayed NAK must be broadcast by the relay: the client has no address (RFC 2131 §4.3.2).
    flags: due.kind === 'nak' && message.giaddr !== 0 ? message.flags | BROADCAST_FLAG : message.flags,
    ciaddr: due.kind === 'nak' || due.kind === 'offer' ? ANY4 : message.ciaddr,
    yiaddr: 'address' in due ? due.address : ANY4,
    siaddr: ANY4,
    giaddr: message.giaddr,
    chaddr: message.chaddr,
    sname: new Uint8Array(0),
    file: new Uint8Array(0),
    options,
    ...(message.relayPieces === undefined ? {} : { relayPieces: message.relayPieces }),
    cookie: message.cookie,
  };
  return fit(reply, room(message));
}

/** How much UDP payload the client takes (RFC 2132 §9.10). */
function room(message: Message4): number {
  const value = message.options.get(code.maxMessageSize);
  if (value?.length !== 2) return LEAST_ROOM;
  const size = (value[0] ?? 0) * 256 + (value[1] ?? 0) - HEADERS;
  return Math.min(Math.max(size, LEAST_ROOM), MOST_ROOM);
}

/**
 * What is too much is left out from the end, where the least wanted options stand; the protocol's own come first and stay. Option 82 goes
 * only when nothing else can: without it the relay may not find its client.
 */
function fit(reply: Message4, most: number): Encoded4 {
  const encoded = encode4(reply, most);
  if (encoded.ok && !encoded.relayInfoOmitted) return encoded;
  const last = [...reply.options.keys()].findLast((option) => !own.has(option));
  if (last === undefined) return encoded;
  const fewer = new Map(reply.options);
  fewer.delete(last);
  return fit({ ...reply, options: fewer }, most);
}

/** Options that the protocol needs; the others come from the file. */
const own: ReadonlySet<number> = new Set([
  code.messageType,
  code.serverIdentifier,
  code.leaseTime,
  code.renewalTime,
  code.rebindingTime,
  code.message,
  code.clientIdentifier,
  code.subnetMask,
  code.relayAgentInformation,
]);

function optionsFor(world: World, parties: Parties, due: Exclude<Due, { kind: 'none' }>): Map<number, Uint8Array> {
  const { message, serverId } = parties;
  const options = new Map<number, Uint8Array>();
  const begin = (type: number): void => {
    options.set(code.messageType, Uint8Array.of(type));
    options.set(code.serverIdentifier, ipToBytes(serverId));
  };
  switch (due.kind) {
    case 'offer':
    case 'ack':
      begin(due.kind === 'offer' ? messageType.offer : messageType.ack);
      times(options, due.lease);
      configured(options, world, parties, due.address);
      break;
    case 'inform':
      begin(messageType.ack);
      configured(options, world, parties, message.ciaddr);
      break;
    case 'nak':
      begin(messageType.nak);
      options.set(code.message, ascii(due.message));
      break;
    case 'bootp':
      if (message.cookie) configured(options, world, parties, due.address);
      return options;
    default:
      return assertNever(due);
  }
  const id = message.options.get(code.clientIdentifier);
  if (id !== undefined) options.set(code.clientIdentifier, id); // RFC 6842 §3
  return options;
}

/** Lease time, T1 at a half and T2 at seven eighths of it (RFC 2131 §4.4.5), in whole seconds. */
function times(options: Map<number, Uint8Array>, lease: number): void {
  const seconds = Math.floor(lease / 1000);
  options.set(code.leaseTime, uint32(seconds));
  options.set(code.renewalTime, uint32(Math.floor(seconds / 2)));
  options.set(code.rebindingTime, uint32(Math.floor((seconds * 7) / 8)));
}

/**
 * The network's and the machine's options: those that option 55 asks for, in its order, after the subnet mask, which must precede the
 * routers (RFC 2132 §3.3); all of them where the client asks for none in particular.
 */
function configured(options: Map<number, Uint8Array>, world: World, parties: Parties, address: Ip4): void {
  const { message, network, declaration } = parties;
  const machine = declaration && world.site.machineOptions4.get(declaration.machine);
  const derived = derivedOptions(network, address);
  const value = (option: number): Uint8Array | undefined =>
    machine?.get(option) ?? network.options4.get(option) ?? derived.get(option);
  const asked = message.options.get(code.parameterRequestList);
  const wanted = asked ?? new Set([...derived.keys(), ...network.options4.keys(), ...(machine?.keys() ?? [])]);
  for (const option of [code.subnetMask, ...wanted]) {
    const found = own.has(option) && option !== code.subnetMask ? undefined : value(option);
    if (found !== undefined) options.set(option, found);
  }
}

/** By prefix, which is of one site and never changes: the same for every address in it. */
const derivedOf = new WeakMap<Prefix, ReadonlyMap<number, Uint8Array>>();

/** What follows from the prefix that holds `address`: mask, broadcast address and the gateways in it. */
function derivedOptions(network: Network, address: Ip4): ReadonlyMap<number, Uint8Array> {
  const prefix = prefixIn(network, address);
  if (prefix === undefined) return new Map();
  let derived = derivedOf.get(prefix);
  if (derived === undefined) derivedOf.set(prefix, (derived = derive(network, prefix)));
  return derived;
}

function derive(network: Network, prefix: Prefix): ReadonlyMap<number, Uint8Array> {
  const derived = new Map<number, Uint8Array>();
  derived.set(code.subnetMask, ipToBytes(netmask4(prefix.length)));
  const gateways = network.gateways.filter((gateway) => contains(prefix, gateway));
  if (gateways.length > 0) derived.set(code.routers, joined(gateways));
  if (prefix.length < 31) derived.set(code.broadcastAddress, ipToBytes(prefix.last));
  return derived;
}

function joined(addresses: readonly Ip[]): Uint8Array {
  return Uint8Array.from(addresses.filter((ip) => familyOf(ip) === 'ipv4').flatMap((ip) => [...ipToBytes(ip)]));
}

function uint32(value: number): Uint8Array {
  return ipToBytes((value >>> 0) as Ip4);
}

function ascii(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0) & 127);
}
