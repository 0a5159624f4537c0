// Starts the daemon: file, store, links, revision, then packets; and stops it without losing a batch.
import { existsSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, resolve } from 'node:path';
import type { Store } from '../db/store.js';
import { StoreUnusable } from '../db/store.js';
import { DEFAULT_STORE, formatNote } from '../lib/config/load.js';
import type { Ports } from '../lib/dhcp/world.js';
import type { Ip } from '../lib/net/ip.js';
import { parseIp4 } from '../lib/net/ip.js';
import type { Config } from './apply.js';
import { apply, compile, emptySite, lastGood, tidy } from './apply.js';
import type { Clock } from './clock.js';
import { DEMO_PORTS, demoStore, writeDemoNote } from './demo.js';
import type { Events } from './events/events.js';
import { Expiry } from './expiry.js';
import { readConfig } from './files.js';
import type { OpenOptions } from './open.js';
import { openStore } from './open.js';
import { Pipeline } from './pipeline.js';
import { reconcile } from './reconcile.js';
import { Reloader, sayRefused } from './reload.js';
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
  /** Takes up the edited files, or says why not. */
  reload(): Promise<void>;
  /** Takes no more packets, finishes the batch at hand, and closes everything but the log. */
  close(): Promise<void>;
}

/** `exitCode`: 1 the machine is in the way, 2 the file has mistakes, 5 the store cannot be used. `message` may have several lines. */
export type Started =
  | { readonly ok: true; readonly daemon: Daemon }
  | { readonly ok: false; readonly exitCode: 1 | 2 | 5; readonly message: string };

const PORTS: Ports = { server: 67, client: 68 };

/** What the file came to: a configuration, or why there is none. `settings` are known as far as the file can be read. */
type Candidate =
  | { readonly ok: true; readonly config: Config }
  | { readonly ok: false; readonly problems: readonly string[]; readonly store: string };

async function candidateFrom(path: string): Promise<Candidate> {
  const read = await readConfig(path);
  if (!read.ok) return { ok: false, problems: [read.message], store: DEFAULT_STORE };
  const compiled = compile(read.files);
  if (compiled.ok) return compiled;
  return { ok: false, problems: compiled.mistakes.map(formatNote), store: compiled.settings.store };
}

export async function start(options: StartOptions): Promise<Started> {
  const candidate = await candidateFrom(options.config);
  const path = storePath(options, candidate.ok ? candidate.config.settings.store : candidate.store);
  // A broken file may have a good one before it, but only in a store that is there.
  if (!candidate.ok && !existsSync(path)) return refused(candidate.problems);
  let store: Store;
  try {
    store = openStore({ path, now: options.clock.now(), ...pick(options.synchronous) });
  } catch (error) {
    if (error instanceof StoreUnusable) return { ok: false, exitCode: 5, message: error.message };
    throw error;
  }
  try {
    const started = await serve(options, candidate, store, path);
    if (!started.ok) store.close();
    return started;
  } catch (error) {
    store.close();
    if (error instanceof TransportError) return { ok: false, exitCode: 1, message: error.message };
    if (error instanceof StoreUnusable) return { ok: false, exitCode: 5, message: error.message };
    throw error;
  }
}

function refused(problems: readonly string[]): Started {
  const count = problems.length === 1 ? '1 mistake' : `${problems.length} mistakes`;
  return { ok: false, exitCode: 2, message: [...problems, `${count}; nothing was started`].join('\n') };
}

function pick(synchronous: OpenOptions['synchronous']): Pick<OpenOptions, 'synchronous'> {
  return synchronous === undefined ? {} : { synchronous };
}

function storePath(options: StartOptions, configured: string): string {
  if (options.store !== undefined) return resolve(options.store);
  return options.demo ? resolve(demoStore()) : resolve(dirname(options.config), configured);
}

async function serve(options: StartOptions, candidate: Candidate, store: Store, path: string): Promise<Started> {
  const { events, clock, demo } = options;
  const before = lastGood(store);
  const wanted = candidate.ok ? candidate.config : before;
  if (wanted === undefined) return refused(candidate.ok ? [] : candidate.problems);
  if (!demo && wanted.settings.listen.length === 0) {
    const message = `${options.config}: listen: no link is named, and nothing is served unless it is; write for example \`listen: [eth0]\``;
    return { ok: false, exitCode: 2, message };
  }
  const own = demo ? [parseIp4('127.0.0.1') as Ip] : wanted.settings.listen.flatMap(addressesOf);
  const writer = new Writer(store, clock, { site: before?.site ?? emptySite, own }, ({ message }) => {
    events.error('store-failed', { store: path, detail: message });
  });
  await tidy(writer, store);
  const adopted = await adopt(options, candidate, writer, store);
  const config = adopted ? wanted : before;
  if (config === undefined) return refused(['the file is refused, and no earlier one was ever taken up']);
  if (!adopted) events.warn('last-good-revision', { revision: store.view.revision() });
  const links = demo ? [] : config.settings.listen;
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
  const reloader = new Reloader({ path: options.config, writer, store, events, author: author() }, config);
  if (demo) writeDemoNote(config.site, path);
  events.info('serving', {
    links: demo ? ['127.0.0.1'] : links,
    port: ports.server,
    store: path,
    revision: store.view.revision(),
    networks: config.site.networks.length,
    interfaces: config.declarations.length,
    bound,
  });
  const daemon: Daemon = {
    reload: () => reloader.reload(),
    async close() {
      expiry.stop();
      pipeline.stop();
      writer.flush();
      await reloader.stop();
      await transport.close();
      store.close();
      events.info('stopped', { ...events.counters() });
    },
  };
  return { ok: true, daemon };
}

/** Makes the file's configuration the current revision; false, and said loudly, where it cannot be. */
async function adopt(options: StartOptions, candidate: Candidate, writer: Writer, store: Store): Promise<boolean> {
  if (!candidate.ok) {
    sayRefused(options.events, options.config, candidate.problems);
    return false;
  }
  const done = await apply(writer, store, candidate.config, author());
  if (done.ok) return true;
  if (done.reason !== 'stranded') throw new StoreUnusable(done.detail ?? 'the revision could not be written');
  sayRefused(options.events, options.config, (done.detail ?? '').split('\n'));
  return false;
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
