// One client's conversation with the server, from DISCOVER or REQUEST to ACK, NAK or silence, step by step for the report.
import type { Mac } from '../../lib/net/ids.js';
import type { Ip4 } from '../../lib/net/ip.js';
import type { Message4 } from '../../lib/wire/message4.js';
import { code, messageType } from '../../lib/wire/options4.js';
import type { Client } from './message.js';
import { addressIn, discover, reboot, release, request, serverOf } from './message.js';
import type { Endpoint, Patience, Relay } from './relay.js';

export interface Step {
  readonly message: Message4;
  /** Where a received message came from; undefined for one that was sent. */
  readonly from?: Endpoint;
  /** How often a sent message was sent. */
  readonly times: number;
  /** Milliseconds since the conversation began. */
  readonly at: number;
}

export interface Outcome {
  readonly mac: Mac;
  readonly result: 'bound' | 'refused' | 'unanswered';
  readonly steps: readonly Step[];
  /** What the ACK gave. */
  readonly address?: Ip4;
  readonly leaseSeconds?: number;
  readonly serverId?: Ip4;
  readonly released: boolean;
  readonly milliseconds: number;
}

export interface Wishes {
  /** Asked for in the DISCOVER. */
  readonly request?: Ip4;
  /** Asked for without a DISCOVER, as by a client that comes back. */
  readonly reboot?: Ip4;
  /** Give the address back at the end. */
  readonly release: boolean;
}

/** Holds one conversation. `clock` gives milliseconds. Rejects only where the system cannot send. */
export async function converse(
  relay: Relay,
  client: Client,
  wishes: Wishes,
  patience: Patience,
  clock: () => number,
): Promise<Outcome> {
  const began = clock();
  const steps: Step[] = [];

  const ask = async (message: Message4, types: readonly number[]): Promise<Message4 | undefined> => {
    const place = steps.length;
    const at = clock() - began;
    const reply = await relay.ask(message, types, patience, (times) => {
      steps[place] = { message, times, at };
    });
    if (reply !== undefined) steps.push({ ...reply, times: 1, at: clock() - began });
    return reply?.message;
  };
  const end = (result: Outcome['result'], more: Partial<Outcome> = {}): Outcome => {
    return { mac: client.mac, result, steps, released: false, milliseconds: clock() - began, ...more };
  };

  let last: Message4;
  if (wishes.reboot === undefined) {
    const offer = await ask(discover(client, wishes.request), [messageType.offer]);
    if (offer === undefined) return end('unanswered');
    last = request(client, offer);
  } else {
    last = reboot(client, wishes.reboot);
  }
  const answer = await ask(last, [messageType.ack, messageType.nak]);
  if (answer === undefined) return end('unanswered');
  const serverId = serverOf(answer);
  const server = serverId === undefined ? {} : { serverId };
  if (answer.options.get(code.messageType)?.[0] === messageType.nak) return end('refused', server);

  const leaseSeconds = addressIn(answer, code.leaseTime);
  const given = {
    ...server,
    address: answer.yiaddr,
    ...(leaseSeconds === undefined ? {} : { leaseSeconds }),
  };
  const bound = end('bound', given);
  if (!wishes.release) return bound;
  const farewell = release(client, answer);
  const at = clock() - began;
  await relay.tell(farewell);
  steps.push({ message: farewell, times: 1, at });
  return { ...bound, released: true };
}
