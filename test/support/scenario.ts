// Scenarios: the same story told to a server whose store is in memory and to one whose store is a file, and files as operators write them.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Served } from './served.js';

/** Machines of the scenarios; what is declared of each is the scenario's own. */
export const m1 = '02:00:00:00:00:01';
export const m2 = '02:00:00:00:00:02';
export const m3 = '02:00:00:00:00:03';
export const m4 = '02:00:00:00:00:04';

/** The server's address on network a (link eth0) and on network b (link eth1). */
export const links = { eth0: '10.20.0.1', eth1: '10.30.0.1' } as const;

const networkA = {
  name: 'a',
  prefixes: ['10.20.0.0/24', 'fd00:20::/64'],
  gateway: '10.20.0.254',
  pools: ['10.20.0.100-10.20.0.199'],
};
const networkB = { name: 'b', prefixes: ['10.30.0.0/24'], pools: ['10.30.0.100-10.30.0.199'] };

type More = Readonly<Record<string, unknown>>;

/** One declared interface; `ipv4`, `ipv6`, `policy`, `network` as in the file. */
export interface Machine {
  readonly mac: string | readonly string[];
  readonly ipv4?: string;
  readonly ipv6?: string;
  readonly policy?: string;
  readonly network?: string;
}

/** A configuration: network a and, where `b` is given, b, with what is said otherwise; one line a network and a machine. */
export function file(
  machines: readonly Machine[],
  { a, b, ...top }: { readonly a?: More; readonly b?: More } & More = {},
): string {
  const networks = [{ ...networkA, ...a }, ...(b === undefined ? [] : [{ ...networkB, ...b }])];
  const items = (all: readonly unknown[]): string => all.map((one) => `\n  - ${JSON.stringify(one)}`).join('');
  const named = machines.map((one, i) => ({ name: `node${i + 1}`, interfaces: [one] }));
  const rest = Object.entries(top).map(([key, value]) => `${key}: ${JSON.stringify(value)}\n`);
  // JSON is YAML.
  const list = named.length === 0 ? '' : `machines:${items(named)}\n`;
  return `listen: [eth0]\n${rest.join('')}networks:${items(networks)}\n${list}`;
}

/** Opens the server of one scenario. */
export type Open = (text: string) => Promise<Served>;

/** A test by its number, told twice: with the store in memory and on disk, where a restart opens it anew. */
export function scenario(title: string, tell: (open: Open) => Promise<void>): void {
  it(`${title} (in memory)`, () => told(':memory:', tell));
  it(`${title} (on disk)`, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'leasehold-'));
    try {
      await told(join(folder, 'leasehold.db'), tell);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
}

async function told(path: string, tell: (open: Open) => Promise<void>): Promise<void> {
  const opened: Served[] = [];
  try {
    await tell(async (text) => {
      const served = await Served.open({ text, path, links });
      opened.push(served);
      return served;
    });
  } finally {
    for (const served of opened) served.close();
  }
}
