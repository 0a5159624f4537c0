// Runs one history through a system and the naive model, step by step, and says readably where they part.
import fc from 'fast-check';
import type { History, Named, Step } from './histories.js';
import { historyArb } from './histories.js';
import { Invariants } from './invariants.js';
import { Naive } from './naive.js';
import { formatSetup, formatTime } from './setups.js';
import type { Maybe, Outcome, Request, Standing, System } from './system.js';

/** The system and the model differ, or an invariant does not hold. The message is the history up to there, and what differs. */
export class Difference extends Error {}

/** When the histories begin; a whole minute, and a date that no clock will meet again. */
const begin = Date.UTC(2020, 0, 1);

/** How many histories, of what length, and which: `seed` and `path` as a failure printed them. */
export interface Effort {
  readonly runs: number;
  readonly length: number;
  readonly seed?: number | undefined;
  readonly path?: string | undefined;
}

/**
 * Random histories through a fresh system each, compared with the naive model. Throws an Error that shows the shortest
 * differing history it came to, and the seed and path that find it again.
 */
export async function compareWithModel(open: () => Maybe<System>, effort: Effort): Promise<void> {
  const property = fc.asyncProperty(historyArb(effort.length), async (history) => {
    const found = await differenceIn(history, open);
    if (found !== undefined) throw found;
  });
  const result = await fc.check(property, {
    numRuns: effort.runs,
    ...(effort.seed === undefined ? {} : { seed: effort.seed }),
    ...(effort.path === undefined ? {} : { path: effort.path }),
  });
  if (!result.failed) return;
  // A failure that is not a difference comes from the histories or from opening and closing the system.
  if (result.counterexample === null || !(result.errorInstance instanceof Difference)) throw result.errorInstance;
  const { message } = await shorten(result.counterexample[0], result.errorInstance, open);
  const path = result.counterexamplePath;
  throw new Error(`after ${result.numRuns} histories:\n${message}\nreplay: {seed: ${result.seed}, path: '${path}'}`);
}

async function differenceIn(history: History, open: () => Maybe<System>): Promise<Difference | undefined> {
  const system = await open();
  try {
    await runHistory(history, system);
    return undefined;
  } catch (error) {
    if (error instanceof Difference) return error;
    throw error;
  } finally {
    await system.close();
  }
}

/** Leaves out every step that the difference does not need: fast-check drops only whole groups of them. */
async function shorten(history: History, found: Difference, open: () => Maybe<System>): Promise<Difference> {
  for (let at = history.steps.length - 1; at >= 0; at--) {
    const shorter = { ...history, steps: history.steps.toSpliced(at, 1) };
    const still = await differenceIn(shorter, open);
    if (still !== undefined) return shorten(shorter, still, open);
  }
  return found;
}

/** One line of what `runHistory` did: the operation as text, and what the model answered. */
export interface Line {
  readonly text: string;
  readonly does: string;
  readonly outcome: Outcome | undefined;
}

/** Runs `history` through `system` and a model of its own; gives what happened, or throws a {@link Difference}. */
export async function runHistory(history: History, system: System): Promise<Line[]> {
  const both = new Both(system);
  await both.step({ do: 'edit', wait: 0, setup: history.first });
  for (const step of history.steps) await both.step(step);
  return both.lines;
}

/** The system and the model side by side, with the clock and what the clients remember. */
class Both {
  readonly lines: Line[] = [];
  private now = begin;
  private readonly model = new Naive();
  private readonly invariants = new Invariants();
  /** What each client was given last: `MAC network` -> address. */
  private readonly last = new Map<string, string>();

  constructor(private readonly system: System) {}

  async step(step: Step): Promise<void> {
    this.now += step.wait;
    const { now, model } = this;
    model.tick(now);
    await this.trying((it) => it.tick(now));
    await this.standings(false);
    switch (step.do) {
      case 'edit':
        this.invariants.edited(step.setup);
        return this.quiet('edit', ['edit', ...formatSetup(step.setup)].join('\n    '), true, (it) =>
          it.edit(now, step.setup),
        );
      case 'restart':
        this.invariants.restarted();
        return this.quiet('restart', 'restart', true, (it) => it.restart(now));
      case 'tick':
        return this.quiet('tick', 'tick', true, (it) => it.tick(now));
      case 'discover':
        await this.discover(step.mac, step.network, step.wanted);
        return;
      case 'dora': {
        const outcome = await this.discover(step.mac, step.network, undefined);
        const request = { kind: 'selecting', address: 'last', serverIsUs: true } as const;
        if (outcome.startsWith('offer ')) await this.request(step.mac, step.network, request);
        return;
      }
      case 'request':
        return this.request(step.mac, step.network, step.request);
      case 'release':
      case 'decline':
      case 'inform': {
        const { mac, network } = step;
        const address = this.resolve(step.address, mac, network);
        const text = `${step.do} ${mac} on ${network} ${address}`;
        if (step.do === 'release')
          return this.quiet('release', text, false, (it) => it.release(now, mac, network, address));
        if (step.do === 'decline')
          return this.quiet('decline', text, false, (it) => it.decline(now, mac, network, address));
        await this.answered('inform', text, mac, network, (it) => it.inform(now, mac, network, address));
        return;
      }
    }
  }

  private discover(mac: string, network: string, named: Named | undefined): Promise<Outcome> {
    const wanted = named === undefined ? undefined : this.resolve(named, mac, network);
    const text = `discover ${mac} on ${network}${wanted === undefined ? '' : ` wants ${wanted}`}`;
    return this.answered('discover', text, mac, network, (it) => it.discover(this.now, mac, network, wanted));
  }

  private async request(mac: string, network: string, named: Request): Promise<void> {
    const address = this.resolve('address' in named ? named.address : named.ciaddr, mac, network);
    const request: Request = 'address' in named ? { ...named, address } : { ...named, ciaddr: address };
    if (request.kind === 'selecting' && !request.serverIsUs) this.invariants.turnedDown(mac, network);
    const elsewhere = request.kind === 'selecting' && !request.serverIsUs ? ' of another server' : '';
    const text = `request ${mac} on ${network} ${request.kind} ${address}${elsewhere}`;
    await this.answered(request.kind, text, mac, network, (it) => it.request(this.now, mac, network, request));
  }

  private resolve(named: Named, mac: string, network: string): string {
    if (named !== 'last' && named !== 'last elsewhere') return named;
    const other = network === 'a' ? 'b' : 'a';
    const where = named === 'last' ? network : other;
    return this.last.get(`${mac} ${where}`) ?? (where === 'a' ? '10.20.0.2' : '10.30.0.4');
  }

  private async answered(
    does: string,
    text: string,
    mac: string,
    network: string,
    operate: (it: System) => Maybe<Outcome>,
  ): Promise<Outcome> {
    const expected = await operate(this.model);
    this.note(does, text, expected);
    const actual = await this.trying(operate);
    if (actual !== expected) this.differ([`the model answers: ${expected}`, `the system:        ${actual}`]);
    const [word, address] = actual.split(' ');
    if (address !== undefined) this.last.set(`${mac} ${network}`, address);
    this.hold(this.invariants.answered(this.now, mac, network, actual));
    await this.standings(false);
    if (word === 'ack') this.hold(this.invariants.acknowledged(mac, actual));
    return actual;
  }

  private async quiet(does: string, text: string, still: boolean, operate: (it: System) => Maybe<void>): Promise<void> {
    await operate(this.model);
    this.note(does, text, undefined);
    await this.trying(operate);
    await this.standings(still);
  }

  /** What the system throws is a difference too: the model never does. */
  private async trying<T>(operate: (it: System) => Maybe<T>): Promise<T> {
    try {
      return await operate(this.system);
    } catch (error) {
      const what = error instanceof Error ? (error.stack ?? error.message) : String(error);
      return this.differ([`the system throws: ${what}`]);
    }
  }

  private async standings(still: boolean): Promise<void> {
    const actual = await this.trying((it) => it.standings());
    const missing = this.model.standings().map(formatStanding).sort();
    const surplus = actual.map(formatStanding).sort();
    for (const line of [...missing]) {
      if (!surplus.includes(line)) continue;
      missing.splice(missing.indexOf(line), 1);
      surplus.splice(surplus.indexOf(line), 1);
    }
    if (missing.length > 0 || surplus.length > 0)
      this.differ([
        ...missing.map((line) => `only in the model:  ${line}`),
        ...surplus.map((line) => `only in the system: ${line}`),
      ]);
    this.hold(this.invariants.stands(this.now, actual, still));
  }

  private note(does: string, text: string, outcome: Outcome | undefined): void {
    const answer = outcome === undefined ? '' : ` -> ${outcome}`;
    this.lines.push({ text: `${formatTime(this.now - begin)} ${text}${answer}`, does, outcome });
  }

  private hold(broken: readonly string[]): void {
    if (broken.length > 0) this.differ(broken.map((line) => `invariant: ${line}`));
  }

  private differ(differences: readonly string[]): never {
    throw new Difference([...this.lines.map(({ text }) => `  ${text}`), ...differences].join('\n'));
  }
}

function formatStanding(one: Standing): string {
  const binding = one.address === undefined ? 'nothing' : `${one.kind ?? 'no kind'} ${one.address}`;
  const end = one.end === undefined ? '' : ` until ${formatTime(one.end - begin)}`;
  return `${one.owner} on ${one.network}: ${one.policy} (${one.origin}, revision ${one.revision}) has ${binding}${end}`;
}
