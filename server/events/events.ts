// What the daemon tells its operator: counters by reason, and operational events. What happened to an address is in the journal.
import type { Reason } from '../../lib/net/reason.js';
import { formatIp } from '../../lib/net/ip.js';
import type { Ip } from '../../lib/net/ip.js';

/** What an event says beside its name; undefined values are left out. */
export type Facts = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

/** Where events go; `log.ts` has the real one. */
export interface Sink {
  write(level: 'error' | 'warn' | 'info', event: string, facts: Facts): void;
  /** Resolves when everything is written. */
  close(): Promise<void>;
}

/** A refused owner asks again every few seconds; one report in this time says it. */
const QUIET = 600_000;
const MOST_REMEMBERED = 10_000;
/** Whoever sends as many names as it likes does not fill the log: so many reports a minute, then only the counters. */
const MOST_A_MINUTE = 60;
const MINUTE = 60_000;

export class Events {
  readonly #sink: Sink;
  readonly #now: () => number;
  readonly #counters = new Map<Reason | `send:${string}`, number>();
  readonly #lastSaid = new Map<string, number>();
  #minute = { began: 0, said: 0 };

  constructor(sink: Sink, now: () => number) {
    this.#sink = sink;
    this.#now = now;
  }

  count(reason: Reason): void {
    this.#counters.set(reason, (this.#counters.get(reason) ?? 0) + 1);
  }

  /** An answer that the kernel did not take; `code` is the errno's name. */
  sendFailed(code: string): void {
    this.#counters.set(`send:${code}`, (this.#counters.get(`send:${code}`) ?? 0) + 1);
    this.once(`send ${code}`, 'send-failed', { code });
  }

  /** How often each reason happened since the start, those that did. */
  counters(): Readonly<Record<string, number>> {
    return Object.fromEntries([...this.#counters].sort(([a], [b]) => a.localeCompare(b)));
  }

  info(event: string, facts: Facts = {}): void {
    this.#sink.write('info', event, facts);
  }

  warn(event: string, facts: Facts = {}): void {
    this.#sink.write('warn', event, facts);
  }

  error(event: string, facts: Facts = {}): void {
    this.#sink.write('error', event, facts);
  }

  /** A warning that is not repeated for the same `key` within ten minutes. */
  once(key: string, event: string, { address, ...facts }: Facts & { readonly address?: Ip | undefined }): void {
    const now = this.#now();
    const last = this.#lastSaid.get(key);
    if (last !== undefined && now - last < QUIET) return;
    if (now - this.#minute.began >= MINUTE) this.#minute = { began: now, said: 0 };
    if (++this.#minute.said > MOST_A_MINUTE) return;
    if (this.#lastSaid.size >= MOST_REMEMBERED) this.#lastSaid.clear();
    this.#lastSaid.set(key, now);
    this.warn(event, { ...facts, address: address === undefined ? undefined : formatIp(address) });
  }

  /** One line for one packet, where the operator asked for that. */
  packet({ address, ...facts }: Facts & { readonly address?: Ip | undefined }): void {
    this.info('packet', { ...facts, address: address === undefined ? undefined : formatIp(address) });
  }

  close(): Promise<void> {
    return this.#sink.close();
  }
}
