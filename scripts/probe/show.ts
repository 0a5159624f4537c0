// What the probe prints: the conversation with every option by name, one line a client where there are many, or JSON.
import { formatIp } from '../../lib/net/ip.js';
import type { Ip4 } from '../../lib/net/ip.js';
import { formatField, jsonField } from '../../lib/wire/fields.js';
import type { Message4 } from '../../lib/wire/message4.js';
import { code, messageType, named, optionByCode } from '../../lib/wire/options4.js';
import type { Outcome, Step } from './converse.js';
import type { Endpoint } from './relay.js';

/** Who asks whom, and for which network. */
export interface Scene {
  readonly server: Endpoint;
  readonly self: Endpoint;
  readonly link: Ip4 | undefined;
  readonly timeout: number;
}

const typeNames = new Map(Object.entries(messageType).map(([name, value]) => [value as number, name.toUpperCase()]));
const FOREVER = 0xffffffff;

export function showScene({ server, self, link }: Scene): string {
  return `Asking ${endpoint(server)} as a relay at ${endpoint(self)}, for the network of ${formatIp(link ?? self.address)}.`;
}

/** The whole conversation, and how it ended. */
export function showOutcome(outcome: Outcome, scene: Scene, ignored: ReadonlyMap<string, number>): string {
  const blocks = outcome.steps.map((step) => [showStep(step, outcome), ...showMessage(step.message)].join('\n'));
  return [...blocks, showEnd(outcome, scene, ignored)].join('\n\n');
}

function showStep(step: Step, outcome: Outcome): string {
  const type = typeOf(step.message);
  if (step.from === undefined) {
    return `${type} sent for ${outcome.mac}${step.times > 1 ? `, ${step.times} times` : ''}`;
  }
  const what = step.message.yiaddr === 0 ? '' : ` of ${formatIp(step.message.yiaddr)}`;
  return `${type}${what} received from ${endpoint(step.from)} after ${milliseconds(step.at)}`;
}

function showMessage(message: Message4): string[] {
  const lines: string[] = [];
  const line = (label: string, name: string, value: string): void => {
    lines.push(`  ${label.padStart(6)}  ${name.padEnd(29)}  ${value}`);
  };
  if (message.siaddr !== 0) line('siaddr', 'next server', formatIp(message.siaddr));
  if (message.sname.length > 0) line('sname', 'server name', formatField('text', message.sname));
  if (message.file.length > 0) line('file', 'boot file', formatField('text', message.file));
  for (const [option, value] of message.options) line(String(option), named(option), showValue(option, value));
  return lines;
}

function showValue(option: number, value: Uint8Array): string {
  if (option === code.messageType && value.length === 1) return typeNames.get(value[0] ?? 0) ?? String(value[0]);
  if (option === code.parameterRequestList) return runs(value);
  return formatField(optionByCode(option)?.field ?? 'bytes', value);
}

/** Numbers with a dash between the ends of what counts up: `1-3, 6`. */
function runs(numbers: Uint8Array): string {
  const found: { first: number; last: number }[] = [];
  for (const number of numbers) {
    const run = found.at(-1);
    if (run?.last === number - 1) run.last = number;
    else found.push({ first: number, last: number });
  }
  return found.map(({ first, last }) => (first === last ? String(first) : `${first}-${last}`)).join(', ');
}

function showEnd(outcome: Outcome, scene: Scene, ignored: ReadonlyMap<string, number>): string {
  const server = outcome.serverId === undefined ? endpoint(scene.server) : formatIp(outcome.serverId);
  switch (outcome.result) {
    case 'bound': {
      const bound = `${formatIp(outcome.address ?? (0 as Ip4))} is bound to ${outcome.mac} for ${lease(outcome)} by ${server}.`;
      return outcome.released ? `${bound}\nIt was given back; a RELEASE has no answer.` : bound;
    }
    case 'refused': {
      const why = outcome.steps.at(-1)?.message.options.get(code.message);
      return `${server} refused ${outcome.mac} with a NAK${why === undefined ? '' : `: ${formatField('text', why)}`}.`;
    }
    case 'unanswered':
      return unanswered(outcome, scene, ignored);
  }
}

function unanswered(outcome: Outcome, scene: Scene, ignored: ReadonlyMap<string, number>): string {
  const asked = outcome.steps.at(-1);
  const type = asked === undefined ? 'message' : typeOf(asked.message);
  const heard = [...ignored].map(
    ([why, times]) => `Not counted as an answer: ${why}, ${times === 1 ? 'once' : `${times} times`}.`,
  );
  return [
    `No answer to the ${type} of ${outcome.mac} came from ${endpoint(scene.server)} within ${scene.timeout} s.`,
    `Is a server running there, does it know the network of ${formatIp(scene.link ?? scene.self.address)}, and may ${formatIp(scene.self.address)} relay to it (\`relays\`)?`,
    ...heard,
  ].join('\n');
}

/** One client on one line, for many. */
export function showLine(outcome: Outcome): string {
  const shown = outcome.address === undefined ? '-' : formatIp(outcome.address);
  const what = outcome.result === 'bound' ? `for ${lease(outcome)}` : outcome.result;
  const given = outcome.released ? ', given back' : '';
  return `${outcome.mac}  ${shown.padEnd(15)}  ${what}${given}, after ${milliseconds(outcome.milliseconds)}`;
}

/** How many conversations ended in which way. */
export type Tally = Record<Outcome['result'], number>;

export function tallyOf(outcomes: readonly Outcome[]): Tally {
  const tally: Tally = { bound: 0, refused: 0, unanswered: 0 };
  for (const { result } of outcomes) tally[result]++;
  return tally;
}

export function showTally(tally: Tally, took: number): string {
  const asked = tally.bound + tally.refused + tally.unanswered;
  return `${asked} asked: ${tally.bound} bound, ${tally.refused} refused, ${tally.unanswered} unanswered, in ${milliseconds(took)}.`;
}

/** The same, for programs: one object, whose `probes` are in the order of their MACs. */
export function jsonReport(scene: Scene, outcomes: readonly Outcome[]): unknown {
  return {
    server: { address: formatIp(scene.server.address), port: scene.server.port },
    relay: { address: formatIp(scene.self.address), port: scene.self.port },
    link: formatIp(scene.link ?? scene.self.address),
    ...tallyOf(outcomes),
    probes: outcomes.map((outcome) => ({
      mac: outcome.mac,
      result: outcome.result,
      address: outcome.address === undefined ? null : formatIp(outcome.address),
      lease_seconds: outcome.leaseSeconds ?? null,
      server_id: outcome.serverId === undefined ? null : formatIp(outcome.serverId),
      released: outcome.released,
      milliseconds: rounded(outcome.milliseconds),
      messages: outcome.steps.map(jsonStep),
    })),
  };
}

function jsonStep(step: Step): unknown {
  const { message } = step;
  return {
    direction: step.from === undefined ? 'sent' : 'received',
    type: typeOf(message),
    times: step.times,
    milliseconds: rounded(step.at),
    ...(step.from === undefined ? {} : { from: { address: formatIp(step.from.address), port: step.from.port } }),
    ciaddr: formatIp(message.ciaddr),
    yiaddr: formatIp(message.yiaddr),
    siaddr: formatIp(message.siaddr),
    giaddr: formatIp(message.giaddr),
    sname: formatField('text', message.sname),
    file: formatField('text', message.file),
    options: [...message.options].map(([option, value]) => ({
      code: option,
      name: named(option),
      value: jsonField(optionByCode(option)?.field ?? 'bytes', value),
    })),
  };
}

function typeOf(message: Message4): string {
  return typeNames.get(message.options.get(code.messageType)?.[0] ?? 0) ?? 'BOOTP';
}

function lease(outcome: Outcome): string {
  if (outcome.leaseSeconds === undefined) return 'no stated time';
  return outcome.leaseSeconds === FOREVER ? 'ever' : `${outcome.leaseSeconds} s`;
}

function endpoint({ address, port }: Endpoint): string {
  return `${formatIp(address)} port ${port}`;
}

function milliseconds(value: number): string {
  return `${rounded(value)} ms`;
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}
