// `leasehold leases`: who holds what.
import type { CommandModule } from 'yargs';
import type { Listed } from '../../db/store.js';
import type { Hold } from '../../lib/ipam/model.js';
import type { Ip } from '../../lib/net/ip.js';
import { formatIp } from '../../lib/net/ip.js';
import { escapeText } from '../../server/events/log.js';
import type { StoreArguments } from './where.js';
import { findStore, storeOptions } from './where.js';
import { columns, time } from '../text.js';

interface Arguments extends StoreArguments {
  network: string | undefined;
  json: boolean;
}

export const leases: CommandModule<object, Arguments> = {
  command: 'leases',
  describe: 'List who holds which address',
  builder: (yargs) =>
    yargs
      .option('store', storeOptions.store)
      .option('config', storeOptions.config)
      .option('network', { type: 'string', requiresArg: true, describe: 'Only this network' })
      .option('json', { type: 'boolean', default: false, describe: 'As JSON' }),
  handler: async (args) => {
    const found = await findStore(args);
    if (!found.ok) {
      console.error(found.message);
      process.exitCode = found.exitCode;
      return;
    }
    try {
      const { network } = args;
      const isMeant = (row: { readonly network: string }): boolean => (network ?? row.network) === row.network;
      const rows = found.reader.list((row) => row.binding !== undefined && isMeant(row));
      const holds = found.reader.holds().filter(isMeant);
      const now = Date.now();
      if (args.json) console.log(JSON.stringify(leasesAsJson(rows, holds, now), null, 2));
      else if (rows.length + holds.length > 0) console.log(leasesAsText(rows, holds, now));
      else console.log(`Nobody holds an address${network === undefined ? '' : ` in network ${escapeText(network)}`}.`);
    } finally {
      found.reader.close();
    }
  },
};

/** What the binding is in at `now`: a lease whose end has passed counts as ended before its row is gone. */
function stateOf({ binding }: Listed, now: number): 'lease' | 'static' | 'ended' {
  if (binding?.end !== undefined && binding.end <= now) return 'ended';
  return binding?.kind ?? 'ended';
}

/** Whether a client was promised the address for longer than until `now`. */
function hasClient({ binding }: Listed, now: number): boolean {
  return binding?.clientUntil !== undefined && binding.clientUntil > now;
}

const HEAD = ['ADDRESS', 'OWNER', 'MACHINE', 'NETWORK', 'STATE', 'CLIENT', 'POLICY', 'ENDS', 'REVISION', 'LINE'];

/** The table of {@link leases}: who holds what, and what is kept back from everybody, by address. */
export function leasesAsText(rows: readonly Listed[], holds: readonly Hold[], now: number): string {
  const held = rows.map((row) => {
    const { binding, owner, network, declaration, pin } = row;
    const line = [
      owner,
      declaration === undefined ? '-' : escapeText(`${declaration.machine}/${declaration.role}`),
      network,
      stateOf(row, now),
      hasClient(row, now) ? 'yes' : 'no',
      pin?.policy ?? '-',
      binding?.end === undefined ? 'never' : time(binding.end),
      String(pin?.revision ?? '-'),
      pin?.source === undefined ? '-' : `${escapeText(pin.source.file)}:${pin.source.line}`,
    ];
    return { address: binding?.address, line };
  });
  const kept = holds.map(({ address, owner, network, kind, until }) => {
    const end = until === undefined ? 'never' : time(until);
    return { address, line: [owner, '-', network, kind, 'no', '-', end, '-', '-'] };
  });
  const all = [...held, ...kept].sort((a, b) => byAddress(a.address, b.address));
  const lines = all.map(({ address, line }) => [address === undefined ? '-' : formatIp(address), ...line]);
  return columns([HEAD, ...lines]).join('\n');
}

function byAddress(a: Ip | undefined, b: Ip | undefined): number {
  if (typeof a !== typeof b || a === undefined || b === undefined) return typeof a === 'number' ? -1 : 1;
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The rows of `leases --json`, in the order of the table's two parts. */
export function leasesAsJson(
  rows: readonly Listed[],
  holds: readonly Hold[],
  now: number,
): readonly Readonly<Record<string, unknown>>[] {
  return [...rows.map((row) => leaseAsJson(row, now)), ...holds.map(holdAsJson)];
}

/** One row of `leases --json`; times are RFC 3339. */
export function leaseAsJson(row: Listed, now: number): Readonly<Record<string, unknown>> {
  const { binding, pin, declaration, owner, network, vrf, resource } = row;
  return {
    address: binding && formatIp(binding.address),
    resource,
    owner,
    network,
    vrf,
    state: stateOf(row, now),
    machine: declaration?.machine ?? null,
    role: declaration?.role ?? null,
    policy: pin?.policy ?? null,
    origin: pin?.origin ?? null,
    revision: pin?.revision ?? null,
    file: pin?.source?.file ?? null,
    line: pin?.source?.line ?? null,
    ends: binding?.end === undefined ? null : time(binding.end),
    client_until: binding?.clientUntil === undefined ? null : time(binding.clientUntil),
    since: binding === undefined ? null : time(binding.at),
    actor: binding?.actor ?? null,
    seq: binding?.seq ?? null,
  };
}

/** An address that is kept back, as a row of `leases --json`: `state` is parked, cooling or quarantine, and nothing is pinned. */
function holdAsJson({ address, resource, owner, network, vrf, kind, until }: Hold): Readonly<Record<string, unknown>> {
  const nothing = { machine: null, role: null, policy: null, origin: null, revision: null, file: null, line: null };
  const ends = until === undefined ? null : time(until);
  const made = { client_until: null, since: null, actor: null, seq: null };
  return { address: formatIp(address), resource, owner, network, vrf, state: kind, ...nothing, ends, ...made };
}
