// The demo: where it serves, where its store is, and the note by which the other commands find it. Loopback only, whoever starts it.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Site } from '../lib/ipam/site.js';
import { formatIp } from '../lib/net/ip.js';
import type { Ports } from '../lib/dhcp/world.js';

export const DEMO_FOLDER = '.leasehold';
export const DEMO_PORTS: Ports = { server: 1067, client: 1068 };

/** What `serve --demo` leaves for `probe`, `leases` and `explain` in the folder that it was started in. */
export interface DemoNote {
  readonly server: string;
  readonly port: number;
  /** An address of the first network: what a probe asks for without `--link`. */
  readonly link: string;
  readonly store: string;
}

const NOTE = join(DEMO_FOLDER, 'demo.json');

export function demoStore(): string {
  mkdirSync(DEMO_FOLDER, { recursive: true });
  return join(DEMO_FOLDER, 'leasehold.db');
}

export function writeDemoNote(site: Site, store: string): DemoNote {
  const prefix = site.networks.flatMap((network) => network.prefixes).find(({ first }) => typeof first === 'number');
  const link = prefix === undefined ? '0.0.0.0' : formatIp(prefix.first);
  const note: DemoNote = { server: '127.0.0.1', port: DEMO_PORTS.server, link, store };
  writeFileSync(NOTE, `${JSON.stringify(note, null, 2)}\n`);
  return note;
}

/** The note in the current folder; undefined where no demo was started here, or it cannot be read. */
export function readDemoNote(): DemoNote | undefined {
  try {
    const note = JSON.parse(readFileSync(NOTE, 'utf8')) as Partial<DemoNote>;
    const { server, port, link, store } = note;
    if (server === undefined || port === undefined || link === undefined || store === undefined) return undefined;
    return { server, port, link, store };
  } catch {
    return undefined;
  }
}
