// The kinds of option value that have a structure of their own: names, routes, options inside options.
import { toHex } from '../net/ids.js';
import { formatIp, ipToBytes, readIp4 } from '../net/ip.js';
import { formatPrefix, parsePrefix, prefixOf } from '../net/prefix.js';
import { parseIp4 } from '../net/ip.js';
import type { Kind } from './kinds.js';
import { bytes, escapeText, ip4List } from './kinds.js';
import { decodeNames, encodeNames, parseName, readName } from './names.js';
import { decodeSubOptions } from './suboptions.js';

export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as readonly unknown[]) : [value];
}

function parseNames(value: unknown): (readonly string[])[] | undefined {
  const names: (readonly string[])[] = [];
  for (const item of asList(value)) {
    const labels = typeof item === 'string' ? parseName(item) : undefined;
    if (labels === undefined) return undefined;
    names.push(labels);
  }
  return names.length === 0 ? undefined : names;
}

function namesOf(compress: boolean): Kind {
  return {
    right: 'a list of domain names, such as [rack1.example, example]',
    encode: (value) => {
      const names = parseNames(value);
      return names === undefined ? undefined : encodeNames(names, compress);
    },
    json: (octets) => (octets.length === 0 ? undefined : decodeNames(octets)),
  };
}

/** DNS names without compression (RFC 3361 §3.1, RFC 4280 §4.1). */
export const domainNames = namesOf(false);
/** DNS names with compression (RFC 3397 §2). */
export const domainSearch = namesOf(true);

export const domainName: Kind = {
  right: 'a domain name, such as rack1.example',
  encode: (value) => (Array.isArray(value) ? undefined : domainNames.encode(value)),
  json: (octets) => {
    const read = readName(octets, 0);
    return read?.next === octets.length ? read.name : undefined;
  },
};

/** Classless routes: width, the significant octets of the destination, router (RFC 3442). */
export const routes: Kind = {
  right: 'a list of routes, such as ["0.0.0.0/0 via 10.20.0.1", "10.30.0.0/16 via 10.20.0.2"]',
  encode: (value) => {
    const octets: number[] = [];
    for (const item of asList(value)) {
      const parts = typeof item === 'string' ? /^\s*(\S+)\s+via\s+(\S+)\s*$/.exec(item) : null;
      const prefix = parts === null ? 'not-a-prefix' : parsePrefix(parts[1]!);
      const router = parts === null ? undefined : parseIp4(parts[2]!);
      if (typeof prefix === 'string' || typeof prefix.first !== 'number' || router === undefined) return undefined;
      const significant = ipToBytes(prefix.first).subarray(0, Math.ceil(prefix.length / 8));
      octets.push(prefix.length, ...significant, ...ipToBytes(router));
    }
    return octets.length === 0 ? undefined : Uint8Array.from(octets);
  },
  json: (octets) => {
    const shown: string[] = [];
    let next = 0;
    while (next < octets.length) {
      const width = octets[next]!;
      const significant = Math.ceil(width / 8);
      const router = next + 1 + significant;
      if (width > 32 || router + 4 > octets.length) return undefined;
      const four = new Uint8Array(4);
      four.set(octets.subarray(next + 1, router));
      // Bits beyond the width are zeroed, as RFC 3442 tells the client to.
      shown.push(`${formatPrefix(prefixOf(readIp4(four, 0), width))} via ${formatIp(readIp4(octets, router))}`);
      next = router + 4;
    }
    return shown.length === 0 ? undefined : shown;
  },
};

/** SIP servers as names (encoding 0) or addresses (encoding 1): RFC 3361 §3. */
export const sipServers: Kind = {
  right: 'a list of IPv4 addresses, or a list of domain names',
  encode: (value) => {
    const addresses = ip4List.encode(value);
    if (addresses !== undefined) return Uint8Array.of(1, ...addresses);
    const names = domainNames.encode(value);
    return names === undefined ? undefined : Uint8Array.of(0, ...names);
  },
  json: (octets) => {
    if (octets[0] === 1) return ip4List.json(octets.subarray(1));
    return octets[0] === 0 ? domainNames.json(octets.subarray(1)) : undefined;
  },
};

/** Texts with a length octet each (RFC 3004 §4); iPXE sends one bare text instead, which is read too and never written. */
export const userClasses: Kind = {
  right: 'a list of texts of 1 to 255 octets',
  encode: (value) => {
    const octets: number[] = [];
    for (const item of asList(value)) {
      const one = typeof item === 'string' ? new TextEncoder().encode(item) : new Uint8Array(0);
      if (one.length === 0 || one.length > 255) return undefined;
      octets.push(one.length, ...one);
    }
    return octets.length === 0 ? undefined : Uint8Array.from(octets);
  },
  json: (octets) => readUserClasses(octets).map(escapeText),
};

/** The user classes in the value of an option 77: those of RFC 3004, or the value whole where it is not written so. */
export function readUserClasses(octets: Uint8Array): readonly Uint8Array[] {
  const classes: Uint8Array[] = [];
  let next = 0;
  while (next < octets.length) {
    const end = next + 1 + octets[next]!;
    if (octets[next] === 0 || end > octets.length) return [octets];
    classes.push(octets.subarray(next + 1, end));
    next = end;
  }
  return classes;
}

/** What is `name` and `value` by turns, for people. */
type Named = Readonly<Record<string, unknown>>;

function showNamed(named: Named): string {
  const parts = Object.entries(named).map(([name, value]) => {
    return `${name}=${Array.isArray(value) ? value.join('+') : String(value)}`;
  });
  return parts.join(' ');
}

/** Structures that only clients and relays write; a configuration gives the octets. */
export function readOnly(read: (octets: Uint8Array) => Named | undefined): Kind {
  return {
    right: bytes.right,
    encode: bytes.encode,
    json: read,
    text: (octets) => {
      const named = read(octets);
      return named === undefined ? undefined : showNamed(named);
    },
  };
}

/** Sub-options without names (RFC 2132 §8.4). */
export const subOptions = readOnly((octets) => {
  const subs = decodeSubOptions(octets, true);
  if (subs === undefined || subs.size === 0) return undefined;
  return Object.fromEntries([...subs].map(([sub, value]) => [`sub_${sub}`, toHex(value, ':')]));
});

/** Enterprise numbers, each with its data (RFC 3925 §3, §4). */
export const enterprises = readOnly((octets) => {
  const found: Record<string, string> = {};
  let next = 0;
  while (next < octets.length) {
    if (next + 5 > octets.length || next + 5 + octets[next + 4]! > octets.length) return undefined;
    const end = next + 5 + octets[next + 4]!;
    const key = `enterprise_${readIp4(octets, next)}`;
    const more = toHex(octets.subarray(next + 5, end), ':');
    found[key] = key in found ? `${found[key]!}:${more}` : more;
    next = end;
  }
  return next === 0 ? undefined : found;
});

/** Flags, two response codes and a name, which bit E says how to read (RFC 4702 §2). */
export const clientFqdn = readOnly((octets) => {
  if (octets.length < 3) return undefined;
  const bits = octets[0]!;
  const flags = ['s', 'o', 'e', 'n'].filter((_, i) => bits & (1 << i));
  const rest = octets.subarray(3);
  if ((bits & 4) === 0) return { flags, name: escapeText(rest) };
  const name = readPartialName(rest);
  return name === undefined ? undefined : { flags, name };
});

/** A name that, where it is not fully qualified, has no root after its last label (RFC 4702 §2.3.1, RFC 4704 §4.2). */
export function readPartialName(octets: Uint8Array): string | undefined {
  const partial = new Uint8Array(octets.length + 1);
  partial.set(octets);
  return (readName(octets, 0) ?? readName(partial, 0))?.name;
}
