// Takes up an edited configuration while packets flow: all of it, or nothing and the reasons why not.
import type { Store } from '../db/store.js';
import { formatNote } from '../lib/config/load.js';
import type { Config } from './apply.js';
import { apply } from './apply.js';
import { compileAside } from './compile-aside.js';
import type { Events } from './events/events.js';
import { readConfig } from './files.js';
import { reconcile } from './reconcile.js';
import type { Writer } from './writer.js';

/** How many mistakes are logged one by one. */
const MOST_SAID = 20;

/** Says why a configuration is not taken up; the first lines one by one. */
export function sayRefused(events: Events, file: string, problems: readonly string[]): void {
  for (const problem of problems.slice(0, MOST_SAID)) events.error('config-refused', { file, problem });
  const more = problems.length - MOST_SAID;
  if (more > 0) events.error('config-refused', { file, problem: `and ${more} more: run leasehold check` });
}

export interface Reloading {
  readonly path: string;
  readonly writer: Writer;
  readonly store: Store;
  readonly events: Events;
  readonly author: string;
}

export class Reloader {
  readonly #with: Reloading;
  readonly #serving: Config;
  #running: Promise<void> | undefined;
  #again = false;
  #stopped = false;
  /** The part of a reload that uses the store. */
  #taking: Promise<void> = Promise.resolve();

  constructor(reloading: Reloading, serving: Config) {
    this.#with = reloading;
    this.#serving = serving;
  }

  /** Reads the files again and takes them up. One at a time: a call during another makes that one start over when it is done. */
  reload(): Promise<void> {
    if (this.#running !== undefined) {
      this.#again = true;
      return this.#running;
    }
    this.#running = this.#untilCurrent().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  /** Takes up nothing any more; resolves when the store is not used from here. What is being parsed is forgotten. */
  stop(): Promise<void> {
    this.#stopped = true;
    return this.#taking;
  }

  async #untilCurrent(): Promise<void> {
    await this.#once();
    if (!this.#again || this.#stopped) return;
    this.#again = false;
    await this.#untilCurrent();
  }

  async #once(): Promise<void> {
    const { path, events } = this.#with;
    const read = await readConfig(path);
    if (!read.ok) {
      sayRefused(events, path, [read.message]);
      return;
    }
    const compiled = await compileAside(read.files);
    if (!compiled.ok) {
      sayRefused(events, path, compiled.mistakes.map(formatNote));
      return;
    }
    if (this.#stopped) return;
    this.#taking = this.#take(compiled.config);
    await this.#taking;
  }

  async #take(config: Config): Promise<void> {
    const { path, writer, store, events, author } = this.#with;
    const before = store.view.revision();
    const done = await apply(writer, store, config, author);
    if (!done.ok) {
      sayRefused(events, path, (done.detail ?? done.reason).split('\n'));
      return;
    }
    for (const note of config.warnings) events.warn('config-warning', { at: formatNote(note) });
    this.#warnOfRestart(config);
    const bound = await reconcile(store, writer, events);
    const unchanged = done.value === before;
    events.info('reloaded', { revision: done.value, unchanged, interfaces: config.declarations.length, bound });
  }

  /** What is the process's own and cannot change under it. */
  #warnOfRestart(config: Config): void {
    const [now, then] = [this.#serving.settings, config.settings];
    const changed = [
      ...(now.listen.join() === then.listen.join() ? [] : ['listen']),
      ...(now.store === then.store ? [] : ['server.store']),
    ];
    if (changed.length > 0) this.#with.events.warn('restart-needed', { changed });
  }
}
