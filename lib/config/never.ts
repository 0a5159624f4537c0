// The addresses of a network that are never given to anybody, each with the reason (the contract's "never given dynamically").
import type { Ip4 } from '../net/ip.js';
import { familyOf } from '../net/ip.js';
import type { Range } from '../net/prefix.js';
import { contains, formatPrefix, formatRange } from '../net/prefix.js';
import type { NetworkDraft, Written } from './draft.js';
import type { Place } from './place.js';

export interface Never {
  readonly range: Range;
  /** Completes "is …". */
  readonly what: string;
  readonly place: Place;
}

/** Every address that the file, or the nature of its prefix, keeps from being given. */
export function neverOf(network: NetworkDraft, serverId: Written<Ip4> | undefined): readonly Never[] {
  const all: Never[] = [];
  for (const { value: prefix, place } of network.prefixes) {
    const shown = formatPrefix(prefix);
    const first = { first: prefix.first, last: prefix.first };
    if (familyOf(prefix.first) === 'ipv4') {
      // Of a /31 both addresses are hosts (RFC 3021), and a /32 is one host.
      if (prefix.length > 30) continue;
      all.push({ range: first, what: `the network address of ${shown}`, place });
      const last = { first: prefix.last, last: prefix.last };
      all.push({ range: last, what: `the broadcast address of ${shown}`, place });
    } else if (prefix.length <= 126) {
      // RFC 4291 §2.6.1; a /127 has no such anycast address (RFC 6164).
      all.push({ range: first, what: `the subnet-router anycast address of ${shown}`, place });
    }
  }
  for (const { value, place } of network.gateways) {
    all.push({ range: { first: value, last: value }, what: 'a gateway', place });
  }
  if (serverId !== undefined && inside(network, { first: serverId.value, last: serverId.value })) {
    all.push({ range: { first: serverId.value, last: serverId.value }, what: 'the server-id', place: serverId.place });
  }
  for (const { value, place } of network.relays ?? []) {
    if (value.first === value.last && inside(network, value)) all.push({ range: value, what: 'a relay', place });
  }
  for (const { value, place } of network.reserved) {
    all.push({ range: value, what: `reserved (${formatRange(value)})`, place });
  }
  return all;
}

function inside(network: NetworkDraft, range: Range): boolean {
  return network.prefixes.some(({ value }) => contains(value, range.first));
}

/** The same addresses in as few ranges as can be, IPv4 before IPv6, ascending. */
export function merged(ranges: readonly Range[]): readonly Range[] {
  const sorted = ranges.toSorted((a, b) => {
    if (typeof a.first !== typeof b.first) return typeof a.first === 'number' ? -1 : 1;
    return a.first < b.first ? -1 : a.first > b.first ? 1 : 0;
  });
  const out: Range[] = [];
  for (const range of sorted) {
    const last = out.at(-1);
    const touches =
      last !== undefined && typeof last.last === typeof range.first && BigInt(range.first) <= BigInt(last.last) + 1n;
    if (touches) out[out.length - 1] = { first: last.first, last: range.last > last.last ? range.last : last.last };
    else out.push(range);
  }
  return out;
}
