// The probe's arguments, from text to values: all mistakes at once, each with what would be right.
import { parse as parseYaml } from 'yaml';
import type { Mac } from '../../lib/net/ids.js';
import { fromHex, macFromBytes, macToBytes, parseMac } from '../../lib/net/ids.js';
import type { Ip4 } from '../../lib/net/ip.js';
import { parseIp4 } from '../../lib/net/ip.js';
import { parsePrefix } from '../../lib/net/prefix.js';
import { encodeField } from '../../lib/wire/fields.js';
import { code, optionByName } from '../../lib/wire/options4.js';
import type { DemoNote } from '../../server/demo.js';
import type { Wishes } from './converse.js';

/** yargs gives a list where an option stands there twice. */
type Text = string | readonly string[] | undefined;
type Flag = boolean | readonly boolean[] | undefined;

/** What the command line holds. */
export interface Arguments {
  readonly server?: Text;
  readonly link?: Text;
  readonly mac?: Text;
  readonly count?: Text;
  readonly timeout?: Text;
  readonly request?: Text;
  readonly reboot?: Text;
  readonly release?: Flag;
  readonly vendorClass?: Text;
  readonly clientId?: Text;
  readonly option?: Text;
  readonly json?: Flag;
}

/** Where the demo serves: the part of its note that a probe needs. */
export type Demo = Pick<DemoNote, 'server' | 'port' | 'link'>;

export interface Settings {
  /** A name or an address. */
  readonly host: string;
  readonly port: number;
  readonly link: Ip4 | undefined;
  readonly macs: readonly Mac[];
  readonly timeout: number;
  readonly wishes: Wishes;
  readonly options: ReadonlyMap<number, Uint8Array>;
  readonly json: boolean;
}

export type ReadSettings =
  { readonly ok: true; readonly value: Settings } | { readonly ok: false; readonly mistakes: readonly string[] };

const SERVER_PORT = 67;
const MOST_MACS = 100_000;
const MOST_SECONDS = 3600;
/** Written by the probe itself, or by its relay. */
const own = new Set<number>([
  code.requestedAddress,
  code.overload,
  code.messageType,
  code.serverIdentifier,
  code.relayAgentInformation,
]);

/** Reads the arguments; `demo` is the one of this folder, where one was started here. */
export function readSettings(given: Arguments, demo: Demo | undefined): ReadSettings {
  const mistakes: string[] = [];

  /** The one value of an option; undefined, and a mistake where it is none, if `read` makes nothing of it. */
  const one = <T>(name: string, value: Text, right: string, read: (text: string) => T | undefined): T | undefined => {
    if (value === undefined) return undefined;
    const found = typeof value === 'string' ? read(value) : undefined;
    if (found !== undefined) return found;
    if (typeof value !== 'string') mistakes.push(`--${name} is given ${value.length} times; give it once.`);
    else mistakes.push(`--${name} ${value}: it should be ${right}.`);
    return undefined;
  };

  const address = 'an IPv4 address, such as 10.20.0.11';
  const server = one(
    'server',
    given.server,
    'a name or IPv4 address, with or without a port: 10.20.0.1:67',
    readServer,
  );
  const link = one(
    'link',
    given.link,
    'an IPv4 address or prefix of the network to ask for, such as 10.20.0.0/24',
    readLink,
  );
  const first = one('mac', given.mac, 'a MAC address, such as 02:00:00:00:00:01', parseMac);
  const count =
    one('count', given.count, `a whole number from 1 to ${MOST_MACS}`, (text) => whole(text, MOST_MACS)) ?? 1;
  const timeout = one('timeout', given.timeout, `seconds over 0 and at most ${MOST_SECONDS}`, readSeconds) ?? 5;
  const request = one('request', given.request, address, parseIp4);
  const reboot = one('reboot', given.reboot, address, parseIp4);
  const vendorClass = one('vendor-class', given.vendorClass, 'a text', (text) =>
    encoded('vendor-class-identifier', text),
  );
  const clientId = one(
    'client-id',
    given.clientId,
    'octets as hexadecimal digits, such as 01:02:00:00:00:00:01',
    octets,
  );

  if (given.mac === undefined) mistakes.push('--mac is missing: name the client, for example --mac 02:00:00:00:00:01.');
  if (request !== undefined && reboot !== undefined) {
    mistakes.push('--request and --reboot exclude each other: the one asks in a DISCOVER, the other goes without.');
  }
  const options = new Map<number, Uint8Array>();
  if (vendorClass !== undefined) options.set(code.vendorClass, vendorClass);
  if (clientId !== undefined) options.set(code.clientIdentifier, clientId);
  for (const text of given.option === undefined ? [] : [given.option].flat()) {
    const option = readOption(text);
    if (typeof option === 'string') mistakes.push(option);
    else options.set(...option);
  }
  const macs = first === undefined ? [] : macsFrom(first, count);
  if (macs === undefined)
    mistakes.push(`--count ${count}: from ${String(first)} on there are not so many MAC addresses.`);

  let target = server;
  let asked = link;
  if (given.server === undefined) {
    if (demo !== undefined) {
      target = { host: demo.server, port: demo.port };
      asked ??= readLink(demo.link);
    } else {
      mistakes.push(
        'There is no demo to ask here: start one with `npm start`, or name the server with --server and the network with --link.',
      );
    }
  } else if (server !== undefined && isLoopback(server.host) && given.link === undefined) {
    mistakes.push(
      '--link is missing: on the loopback link only it says for which network to ask, for example --link 10.20.0.0/24.',
    );
  }

  if (mistakes.length > 0 || target === undefined || macs === undefined) return { ok: false, mistakes };
  const wishes: Wishes = {
    release: isOn(given.release),
    ...(request === undefined ? {} : { request }),
    ...(reboot === undefined ? {} : { reboot }),
  };
  const { host, port } = target;
  return { ok: true, value: { host, port, link: asked, macs, timeout, wishes, options, json: isOn(given.json) } };
}

function isOn(flag: Flag): boolean {
  return [flag].flat().at(-1) === true;
}

function readServer(text: string): { host: string; port: number } | undefined {
  const [, host, digits] = /^([A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9.])?)(?::(\d+))?$/.exec(text) ?? [];
  if (host === undefined) return undefined;
  // Digits and dots alone are meant for an address, and then must be one.
  if (/^[\d.]+$/.test(host) && parseIp4(host) === undefined) return undefined;
  const port = digits === undefined ? SERVER_PORT : whole(digits, 65_535);
  return port === undefined ? undefined : { host, port };
}

function readLink(text: string): Ip4 | undefined {
  const ip = parseIp4(text);
  if (ip !== undefined) return ip;
  const prefix = parsePrefix(text);
  return typeof prefix === 'string' || typeof prefix.first !== 'number' ? undefined : prefix.first;
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host.startsWith('127.');
}

function whole(text: string, most: number): number | undefined {
  const value = /^[1-9]\d{0,8}$/.test(text) ? Number(text) : 0;
  return value >= 1 && value <= most ? value : undefined;
}

function readSeconds(text: string): number | undefined {
  const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : 0;
  return value > 0 && value <= MOST_SECONDS ? value : undefined;
}

function octets(text: string): Uint8Array | undefined {
  const found = fromHex(text);
  return found === undefined || found.length === 0 ? undefined : found;
}

/** `name=value`, the value as a configuration writes it; or the sentence that says what is wrong. */
function readOption(text: string): [code: number, value: Uint8Array] | string {
  const equals = text.indexOf('=');
  const name = equals < 0 ? text : text.slice(0, equals);
  const row = optionByName(name);
  if (row === undefined)
    return `--option ${text}: no option is called ${name}; write NAME=VALUE, such as host-name=node1.`;
  if (own.has(row.code)) return `--option ${text}: the probe writes ${name} itself.`;
  const value = equals < 0 ? '' : text.slice(equals + 1);
  const result = encodeField(row.field, value);
  if (result.ok) return [row.code, result.bytes];
  // Numbers, lists and truth values are written as in YAML.
  let structured: unknown;
  try {
    structured = parseYaml(value);
  } catch {
    structured = undefined;
  }
  const again = encodeField(row.field, structured);
  return again.ok ? [row.code, again.bytes] : `--option ${text}: it should be ${again.right}.`;
}

function encoded(name: string, text: string): Uint8Array | undefined {
  const row = optionByName(name);
  const result = row === undefined ? undefined : encodeField(row.field, text);
  return result?.ok === true ? result.bytes : undefined;
}

/** `count` MACs from `first` on; undefined where they end before. */
function macsFrom(first: Mac, count: number): readonly Mac[] | undefined {
  const start = macToBytes(first).reduce((sum, octet) => sum * 256 + octet, 0);
  if (start + count > 2 ** 48) return undefined;
  return Array.from({ length: count }, (_, i) => {
    const digits = (start + i).toString(16).padStart(12, '0');
    return macFromBytes(Uint8Array.from({ length: 6 }, (_octet, at) => parseInt(digits.slice(2 * at, 2 * at + 2), 16)));
  });
}
