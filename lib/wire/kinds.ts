// The plain kinds of option value: numbers, addresses, text, octets, and lists of them.
import { fromHex, toHex } from '../net/ids.js';
import type { Ip4 } from '../net/ip.js';
import { formatIp, ipToBytes, parseIp4, parseIp6, readIp4, readIp6 } from '../net/ip.js';

/** How one kind of value is written in a configuration, on the wire and for people. */
export interface Kind {
  /** What a configuration should say, as the end of the sentence "it should be …". */
  readonly right: string;
  /** `value` as YAML gives it, to octets; undefined where it is not of this kind. */
  readonly encode: (value: unknown) => Uint8Array | undefined;
  /** Octets to what JSON shows; undefined where they are not of this kind. */
  readonly json: (bytes: Uint8Array) => unknown;
  /** The same for people, where lists joined by commas will not do. */
  readonly text?: (bytes: Uint8Array) => string | undefined;
}

/** A whole number of `octets` octets, most significant first. */
function integer(octets: 1 | 2 | 4, right: string, signed = false): Kind {
  const least = signed ? -(2 ** (8 * octets - 1)) : 0;
  const most = least + 2 ** (8 * octets) - 1;
  return {
    right,
    encode: (value) => {
      if (typeof value !== 'number' || !Number.isInteger(value) || value < least || value > most) return undefined;
      return Uint8Array.from({ length: octets }, (_, i) => value >> (8 * (octets - 1 - i)));
    },
    json: (bytes) => {
      if (bytes.length !== octets) return undefined;
      const value = bytes.reduce((sum, octet) => sum * 256 + octet, 0);
      return value > most ? value - 2 ** (8 * octets) : value;
    },
  };
}

/** One value or more, each of `size` octets; a single value need not be written as a list. */
function listOf(one: Kind, size: number, right: string): Kind {
  return {
    right,
    encode: (value) => {
      const items: unknown[] = Array.isArray(value) ? value : [value];
      const encoded = items.map((item) => one.encode(item));
      const whole = new Uint8Array(items.length * size);
      for (const [i, bytes] of encoded.entries()) {
        if (bytes === undefined) return undefined;
        whole.set(bytes, i * size);
      }
      return whole.length === 0 ? undefined : whole;
    },
    json: (bytes) => {
      if (bytes.length === 0 || bytes.length % size !== 0) return undefined;
      return Array.from({ length: bytes.length / size }, (_, i) => one.json(bytes.subarray(i * size, (i + 1) * size)));
    },
  };
}

export const uint8 = integer(1, 'a whole number from 0 to 255');
export const uint16 = integer(2, 'a whole number from 0 to 65535');
export const uint32 = integer(4, 'a whole number from 0 to 4294967295');
export const int32 = integer(4, 'a whole number from -2147483648 to 2147483647', true);
export const uint8List = listOf(uint8, 1, 'a list of whole numbers from 0 to 255, such as [1, 3, 6]');
export const uint16List = listOf(uint16, 2, 'a list of whole numbers from 0 to 65535, such as [576, 1500]');

export const ip4: Kind = {
  right: 'an IPv4 address, such as 10.20.0.2',
  encode: (value) => {
    const ip = typeof value === 'string' ? parseIp4(value) : undefined;
    return ip === undefined ? undefined : ipToBytes(ip);
  },
  json: (bytes) => (bytes.length === 4 ? formatIp(readIp4(bytes, 0)) : undefined),
};

export const ip4List = listOf(ip4, 4, 'a list of IPv4 addresses, such as [10.20.0.2, 10.20.0.3]');

const ip4Pair: Kind = {
  right: 'two IPv4 addresses with a space between',
  encode: (value) => {
    const parts = typeof value === 'string' ? value.trim().split(/\s+/) : [];
    const ips = parts.map(parseIp4).filter((ip): ip is Ip4 => ip !== undefined);
    if (parts.length !== 2 || ips.length !== 2) return undefined;
    return Uint8Array.from(ips.flatMap((ip) => [...ipToBytes(ip)]));
  },
  json: (bytes) => `${formatIp(readIp4(bytes, 0))} ${formatIp(readIp4(bytes, 4))}`,
};

export const ip4Pairs = listOf(
  ip4Pair,
  8,
  'a list of pairs of IPv4 addresses, such as ["10.30.0.0 10.20.0.1", "10.40.0.0 10.20.0.1"]',
);

export const ip6: Kind = {
  right: 'an IPv6 address, such as 2001:db8::2',
  encode: (value) => {
    const ip = typeof value === 'string' ? parseIp6(value) : undefined;
    return ip === undefined ? undefined : ipToBytes(ip);
  },
  json: (bytes) => (bytes.length === 16 ? formatIp(readIp6(bytes, 0)) : undefined),
};

export const ip6List = listOf(ip6, 16, 'a list of IPv6 addresses, such as ["2001:db8::2", "2001:db8::3"]');

export const boolean: Kind = {
  right: 'true or false',
  encode: (value) => (typeof value === 'boolean' ? Uint8Array.of(value ? 1 : 0) : undefined),
  json: (bytes) => (bytes.length === 1 && bytes[0]! <= 1 ? bytes[0] === 1 : undefined),
};

/** An option whose presence is all that it says. */
export const flag: Kind = {
  right: 'true',
  encode: (value) => (value === true ? new Uint8Array(0) : undefined),
  json: (bytes) => (bytes.length === 0 ? true : undefined),
};

/** UTF-8 on the wire; RFC 2132 says NVT ASCII and every client takes what it gets. */
export const text: Kind = {
  right: 'a text of at least one character, without control characters',
  encode: (value) => {
    const octets = typeof value === 'string' ? new TextEncoder().encode(value) : new Uint8Array(0);
    return octets.length === 0 || octets.some(isControl) ? undefined : octets;
  },
  json: (bytes) => escapeText(bytes),
};

function isControl(octet: number): boolean {
  return octet < 0x20 || octet === 0x7f;
}

/** Octets as printable ASCII; all else, and the backslash, as `\xNN`: what a client sent must not steer a terminal. */
export function escapeText(bytes: Uint8Array): string {
  let shown = '';
  for (const octet of bytes) {
    const plain = octet >= 0x20 && octet < 0x7f && octet !== 0x5c;
    shown += plain ? String.fromCharCode(octet) : `\\x${octet.toString(16).padStart(2, '0')}`;
  }
  return shown;
}

export const bytes: Kind = {
  right: 'octets as hexadecimal digits in quotes, such as "01:02:ff"',
  encode: (value) => {
    const octets = typeof value === 'string' ? fromHex(value) : undefined;
    return octets === undefined || octets.length === 0 ? undefined : octets;
  },
  json: (octets) => toHex(octets, ':'),
};

const FOREVER = 0xffffffff;
const units: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86400, w: 604800 };

/** A time in seconds; all ones mean without end (RFC 2131 §3.3). */
export const seconds: Kind = {
  right: 'a time as whole seconds or with a unit (s, m, h, d, w), such as 3600 or 1h, or infinite',
  encode: (value) => {
    if (value === 'infinite') return uint32.encode(FOREVER);
    const parts = typeof value === 'string' ? /^(\d+)\s*([smhdw])$/.exec(value) : null;
    return uint32.encode(parts === null ? value : Number(parts[1]) * units[parts[2]!]!);
  },
  json: (octets) => uint32.json(octets),
  text: (octets) => {
    if (octets.length !== 4) return undefined;
    const value = readIp4(octets, 0);
    return value === FOREVER ? 'infinite' : `${value} s`;
  },
};
