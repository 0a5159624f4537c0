// The machine's links: a name from `listen:` becomes a link with index, MAC and addresses, or a sentence that says what to do about it.
import { readdirSync, readFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import type { Link } from '../../lib/dhcp/packet.js';
import type { Mac } from '../../lib/net/ids.js';
import { parseMac } from '../../lib/net/ids.js';
import type { Ip4 } from '../../lib/net/ip.js';
import { parseIp4 } from '../../lib/net/ip.js';

/** A {@link Link} with what only the sockets need to know of it. */
export interface HostLink extends Link {
  /** The kernel's interface index: another one after the link was removed and made again. */
  readonly index: number;
  /** Undefined where the link is not Ethernet, and frames cannot be made for it. */
  readonly mac: Mac | undefined;
}

/** What is read of the machine; replaced in tests. */
export interface LinkSource {
  /** As node:os gives it: only links that are up and have a carrier. */
  readonly interfaces: () => NodeJS.Dict<{ address: string; family: string; cidr: string | null }[]>;
  /** Every link's name, whatever its state. */
  readonly names: () => readonly string[];
  /** One value of a link as the kernel shows it in sysfs, trimmed; undefined where there is none. */
  readonly attribute: (
    name: string,
    attribute: 'ifindex' | 'address' | 'type' | 'flags' | 'carrier',
  ) => string | undefined;
}

export type FoundLink =
  { readonly ok: true; readonly link: HostLink } | { readonly ok: false; readonly message: string };

const SYSFS = '/sys/class/net';
/** ARPHRD_ETHER and IFF_UP of Linux's if_arp.h and if.h. */
const ETHERNET = 1;
const UP = 1;

export const systemLinks: LinkSource = {
  interfaces: networkInterfaces,
  names: () => {
    try {
      return readdirSync(SYSFS);
    } catch {
      return [];
    }
  },
  attribute: (name, attribute) => {
    // A name from a file is a path here: one that is not a plain name is no link.
    if (name === '' || name === '.' || name === '..' || name.includes('/') || name.includes('\0')) return undefined;
    try {
      return readFileSync(`${SYSFS}/${name}/${attribute}`, 'utf8').trim();
    } catch {
      return undefined;
    }
  },
};

/**
 * The link called `name`, with its IPv4 addresses in the kernel's order (the first is the primary one). `message` is a whole sentence for
 * the operator: there is no such link, it is down, it has no carrier, or it has no IPv4 address.
 */
export function findLink(name: string, source: LinkSource = systemLinks): FoundLink {
  const index = Number(source.attribute(name, 'ifindex') ?? 0);
  if (index === 0) {
    const there = source.names().filter((known) => source.attribute(known, 'ifindex') !== undefined);
    return no(`There is no link ${name} on this machine. Name one of these under \`listen\`: ${there.join(', ')}.`);
  }
  const flags = Number(source.attribute(name, 'flags') ?? 0);
  if ((flags & UP) === 0) return no(`The link ${name} is down. Bring it up: ip link set ${name} up`);
  // Without a carrier its addresses are not told, so this comes before asking for them.
  if (source.attribute(name, 'carrier') === '0') {
    return no(`The link ${name} is up but has no carrier. Look at its cable, or at the other end where it is virtual.`);
  }

  const addresses: { ip: Link['addresses'][number]['ip']; length: number }[] = [];
  for (const [label, entries] of Object.entries(source.interfaces())) {
    // An address may carry a label of its own, `eth0:1`; it is an address of eth0 none the less.
    if (label !== name && !label.startsWith(`${name}:`)) continue;
    for (const { address, family, cidr } of entries ?? []) {
      const ip = family === 'IPv4' ? parseIp4(address) : undefined;
      // One address may stand there twice, with two lengths; it is one socket.
      if (ip !== undefined && addresses.every((other) => other.ip !== ip))
        addresses.push({ ip, length: Number(cidr?.split('/')[1] ?? 32) });
    }
  }
  if (addresses.length === 0) {
    return no(
      `The link ${name} has no IPv4 address. Give it the server's own address in the network that it serves, ` +
        `for example: ip address add 10.20.0.1/24 dev ${name}`,
    );
  }
  const ethernet = Number(source.attribute(name, 'type') ?? 0) === ETHERNET;
  const mac = ethernet ? parseMac(source.attribute(name, 'address') ?? '') : undefined;
  return { ok: true, link: { name, addresses, index, mac } };
}

/** `link` as a packet sees it that was sent to its address `asked`: the address that was asked answers, and so comes first. */
export function askedAt({ name, addresses }: Link, asked: Ip4): Link {
  const own = addresses.filter(({ ip }) => ip === asked);
  return { name, addresses: [...own, ...addresses.filter(({ ip }) => ip !== asked)] };
}

function no(message: string): FoundLink {
  return { ok: false, message };
}
