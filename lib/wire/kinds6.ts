// The kinds of option value that only DHCPv6 has: DUIDs, strings with lengths, vendors, identity associations.
import { formatDuid, isDuid, parseDuid } from '../net/duid.js';
import { toHex } from '../net/ids.js';
import { formatIp } from '../net/ip.js';
import { formatPrefix } from '../net/prefix.js';
import type { Option6 } from './areas6.js';
import { all6, first6, readOptions, withOptions6 } from './areas6.js';
import { code6, statusCode6 } from './codes6.js';
import * as ia6 from './ia6.js';
import type { Kind } from './kinds.js';
import { escapeText, ip4, ip6, text, uint32 } from './kinds.js';
import { asList, domainName, readOnly, readPartialName } from './kinds-structured.js';

export const duid: Kind = {
  right: 'a DUID as hexadecimal digits in quotes, such as "00:03:00:01:02:00:00:00:00:01"',
  encode: (value) => (typeof value === 'string' ? parseDuid(value) : undefined),
  json: (octets) => (isDuid(octets) ? formatDuid(octets) : undefined),
};

/** Values that all are of one kind; undefined where one is not, or there is none. */
function encodeEach(items: readonly unknown[], one: Kind): readonly Uint8Array[] | undefined {
  const encoded = items.map((item) => one.encode(item));
  const whole = encoded.every((octets) => octets !== undefined && octets.length <= 0xffff);
  return whole && encoded.length > 0 ? (encoded as readonly Uint8Array[]) : undefined;
}

/** Texts with a length of two octets each; one without, as some firmware sends, is read too and never written. */
export const strings: Kind = {
  right: 'a list of texts',
  encode: (value) => {
    const texts = encodeEach(asList(value), text);
    return texts === undefined ? undefined : ia6.writeStrings(texts);
  },
  json: (octets) => (octets.length === 0 ? undefined : ia6.readStrings(octets).map(escapeText)),
};

/** An enterprise number with texts (RFC 9915 §21.16); UEFI looks for HTTPClient in that of an answer. */
export const vendorClass: Kind = {
  right: 'a list of an enterprise number and texts, such as [343, HTTPClient]',
  encode: (value) => {
    const [number, ...rest] = asList(value);
    const enterprise = uint32.encode(number);
    const texts = encodeEach(rest, text);
    return enterprise === undefined || texts === undefined
      ? undefined
      : Uint8Array.from([...enterprise, ...ia6.writeStrings(texts)]);
  },
  json: (octets) => {
    const read = ia6.readEnterprise(octets);
    return read === undefined ? undefined : [read.enterprise, ...ia6.readStrings(read.data).map(escapeText)];
  },
};

/** What an NTP server option holds (RFC 5908 §4). */
const ntp = { address: 1, multicast: 2, name: 3 } as const;

/** NTP servers by address, unicast or multicast, or by name (RFC 5908). */
export const ntpServers: Kind = {
  right: 'a list of IPv6 addresses and domain names, such as ["2001:db8::2", ntp.example]',
  encode: (value) => {
    const servers: Option6[] = [];
    for (const item of asList(value)) {
      const address = ip6.encode(item);
      const octets = address ?? domainName.encode(item);
      // Digits and dots would pass for a name.
      if (octets === undefined || ip4.encode(item) !== undefined) return undefined;
      const code = address === undefined ? ntp.name : address[0] === 0xff ? ntp.multicast : ntp.address;
      servers.push({ code, value: octets });
    }
    return servers.length === 0 ? undefined : withOptions6(new Uint8Array(0), servers);
  },
  json: (octets) => {
    const servers = octets.length === 0 ? 0 : readOptions(octets, 0);
    if (typeof servers === 'number') return undefined;
    const read = servers.map(({ code, value }) => (code === ntp.name ? domainName : ip6).json(value));
    return read.includes(undefined) ? undefined : read;
  },
};

/** Each option by its number, those that are alike one after another. */
function byNumber(options: readonly Option6[], prefix: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const { code, value } of options) {
    const key = `${prefix}_${code}`;
    const more = toHex(value, ':');
    found[key] = key in found ? `${found[key]!}, ${more}` : more;
  }
  return found;
}

/** An enterprise number with options of that vendor (RFC 9915 §21.17). */
export const vendorOptions = readOnly((octets) => {
  const read = ia6.readEnterprise(octets);
  const options = read === undefined ? 0 : readOptions(read.data, 0);
  if (read === undefined || typeof options === 'number') return undefined;
  return { enterprise: read.enterprise, ...byNumber(options, 'sub') };
});

/** Options inside an option, as those that relays supply (RFC 6422 §4). */
export const optionArea = readOnly((octets) => {
  const options = octets.length === 0 ? 0 : readOptions(octets, 0);
  return typeof options === 'number' ? undefined : byNumber(options, 'option');
});

const statusNames: ReadonlyMap<number, string> = new Map(
  Object.entries(statusCode6).map(([name, code]) => [code, `${name[0]!.toUpperCase()}${name.slice(1)}`]),
);

function showStatus(octets: Uint8Array | undefined): Record<string, string> | undefined {
  const read = octets === undefined ? undefined : ia6.readStatus(octets);
  if (read === undefined) return undefined;
  const status = statusNames.get(read.code) ?? String(read.code);
  return read.message.length === 0 ? { status } : { status, message: escapeText(read.message) };
}

export const status = readOnly(showStatus);

function showAddress(octets: Uint8Array): Record<string, unknown> | undefined {
  const read = ia6.readIaAddress(octets);
  if (read === undefined) return undefined;
  const { address, preferred, valid, options } = read;
  return { address: formatIp(address), preferred, valid, ...showStatus(first6(options, code6.statusCode)) };
}

function showPrefix(octets: Uint8Array): Record<string, unknown> | undefined {
  const read = ia6.readIaPrefix(octets);
  if (read === undefined) return undefined;
  const { prefix, preferred, valid, options } = read;
  const excluded = first6(options, code6.pdExclude);
  const exclude = excluded === undefined ? {} : { pd_exclude: toHex(excluded, ':') };
  return {
    prefix: formatPrefix(prefix),
    preferred,
    valid,
    ...exclude,
    ...showStatus(first6(options, code6.statusCode)),
  };
}

export const iaAddress = readOnly(showAddress);
export const iaPrefix = readOnly(showPrefix);

/** The addresses and prefixes of an IA, each with its two lifetimes in seconds, and its status. */
function showLeases(options: readonly Option6[]): Record<string, unknown> {
  const line = (named: Record<string, unknown> | undefined) => Object.values(named ?? {}).join(' ');
  const addresses = all6(options, code6.iaAddress).map((value) => line(showAddress(value)));
  const prefixes = all6(options, code6.iaPrefix).map((value) => line(showPrefix(value)));
  return {
    ...(addresses.length === 0 ? {} : { addresses }),
    ...(prefixes.length === 0 ? {} : { prefixes }),
    ...showStatus(first6(options, code6.statusCode)),
  };
}

/** IA_NA and IA_PD. */
export const ia = readOnly((octets) => {
  const read = ia6.readIa(octets);
  return read === undefined ? undefined : { iaid: read.iaid, t1: read.t1, t2: read.t2, ...showLeases(read.options) };
});

export const iaTa = readOnly((octets) => {
  const read = ia6.readIaTa(octets);
  return read === undefined ? undefined : { iaid: read.iaid, ...showLeases(read.options) };
});

/** Flags and a name, always as DNS writes it (RFC 4704 §4). */
export const clientName = readOnly((octets) => {
  if (octets.length === 0) return undefined;
  const flags = ['s', 'o', 'n'].filter((_, i) => octets[0]! & (1 << i));
  const name = readPartialName(octets.subarray(1));
  return name === undefined ? undefined : { flags, name };
});

/** Who gave the circuit its name, and the name (RFC 4649 §3). */
export const remoteId = readOnly((octets) => {
  const read = ia6.readEnterprise(octets);
  return read === undefined ? undefined : { enterprise: read.enterprise, remote_id: toHex(read.data, ':') };
});

/** Hardware type and address (RFC 6939 §4). */
export const linkLayer = readOnly((octets) => {
  const read = ia6.readLinkLayer(octets);
  return read === undefined ? undefined : { hardware: read.hardware, address: toHex(read.address, ':') };
});
