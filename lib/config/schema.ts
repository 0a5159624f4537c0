// The shape of the configuration: every key with what it takes and what it means. The JSON Schema for editors comes from here.
// What spans several keys is checked in the second pass (draft.ts, check-*.ts), because zod skips that once one key is wrong.
import { z } from 'zod';
import type { Word } from './words.js';
import {
  complain,
  declaredWord,
  duidWord,
  durationWord,
  fileWord,
  globWord,
  ipWord,
  linkWord,
  machineNameWord,
  macWord,
  networkNameWord,
  prefixWord,
  rangeWord,
  readSeconds,
  relayWord,
  roleWord,
  serverIdWord,
  vrfWord,
} from './words.js';

/** What the shapes that are no single word are called, and what a right one looks like; issues.ts makes the sentence. */
export const shapes: Readonly<Record<string, string>> = {
  'a map': '`key: value` lines below it, indented by two spaces',
  'a map of lease times': 'one such as {default: 1h, min: 5m, max: 24h}',
  'a list of networks': 'one item a network, beginning with `- name: `',
  'a list of machines': 'one item a machine, beginning with `- name: `',
  'a list of interfaces': 'one item an interface, beginning with `- mac: `',
  'a list of links': 'one such as [eth0]',
  'a list of patterns': 'one such as ["machines.d/*.yaml"]',
  'a map of options': '`name: value` lines below it, such as `domain-name: rack1.example`',
  'a length': 'a whole number of bits from 1 to 128, such as 56',
  'true or false': 'true or false',
};

/** Every word by its noun, which is what the schema reports where the type is wrong. */
export const wordsByNoun = new Map<string, Word<unknown>>();

function word<T>(kind: Word<T>): z.ZodString {
  wordsByNoun.set(kind.noun, kind);
  return z.string({ error: () => kind.noun }).superRefine((text, context) => {
    const read = kind.read(text);
    if (!read.ok) context.addIssue({ code: 'custom', message: complain(kind, JSON.stringify(text), read) });
  });
}

function named<S extends z.ZodType>(
  shape: (error: (issue: { code?: string }) => string | undefined) => S,
  noun: string,
): S {
  return shape((issue) => (issue.code === 'unrecognized_keys' ? undefined : noun));
}

function map<S extends z.ZodRawShape>(shape: S, noun = 'a map'): z.ZodObject<S, z.core.$strict> {
  return named((error) => z.strictObject(shape, { error }), noun);
}

function list<S extends z.ZodType>(item: S, noun: string, least = 0): z.ZodArray<S> {
  const items = z.array(item, { error: () => noun });
  return least === 0 ? items : items.min(least, { error: () => noun });
}

/** One value, or a list of them. */
function some<T>(kind: Word<T>, least = 0): z.ZodUnion<[z.ZodString, z.ZodArray<z.ZodString>]> {
  return z.union([word(kind), list(word(kind), kind.noun, least)], { error: () => kind.noun });
}

const flag = (): z.ZodBoolean => z.boolean({ error: () => 'true or false' });

function duration(): z.ZodType {
  wordsByNoun.set(durationWord.noun, durationWord);
  const seconds = z.number({ error: () => durationWord.noun }).superRefine((value, context) => {
    const read = readSeconds(value);
    if (!read.ok) context.addIssue({ code: 'custom', message: complain(durationWord, String(value), read) });
  });
  return z.union([word(durationWord), seconds], { error: () => durationWord.noun });
}

const options = (): z.ZodType => z.record(z.string(), z.unknown(), { error: () => 'a map of options' });

const lease = {
  default: duration().optional().describe('What a client gets that asks for no time. 1h unless it says otherwise.'),
  min: duration().optional().describe('The shortest time that a client can ask for. 5m unless it says otherwise.'),
  max: duration().optional().describe('The longest time that a client can ask for. 24h unless it says otherwise.'),
};

const delegate = {
  prefix: word(prefixWord).describe('The IPv6 prefix that prefixes are delegated from.'),
  length: z
    .number({ error: () => 'a length' })
    .int({ error: () => 'a length' })
    .min(1, { error: () => 'a length' })
    .max(128, { error: () => 'a length' })
    .describe('The length of a delegated prefix in bits.'),
};

const network = {
  name: word(networkNameWord).describe('The name by which machines, tables and commands know the network.'),
  vrf: word(vrfWord)
    .optional()
    .describe('The collision domain: prefixes of one VRF do not overlap. `default` unless it says otherwise.'),
  prefixes: some(prefixWord, 1).describe('One prefix or several, of both families, that are on one wire.'),
  gateway: some(ipWord)
    .optional()
    .describe(
      'The router, or a list of them, each within a prefix. Told to clients as their router, and never given away.',
    ),
  pools: some(rangeWord)
    .optional()
    .describe('Ranges within a prefix that addresses are given from. Without one only fixed addresses are served.'),
  delegate: map(delegate).optional().describe('Prefixes to delegate to IPv6 routers.'),
  reserved: some(rangeWord)
    .optional()
    .describe('Addresses and ranges within a prefix that are never given to anybody.'),
  relays: some(relayWord)
    .optional()
    .describe(
      'The addresses and prefixes whose relayed packets are taken, and whose link selection, server identifier override and own port count. ' +
        'Without it, relays whose giaddr lies within the network are taken, and nothing else that they say of themselves counts.',
    ),
  allocation: z
    .enum(['dynamic', 'reserved'])
    .optional()
    .describe(
      '`reserved` gives addresses only to those who have a static or parked one. `dynamic` unless it says otherwise.',
    ),
  unknown: z
    .enum(['allow', 'ignore'])
    .optional()
    .describe('Whether machines that no declaration names are served. `allow` unless it says otherwise.'),
  roaming: z
    .enum(['allow', 'ignore'])
    .optional()
    .describe('Whether machines declared for another network are served here. `allow` unless it says otherwise.'),
  identity: z
    .enum(['mac', 'client-id'])
    .optional()
    .describe('What tells undeclared clients apart. `mac` unless it says otherwise.'),
  lease: map(lease, 'a map of lease times')
    .optional()
    .describe('Lease times of this network; what is not written is as for everyone.'),
  options: options().optional().describe('DHCP options of this network, by the names that IANA gives them.'),
};

const policy = ['dynamic', 'fixed', 'retained', 'preserved'] as const;

const iface = {
  mac: some(macWord, 1).describe('The MAC address; of a list the first is the owner, the others are aliases of it.'),
  role: word(roleWord)
    .optional()
    .describe(
      'What the interface is in its machine, in one free word such as host, host_bmc or dpu_os. `host` unless it says otherwise.',
    ),
  primary: flag().optional().describe('Whether this is the main interface of its machine; one of them at most is.'),
  ipv4: word(declaredWord('ipv4'))
    .optional()
    .describe('An IPv4 address, which means fixed, or a policy: dynamic, retained or preserved.'),
  ipv6: word(declaredWord('ipv6'))
    .optional()
    .describe('An IPv6 address, which means fixed, or a policy: dynamic, retained or preserved.'),
  policy: z
    .enum(policy)
    .optional()
    .describe(
      'The policy of both families, where they say nothing of their own; `fixed` needs an address. `retained` unless it says otherwise, and dynamic beside a family that has an address.',
    ),
  network: word(networkNameWord)
    .optional()
    .describe('The one network in which this holds; elsewhere the interface counts as undeclared.'),
};

const machine = {
  name: word(machineNameWord).describe('The name of the machine.'),
  interfaces: list(map(iface), 'a list of interfaces', 1).describe('The interfaces of the machine.'),
  options: options().optional().describe('DHCP options of this machine, which win over those of its network.'),
};

const server = {
  store: word(fileWord)
    .optional()
    .describe(
      "The SQLite file that holds all state, from this file's folder. `leasehold.db` unless it says otherwise.",
    ),
  'server-id': word(serverIdWord)
    .optional()
    .describe('What this server calls itself in DHCPv4 (option 54). The address of the link unless it says otherwise.'),
  duid: word(duidWord)
    .optional()
    .describe('What this server calls itself in DHCPv6. `auto` makes one and keeps it in the store.'),
  socket: word(fileWord).optional().describe('The admin socket.'),
};

const interfaces = {
  keep: duration()
    .optional()
    .describe(
      'How long an interface that no declaration names is remembered after its last lease ended. 30d unless it says otherwise.',
    ),
};

/** What an included file may hold. */
const included = {
  networks: list(map(network), 'a list of networks').optional().describe('The networks that are served.'),
  machines: list(map(machine), 'a list of machines').optional().describe('The machines that are known.'),
};

const main = {
  server: map(server).optional().describe('The server itself.'),
  lease: map(lease, 'a map of lease times').optional().describe('Lease times for everyone.'),
  interfaces: map(interfaces).optional().describe('What is remembered of interfaces.'),
  listen: list(word(linkWord), 'a list of links')
    .optional()
    .describe('The links to serve. Nothing is served unless it is named.'),
  watch: flag()
    .optional()
    .describe('Whether edits of the file are taken over by themselves. `false` unless it says otherwise.'),
  include: list(word(globWord), 'a list of patterns')
    .optional()
    .describe("Further files below this file's folder, with networks and machines; * and ? are wildcards."),
  options: options()
    .optional()
    .describe(
      'DHCP options for everyone, by the names that IANA gives them; a network or a machine may say otherwise.',
    ),
  ...included,
};

export const mainSchema = map(main);
export const includedSchema = map(included);

/** The keys that each map knows, by the path of the map without its indexes. */
export const knownKeys: Readonly<Record<string, readonly string[]>> = {
  '': Object.keys(main),
  server: Object.keys(server),
  lease: Object.keys(lease),
  interfaces: Object.keys(interfaces),
  networks: Object.keys(network),
  'networks.lease': Object.keys(lease),
  'networks.delegate': Object.keys(delegate),
  machines: Object.keys(machine),
  'machines.interfaces': Object.keys(iface),
};

/** The JSON Schema (2020-12) of the main file, for editors. */
function jsonSchema(): Record<string, unknown> {
  const { $schema, ...rest } = z.toJSONSchema(mainSchema, { io: 'input' });
  const title = 'Leasehold configuration';
  return { $schema, title, description: 'The configuration of a Leasehold DHCP server.', ...rest };
}

/** The text of dhcpd.schema.json; a test holds that file and the schema together. */
export function jsonSchemaText(): string {
  return `${JSON.stringify(jsonSchema(), undefined, 2)}\n`;
}
