// Packets in, answers out: every packet becomes a decision of this turn's transaction, and its answer leaves when that is durable.
import type { Packet, Verdict } from '../lib/dhcp/packet.js';
import { exchange } from '../lib/dhcp/exchange.js';
import type { Ports } from '../lib/dhcp/world.js';
import { explainReason } from '../lib/net/reason.js';
import type { Failure, Reason } from '../lib/net/reason.js';
import type { Events } from './events/events.js';
import type { Transport } from './transport/transport.js';
import type { Writer } from './writer.js';

export class Pipeline {
  readonly #writer: Writer;
  readonly #transport: Transport;
  readonly #events: Events;
  readonly #ports: Ports;
  readonly #logPackets: boolean;
  #stopped = false;

  constructor(
    writer: Writer,
    transport: Transport,
    events: Events,
    options: { readonly ports: Ports; readonly logPackets: boolean },
  ) {
    this.#writer = writer;
    this.#transport = transport;
    this.#events = events;
    this.#ports = options.ports;
    this.#logPackets = options.logPackets;
  }

  readonly receive = (packet: Packet): void => {
    if (this.#stopped) return;
    this.#writer.put(
      (scene) => exchange(packet, { ...scene, ports: this.#ports }),
      (result) => {
        if (result.ok) this.#answer(packet, result.value);
        else this.#failed(result);
      },
    );
  };

  /** From now on packets are dropped unread; what was taken is still settled and answered. */
  stop(): void {
    this.#stopped = true;
  }

  #answer(packet: Packet, verdict: Verdict): void {
    if (verdict.answer !== undefined) this.#transport.send(verdict.answer);
    this.#events.count(verdict.reason);
    if (verdict.beside !== undefined) this.#events.count(verdict.beside);
    if (reported.has(verdict.reason)) this.#report(verdict);
    if (this.#logPackets) this.#log(packet, verdict);
  }

  #failed(failure: Failure): void {
    this.#events.count(failure.reason);
    if (failure.reason === 'decision-failed') {
      this.#events.error('decision-failed', { detail: failure.detail, sentence: explainReason(failure.reason) });
    }
  }

  /** What an operator has to know of, once for each owner and a while. */
  #report({ reason, detail, owner, network, address }: Verdict): void {
    const whom = ofNetwork.has(reason) ? '' : (owner ?? '');
    this.#events.once(`${reason} ${network ?? ''} ${whom}`, reason, {
      owner,
      network,
      address,
      detail,
      sentence: explainReason(reason),
    });
  }

  #log(packet: Packet, verdict: Verdict): void {
    const { answer: _, ...said } = verdict;
    this.#events.packet({ link: packet.link.name, ...said });
  }
}

/** Refusals that somebody should look into; the others are everyday life, and counted. */
const reported: ReadonlySet<Reason> = new Set<Reason>([
  'pool-empty',
  'no-pool',
  'fixed-outside',
  'address-taken',
  'address-reserved',
  'alias-in-use',
  'on-probation',
  'declined',
  'decline-limit',
  'untrusted-relay',
  'too-large',
]);

/** Refusals that are the network's trouble and not the owner's: one report says it for all. */
const ofNetwork: ReadonlySet<Reason> = new Set<Reason>(['pool-empty', 'no-pool', 'untrusted-relay']);
