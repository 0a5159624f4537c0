// Starts the daemon: file, store, links, revision, then packets; and stops it without losing a batch.
import { userInfo } from 'node:os';
import { dirname, resolve } from 'node:path';
import type { Store } from '../db/store.js';
import { StoreUnusable } from '../db/store.js';
import type { Note } from '../lib/config/load.js';
import { formatNote } from '../lib/config/load.js';
import type { Ports } from '../lib/dhcp/world.js';
import type { Ip } from '../lib/net/ip.js';
import { parseIp4 } from '../lib/net/ip.js';
import type { Config } from './apply.js';
import { apply, compile } from './apply.js';
import type { Clock } from './clock.js';
import { DEMO_PORTS, demoStore, writeDemoNote } from './demo.js';
import type { Events } from './events/events.js';
import { Expiry } from './expiry.js';
import { readConfig } from './files.js';
import type { OpenOptions } from './open.js';
import { openStore } from './open.js';
import { Pipeline } from './pipeline.js';
import { reconcile } from './reconcile.js';
import { findLink } from './transport/links.js';
import { LoopbackTransport } from './transport/loopback.js';
import type { Transport } from './transport/transport.js';
import { TransportError } from './transport/transport.js';
import { Udp4Transport } from './transport/udp4.js';
import { Writer } from './writer.js';

export interface StartOptions {
  /** Path of the main configuration file. */
  readonly config: string;
  /** Path of the store, instead of the file's. */
  readonly store?: string | undefined;
  /** Loopback only, unprivileged ports, a store of its own. */
  readonly demo: boolean;
  readonly logPackets: boolean;
  readonly events: Events;
  readonly clock: Clock;
  readonly synchronous?: OpenOptions['synchronous'];
}

export interface Daemon {
  /** Takes no more packets, finishes the batch at hand, and closes everything but the log. */
  close(): Promise<void>;
}

/** `exitCode`: 1 the machine is in the way, 2 the file has mistakes, 5 the store cannot be used. `message` may have several lines. */
export type Started =
  | { readonly ok: true; readonly daemon: Daemon }
  | { readonly ok: false; readonly exitCode: 1 | 2 | 5; readonly message: string };

const PORTS: Ports = { server: 67, client: 68 };

export async function start(options: StartOptions): Promise<Started> {
  const read = await readConfig(options.config);
  if (!read.ok) return { ok: false, exitCode: 2, message: read.message };
  const compiled = compile(read.files);
  if (!compiled.ok) return { ok: false, exitCode: 2, message: mistakes(compiled.mistakes) };
  const { config } = compiled;
  if (!options.demo && config.settings.listen.length === 0) {
    const message = `${options.config}: listen: no link is named, and nothing is served unless it is; write for example \`listen: [eth0]\``;
    return { ok: false, exitCode: 2, message };
  }

  const path = storePath(options, config);
  let store: Store;
  try {
    store = openStore({ path, now: options.clock.now(), ...pick(options.synchronous) });
  } catch (error) {
    if (error instanceof StoreUnusable) return { ok: false, exitCode: 5, message: error.message };
    throw error;
  }
  try {
    return { ok: true, daemon: await serve(options, config, store, path) };
  } catch (error) {
    store.close();
    if (error instanceof TransportError) return { ok: false, exitCode: 1, message: error.message };
    if (error instanceof StoreUnusable) return { ok: false, exitCode: 5, message: error.message };
    throw error;
  }
}

function mistakes(notes: readonly Note[]): string {
  const count = notes.length === 1 ? '1 mistake' : `${notes.length} mistakes`;
  return [...notes.map(formatNote), `${count}; nothing was started`].join('\n');
}

function pick(synchronous: OpenOptions['synchronous']): Pick<OpenOptions, 'synchronous'> {
  return synchronous === undefined ? {} : { synchronous };
}

function storePath(options: StartOptions, config: Config): string {
  if (options.store !== undefined) return resolve(options.store);
  return options.demo ? resolve(demoStore()) : resolve(dirname(options.config), config.settings.store);
}

async function serve(options: StartOptions, config: Config, store: Store, path: string): Promise<Daemon> {
  const { events, clock, demo } = options;
  const links = demo ? [] : config.settings.listen;
  const own = demo ? [parseIp4('127.0.0.1') as Ip] : links.flatMap(addressesOf);
  const writer = new Writer(store, clock, { site: config.site, own }, ({ message }) => {
    events.error('store-failed', { store: path, detail: message });
  });
  const revision = await apply(writer, store, config, author());
  if (!revision.ok) throw new StoreUnusable(revision.detail ?? 'the revision could not be written');
  for (const note of config.warnings) events.warn('config-warning', { at: formatNote(note) });
  const bound = await reconcile(store, writer, events);

  const ports = demo ? DEMO_PORTS : PORTS;
  const failed = (code: string): void => {
    events.sendFailed(code);
  };
  const notice = (sentence: string): void => {
    events.warn('transport', { sentence });
  };
  const transport: Transport = demo
    ? new LoopbackTransport({ port: ports.server, failed })
    : new Udp4Transport({ links, port: ports.server, failed, notice });
  const pipeline = new Pipeline(writer, transport, events, { ports, logPackets: options.logPackets });
  await transport.open(pipeline.receive);
  const expiry = new Expiry(store, writer, clock, events);
  expiry.start();
  if (demo) writeDemoNote(config.site, path);
  events.info('serving', {
    links: demo ? ['127.0.0.1'] : links,
    port: ports.server,
    store: path,
    revision: revision.value,
    networks: config.site.networks.length,
    interfaces: config.declarations.length,
    bound,
  });
  return {
    async close() {
      expiry.stop();
      pipeline.stop();
      writer.flush();
      await transport.close();
      store.close();
      events.info('stopped', { ...events.counters() });
    },
  };
}

/** Who started this process; a user without a name (a container's, say) goes by number. */
function author(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid:${process.getuid?.() ?? 'unknown'}`;
  }
}

/** A link that is not there is the transport's to report, with a sentence. */
function addressesOf(name: string): readonly Ip[] {
  const found = findLink(name);
  return found.ok ? found.link.addresses.map(({ ip }) => ip) : [];
}
