// The words that a file is made of: what one value means, or why it means nothing and what would.
import type { Mac } from '../net/ids.js';
import { parseMac } from '../net/ids.js';
import type { Family, Ip, Ip4 } from '../net/ip.js';
import { familyOf, parseIp, parseIp4 } from '../net/ip.js';
import type { Prefix, Range } from '../net/prefix.js';
import { formatPrefix, formatRange, parsePrefix, parseRange, prefixOf } from '../net/prefix.js';
import { nearest } from './suggest.js';

export type Read<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly why?: string; readonly write?: string };

/** One kind of value. */
export interface Word<T> {
  /** With its article: `a MAC address`. */
  readonly noun: string;
  /** What a right one looks like. */
  readonly like: string;
  readonly read: (text: string) => Read<T>;
}

/** The sentence about a value that is not what `word` asks for. */
export function complain(word: Word<unknown>, shown: string, slip: { why?: string; write?: string } = {}): string {
  const why = slip.why === undefined ? '' : ` (${slip.why})`;
  return `${shown} is not ${word.noun}${why}; write ${slip.write ?? word.like}`;
}

function good<T>(value: T): Read<T> {
  return { ok: true, value };
}

/** Why `text`, which looks like dotted decimal, is none. */
function slipOfIp4(text: string): { ok: false; why?: string; write?: string } {
  const parts = text.split('.');
  if (!/^[\d.]+$/.test(text)) return { ok: false };
  const high = parts.find((part) => Number(part) > 255);
  if (high !== undefined) return { ok: false, why: `${high} is over 255` };
  if (parts.length !== 4 || parts.includes('')) {
    return { ok: false, why: `it has ${parts.filter((part) => part !== '').length} of 4 numbers` };
  }
  return { ok: false, why: 'a number begins with 0', write: parts.map(Number).join('.') };
}

function readIp(text: string): Read<Ip> {
  const ip = parseIp(text);
  if (ip !== undefined) return good(ip);
  const bare = text.slice(0, text.indexOf('/'));
  if (text.includes('/') && parseIp(bare) !== undefined) return { ok: false, why: 'it has a length', write: bare };
  return slipOfIp4(text);
}

export const ipWord: Word<Ip> = { noun: 'an address', like: 'one such as 10.20.0.1', read: readIp };

export const serverIdWord: Word<Ip4> = {
  noun: 'an IPv4 address',
  like: 'one of the addresses of this server, such as 10.20.0.1',
  read: (text) => {
    const ip = parseIp4(text);
    if (ip !== undefined) return good(ip);
    return parseIp(text) === undefined ? slipOfIp4(text) : { ok: false, why: 'it is an IPv6 one' };
  },
};

export const macWord: Word<Mac> = {
  noun: 'a MAC address',
  like: 'six pairs of hexadecimal digits, such as 02:00:00:00:00:01',
  read: (text) => {
    const mac = parseMac(text);
    if (mac === undefined) {
      const pairs = text.split(/[:-]/);
      if (pairs.length === 6 && pairs.every((pair) => /^[0-9a-f]{1,2}$/i.test(pair))) {
        return { ok: false, write: pairs.map((pair) => pair.padStart(2, '0').toLowerCase()).join(':') };
      }
      if (/^[0-9a-f:.-]+$/i.test(text)) {
        const digits = text.replace(/[:.-]/g, '').length;
        return digits === 12 ? { ok: false } : { ok: false, why: `it has ${digits} of 12 digits` };
      }
      return { ok: false };
    }
    if (mac === '00:00:00:00:00:00') return { ok: false, why: 'it is all zeros, which no card has' };
    // IEEE 802: the lowest bit of the first octet marks a group, and no card sends from one.
    if ((parseInt(mac.slice(0, 2), 16) & 1) === 1)
      return { ok: false, why: 'it is a multicast one, which no card has' };
    return good(mac);
  },
};

export const prefixWord: Word<Prefix> = {
  noun: 'a prefix',
  like: 'one such as 10.20.0.0/24',
  read: (text) => {
    const prefix = parsePrefix(text);
    if (typeof prefix !== 'string') return good(prefix);
    const slash = text.indexOf('/');
    const ip = parseIp(slash < 0 ? text : text.slice(0, slash));
    if (ip === undefined) return slipOfIp4(slash < 0 ? text : text.slice(0, slash));
    if (slash < 0)
      return { ok: false, why: 'its length is missing', write: `${text}/${familyOf(ip) === 'ipv4' ? 24 : 64}` };
    if (prefix === 'host-bits') {
      const meant = formatPrefix(prefixOf(ip, Number(text.slice(slash + 1))));
      return { ok: false, why: 'it has bits set beyond its length', write: meant };
    }
    const mask = parseIp4(text.slice(slash + 1));
    const length = mask === undefined ? -1 : 32 - Math.log2(2 ** 32 - mask);
    if (Number.isInteger(length) && length >= 0) {
      return { ok: false, why: 'a netmask stands for its length', write: formatPrefix(prefixOf(ip, length)) };
    }
    return { ok: false, why: `its length is not a number from 0 to ${familyOf(ip) === 'ipv4' ? 32 : 128}` };
  },
};

export const rangeWord: Word<Range> = {
  noun: 'a range of addresses',
  like: 'one such as 10.20.0.100-10.20.0.199',
  read: (text) => {
    const range = parseRange(text);
    if (typeof range !== 'string') return good(range);
    const [left = '', right = ''] = text.split('-', 2).map((end) => end.trim());
    const first = parseIp(left);
    const last = parseIp(right);
    switch (range) {
      case 'families-differ':
        return { ok: false, why: 'one end is IPv4 and the other IPv6' };
      case 'backwards':
        return first === undefined || last === undefined
          ? { ok: false }
          : { ok: false, why: 'it runs backwards', write: formatRange({ first: last, last: first }) };
      case 'not-a-range': {
        if (text.includes('/')) {
          const prefix = prefixWord.read(text);
          return prefix.ok ? { ok: false } : prefix;
        }
        const net = /^(.*\.)\d+$/.exec(left)?.[1];
        if (first !== undefined && net !== undefined && /^\d{1,3}$/.test(right) && parseIp(net + right) !== undefined) {
          return { ok: false, why: 'its end is no whole address', write: `${left}-${net}${right}` };
        }
        return first === undefined ? slipOfIp4(left) : slipOfIp4(right);
      }
    }
  },
};

export const relayWord: Word<Range> = {
  noun: 'the address or prefix of a relay',
  like: 'one such as 10.20.0.254 or 10.99.0.0/16',
  read: (text) => {
    if (text.includes('/')) return prefixWord.read(text);
    const ip = readIp(text);
    return ip.ok ? good({ first: ip.value, last: ip.value }) : ip;
  },
};

const units = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
type Unit = keyof typeof units;

/** The longest time that a lease can say: 2^32-1 seconds mean infinity (RFC 2131 §3.3), and no answer promises that. */
const longest = 49_710 * units.d;

/** Milliseconds of a whole number of seconds. */
export function readSeconds(seconds: number): Read<number> {
  if (!Number.isInteger(seconds)) return { ok: false, why: 'it is no whole number of seconds' };
  if (seconds <= 0) return { ok: false, why: 'it is not longer than nothing' };
  return seconds * 1000 > longest
    ? { ok: false, why: 'it is over 49710d, which DHCP cannot say' }
    : good(seconds * 1000);
}

/** A duration in milliseconds. */
export const durationWord: Word<number> = {
  noun: 'a duration',
  like: 'one such as 45s, 30m, 1h or 30d, or a number of seconds',
  read: (text) => {
    const exact = /^(\d{1,12})([smhd])$/.exec(text);
    if (exact !== null) return readSeconds((Number(exact[1]) * units[exact[2] as Unit]) / 1000);
    const loose = /^\s*(\d{1,9})\s*(s|m|h|d|w|)(?:ec|econd|in|inute|our|r|ay|eek)?s?\s*$/i.exec(text);
    const unit = loose?.[2]?.toLowerCase();
    if (loose === null || unit === undefined) return { ok: false };
    if (unit === 'w') return { ok: false, write: `${7 * Number(loose[1])}d` };
    return { ok: false, write: `${Number(loose[1])}${unit === '' ? 's' : unit}` };
  },
};

/** The duration as a file would say it. */
export function formatDuration(ms: number): string {
  const unit = (['d', 'h', 'm', 's'] as const).find((u) => ms % units[u] === 0) ?? 's';
  return `${ms / units[unit]}${unit}`;
}

function pattern(noun: string, like: string, right: RegExp): Word<string> {
  return { noun, like, read: (text) => (right.test(text) ? good(text) : { ok: false }) };
}

export const networkNameWord = pattern(
  'a name of a network',
  'letters, digits, `.`, `_` and `-`, at most 63, such as rack1',
  /^[A-Za-z0-9][\w.-]{0,62}$/,
);
export const vrfWord = pattern(
  'a name of a VRF',
  'letters, digits, `.`, `_` and `-`, at most 63, such as default',
  /^[A-Za-z0-9][\w.-]{0,62}$/,
);
export const machineNameWord = pattern(
  'a name of a machine',
  'letters, digits, `.`, `_` and `-`, at most 253, such as node1',
  /^[A-Za-z0-9][\w.-]{0,252}$/,
);
export const roleWord = pattern(
  'a role',
  'one short word of letters, digits, `_` and `-`, such as host or dpu_os',
  /^[A-Za-z0-9][\w-]{0,31}$/,
);
/** Linux takes names of up to 15 octets without space, `/` and `:`. */
export const linkWord = pattern(
  'a name of a link',
  'one as `ip link` shows it, such as eth0',
  /^(?!\.{1,2}$)[^\s/:\0]{1,15}$/,
);
export const fileWord = pattern('a path of a file', 'one such as leasehold.db', /^[^\0\n\r]{1,4096}$/);
export const duidWord = pattern(
  'a DUID',
  'auto, or its octets in hexadecimal',
  /^(auto|[0-9a-fA-F]{2}([:-]?[0-9a-fA-F]{2}){2,129})$/,
);

export const globWord: Word<string> = {
  noun: "a pattern of files below this file's folder",
  like: 'one such as machines.d/*.yaml',
  read: (text) => {
    if (text.startsWith('/') || /^~|^[A-Za-z]:/.test(text))
      return { ok: false, why: 'it does not begin in this folder' };
    if (text.split('/').includes('..')) return { ok: false, why: 'it leaves this folder by ..' };
    if (/\*\*|[[\]{}\\!\0]/.test(text)) return { ok: false, why: 'of the wildcards only * and ? are known' };
    return text.trim() === '' || text.endsWith('/') ? { ok: false } : good(text);
  },
};

export const declarable = ['dynamic', 'retained', 'preserved'] as const;
export type Declarable = (typeof declarable)[number];

/** What `ipv4:` and `ipv6:` of an interface say: an address, which means fixed, or a policy. */
export function declaredWord(family: Family): Word<Ip | Declarable> {
  const example = family === 'ipv4' ? '10.20.0.11' : '"fd00:20::11"';
  const name = family === 'ipv4' ? 'an IPv4' : 'an IPv6';
  return {
    noun: `${name} address or a policy`,
    like: `an address such as ${example}, which means fixed, or dynamic, retained or preserved`,
    read: (text) => {
      const policy = declarable.find((word) => word === text);
      if (policy !== undefined) return good(policy);
      const ip = readIp(text);
      if (ip.ok && familyOf(ip.value) === family) return good(ip.value);
      if (ip.ok) {
        const other = family === 'ipv4' ? 'ipv6' : 'ipv4';
        return { ok: false, why: `it belongs to the other family`, write: `it under \`${other}:\`` };
      }
      if (text === 'fixed' || text === 'static') {
        return { ok: false, why: 'fixed needs its address', write: `the address itself, such as ${example}` };
      }
      const close = nearest(text, declarable);
      return close === undefined ? ip : { ok: false, write: close };
    },
  };
}
