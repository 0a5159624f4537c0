// The daemon as its operators run it: `leasehold serve` as a process of its own, and the commands that read its store.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Lab } from './lab.js';
import type { Namespace } from './namespace.js';
import { run } from './namespace.js';
import type { End, Program } from './program.js';

const leasehold = fileURLToPath(new URL('../../scripts/leasehold.js', import.meta.url));

/** One row of `leases --json`, as far as tests look at it. */
export interface LeaseRow {
  readonly address: string;
  readonly owner: string;
  readonly network: string;
  readonly state: 'lease' | 'static' | 'ended';
  readonly policy: string | null;
  readonly revision: number | null;
  readonly file: string | null;
  readonly line: number | null;
  readonly ends: string | null;
  readonly client_until: string | null;
}

/** What `explain --json` says, as far as tests look at it. */
export interface Explained {
  readonly revision: number;
  readonly resources: readonly {
    readonly network: string;
    readonly owner: string;
    readonly binding?: { readonly address: string; readonly kind: string; readonly revision: number };
    readonly pin?: { readonly policy: string; readonly revision: number; readonly file: string; readonly line: number };
    readonly declared?: {
      readonly ipv4: { readonly policy: string; readonly address: string | null };
      readonly line: number;
    };
    readonly explanation?: string;
  }[];
}

/** One line of the log. */
export interface Event {
  readonly event: string;
  readonly reason?: string;
  readonly asked?: string;
  readonly owner?: string;
  readonly [fact: string]: unknown;
}

/** The log line in `line`; undefined where it is none. */
export function eventIn(line: string): Event | undefined {
  return line.startsWith('{') ? (JSON.parse(line) as Event) : undefined;
}

export interface StartOptions {
  /** A command and its arguments that run the daemon, as strace does. */
  readonly under?: readonly string[];
  /** Another program than `leasehold serve`, with its first arguments; it takes the same options. */
  readonly program?: readonly string[];
  /** Whether it logs a line for each packet. */
  readonly packets?: boolean;
}

export class Daemon {
  readonly config: string;
  readonly store: string;
  readonly #lab: Lab;
  readonly #where: Namespace;
  #program: Program | undefined;

  /** In `where`, with its files in a folder of its own. */
  constructor(lab: Lab, where: Namespace) {
    this.#lab = lab;
    this.#where = where;
    const folder = lab.subfolder('daemon');
    this.config = join(folder, 'dhcpd.yaml');
    this.store = join(folder, 'leasehold.db');
  }

  write(text: string): void {
    writeFileSync(this.config, text);
  }

  /** Starts it and waits until it serves. */
  async start({ under = [], program = [leasehold, 'serve'], packets = true }: StartOptions = {}): Promise<void> {
    const options = ['--config', this.config, '--store', this.store, '--log-format', 'json'];
    if (packets) options.push('--log-packets');
    const [command = process.execPath, ...args] = [...under, process.execPath, ...program, ...options];
    this.#program = this.#lab.start(this.#where, command, args);
    await this.event(({ event }) => event === 'serving');
  }

  get program(): Program {
    if (this.#program === undefined) throw new Error('the daemon was not started');
    return this.#program;
  }

  /** The first event of this run from line `from` on that `matches`. */
  async event(matches: (event: Event) => boolean, from = 0): Promise<Event> {
    return this.program.line((line) => {
      const event = eventIn(line);
      return event !== undefined && matches(event) ? event : undefined;
    }, from);
  }

  /** Ends it as an operator does. */
  async stop(): Promise<End> {
    return this.program.end('SIGTERM');
  }

  /** Ends it as a power cut does. */
  async kill(): Promise<End> {
    return this.program.end('SIGKILL');
  }

  leases(): readonly LeaseRow[] {
    return JSON.parse(run(process.execPath, leasehold, 'leases', '--json', '--store', this.store)) as LeaseRow[];
  }

  explain(subject: string): Explained {
    const said = run(process.execPath, leasehold, 'explain', subject, '--json', '--store', this.store);
    return JSON.parse(said) as Explained;
  }
}
