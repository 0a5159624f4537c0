// `leasehold leases`: who holds what.
import type { CommandModule } from 'yargs';
import type { Listed } from '../../db/store.js';
import { formatIp } from '../../lib/net/ip.js';
import { escapeText } from '../../server/events/log.js';
import type { StoreArguments } from './where.js';
import { findStore, storeOptions } from './where.js';
import { table, time } from '../text.js';

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
      const now = Date.now();
      const rows = found.reader.list(
        (row) => row.binding !== undefined && (args.network ?? row.network) === row.network,
      );
      if (args.json)
        console.log(JSON.stringify(rows.map((row) => leaseAsJson(row, now)), null, 2)); // prettier-ignore
      else if (rows.length === 0) console.log('Nobody holds an address.');
      else console.log(leasesAsText(rows, now));
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

/** The table of {@link leases}. */
export function leasesAsText(rows: readonly Listed[], now: number): string {
  const lines = rows.map((row) => {
    const { binding, owner, network, declaration, pin } = row;
    if (binding === undefined) return [];
    const ends = binding.end === undefined ? 'never' : time(binding.end);
    const machine = declaration === undefined ? '-' : `${declaration.machine}/${declaration.role}`;
    const since = binding.source === undefined ? '' : ` ${binding.source.file}:${binding.source.line}`;
    return [
      formatIp(binding.address),
      owner,
      escapeText(machine),
      network,
      stateOf(row, now),
      pin?.policy ?? '-',
      ends,
      `${pin?.revision ?? binding.revision}${since}`,
    ];
  });
  return table(['ADDRESS', 'OWNER', 'MACHINE', 'NETWORK', 'STATE', 'PINNED', 'ENDS', 'REVISION'], lines);
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
