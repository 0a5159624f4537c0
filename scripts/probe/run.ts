// The probe as a whole: resolves the server, holds all conversations and prints how they went.
import { randomInt } from 'node:crypto';
import { lookup } from 'node:dns/promises';
import { performance } from 'node:perf_hooks';
import { ANY4, parseIp4 } from '../../lib/net/ip.js';
import type { Outcome } from './converse.js';
import { converse } from './converse.js';
import { Relay } from './relay.js';
import type { Settings } from './settings.js';
import type { Scene } from './show.js';
import { jsonReport, showLine, showOutcome, showScene, showTally, tallyOf } from './show.js';

/** Exit codes of the program, as far as the probe has a use for them. */
export const exitCodes = { done: 0, fault: 1, badInput: 2, noAnswer: 3, refused: 4 } as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** Where lines go; each without its end. */
export interface Output {
  readonly out: (line: string) => void;
  readonly err: (line: string) => void;
}

/** Milliseconds before the first repetition of a message. */
const AGAIN = 1000;
/** Conversations at the same time. */
const AT_ONCE = 32;

/** Runs the probe as `settings` say, and gives the exit code. */
export async function runProbe(settings: Settings, { out, err }: Output): Promise<ExitCode> {
  let relay: Relay;
  try {
    const address = parseIp4((await lookup(settings.host, 4)).address) ?? ANY4;
    relay = await Relay.open({ address, port: settings.port });
  } catch (error) {
    err(
      `--server ${settings.host}: it cannot be reached from here (${why(error)}). Name a host or an IPv4 address that this machine has a route to.`,
    );
    return exitCodes.badInput;
  }
  try {
    const scene: Scene = { server: relay.server, self: relay.self, link: settings.link, timeout: settings.timeout };
    const { json, macs } = settings;
    const many = macs.length > 1;
    const say = json ? () => undefined : out;
    say(showScene(scene));
    say('');
    const began = performance.now();
    const outcomes = await converseAll(relay, settings, (outcome) => {
      say(many ? showLine(outcome) : showOutcome(outcome, scene, relay.ignored));
    });
    const tally = tallyOf(outcomes);
    if (json) out(JSON.stringify(jsonReport(scene, outcomes), null, 2));
    else if (many) out(showTally(tally, performance.now() - began));
    return tally.unanswered > 0 ? exitCodes.noAnswer : tally.refused > 0 ? exitCodes.refused : exitCodes.done;
  } catch (error) {
    err(`The system could not send to ${settings.host}: ${why(error)}.`);
    return exitCodes.fault;
  } finally {
    await relay.close();
  }
}

/** All conversations, some at a time; the outcomes in the order of the MACs. `ended` is told of each as it ends. */
async function converseAll(relay: Relay, settings: Settings, ended: (outcome: Outcome) => void): Promise<Outcome[]> {
  const { macs, link, options, wishes } = settings;
  const patience = { timeout: settings.timeout * 1000, again: AGAIN };
  const outcomes: Outcome[] = [];
  const firstXid = randomInt(2 ** 32);
  const queue = macs.entries();
  const worker = async (): Promise<void> => {
    for (const [i, mac] of queue) {
      const client = {
        mac,
        xid: (firstXid + i) % 2 ** 32,
        giaddr: relay.self.address,
        options,
        ...(link === undefined ? {} : { link }),
      };
      const outcome = await converse(relay, client, wishes, patience, () => performance.now());
      outcomes[i] = outcome;
      ended(outcome);
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, macs.length) }, worker));
  return outcomes;
}

function why(error: unknown): string {
  return error instanceof Error ? ((error as NodeJS.ErrnoException).code ?? error.message) : String(error);
}
