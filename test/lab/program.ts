// One program that a test runs: its lines as they come, waiting for one of them, and its end.
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** How a program ended; one of the two is null. */
export interface End {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** No test waits longer than this for one thing, in ms. */
export const PATIENCE = 20_000;

/** Rejects after {@link PATIENCE}, with what `why` says then. */
export async function within<T>(work: Promise<T>, why: () => string, patience = PATIENCE): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new Error(why()));
    }, patience);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

export class Program {
  readonly #child: ChildProcess;
  readonly #command: string;
  readonly #lines: string[] = [];
  #arrived: () => void = () => undefined;
  #more = this.#next();
  /** Resolves when the program is gone and all that it wrote has been read. */
  readonly ended: Promise<End>;
  #end: End | undefined;

  constructor(command: string, args: readonly string[]) {
    this.#command = [command, ...args].join(' ');
    const child = spawn(command, [...args], { stdio: ['pipe', 'pipe', 'pipe'] });
    this.#child = child;
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on('line', (line) => {
        this.#lines.push(line);
        this.#wake();
      });
    }
    // Whoever ends early does not hear what it is told.
    child.stdin.on('error', () => undefined);
    this.ended = new Promise((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (code, signal) => {
        this.#end = { code, signal };
        this.#wake();
        resolve(this.#end);
      });
    });
    // A program that cannot be started is told of by whoever waits for it.
    this.ended.catch(() => undefined);
  }

  get pid(): number {
    if (this.#child.pid === undefined) throw new Error(`${this.#command} could not be started`);
    return this.#child.pid;
  }

  get running(): boolean {
    return this.#end === undefined;
  }

  /** Everything it wrote so far, of both streams, in the order in which it was read. */
  get lines(): readonly string[] {
    return this.#lines;
  }

  /** For messages: the command and its last lines. */
  get story(): string {
    return [this.#command, ...this.#lines.slice(-40).map((line) => line.slice(0, 400))].join('\n  ');
  }

  /** The first line from `from` on for which `found` gives something; rejects where the program ends without it. */
  async line<T>(found: (line: string) => T | undefined, from = 0, patience = PATIENCE): Promise<T> {
    const look = async (): Promise<T> => {
      for (let at = from; ; at++) {
        while (at >= this.#lines.length) {
          if (!this.running) throw new Error(`It ended before it said what was waited for:\n${this.story}`);
          await Promise.race([this.#more, this.ended]);
        }
        const value = found(this.#lines[at] ?? '');
        if (value !== undefined) return value;
      }
    };
    return within(look(), () => `It did not say what was waited for:\n${this.story}`, patience);
  }

  /** Resolves once `line` matches `pattern`. */
  async says(pattern: RegExp, from = 0): Promise<RegExpExecArray> {
    return this.line((line) => pattern.exec(line) ?? undefined, from);
  }

  /** Writes a line to its standard input. */
  tell(line: string): void {
    this.#child.stdin?.write(`${line}\n`);
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Sends `signal` where it still runs, and waits for the end. */
  async end(signal: NodeJS.Signals = 'SIGTERM'): Promise<End> {
    if (this.running) this.signal(signal);
    return within(this.ended, () => `It did not end on ${signal}:\n${this.story}`);
  }

  #next(): Promise<void> {
    return new Promise((resolve) => {
      this.#arrived = resolve;
    });
  }

  #wake(): void {
    const arrived = this.#arrived;
    this.#more = this.#next();
    arrived();
  }
}
