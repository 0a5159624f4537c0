// What the rows of the lab need: a server that can be killed and started again, and clients on its wires. Once real, once simulated.
import type { Client } from './clients/client.js';
import type { Event, Explained, LeaseRow } from './daemon.js';

/** The wires: the server's link and address on each, for rows and benches alike. */
export const wires = {
  rack1: { link: 'eth0', server: '10.20.0.1' },
  rack2: { link: 'eth1', server: '10.30.0.1' },
} as const;
export type WireName = keyof typeof wires;

/** What the server's file has to say of where its clients are. */
export interface Surroundings {
  /** The links that it listens on. */
  readonly links: readonly string[];
  /** The relays that its networks list; none where they list none. */
  readonly relays: readonly string[];
}

/** The server has a link on every wire. */
export const onTheWires: Surroundings = { links: Object.values(wires).map(({ link }) => link), relays: [] };

export interface Bench {
  readonly around: Surroundings;
  /** Writes the server's file; the next start reads it. */
  write(text: string): void;
  /** Starts the server, again or for the first time, with the store that it left. */
  start(): Promise<unknown>;
  /** Ends it as an operator does. */
  stop(): Promise<unknown>;
  /** Ends it as a power cut does. */
  kill(): Promise<unknown>;
  /** A client of the bench's kind, not started yet. */
  client(wire: WireName, mac: string): Client;
  /** What became of the first message of type `asked` that `owner` sent in this run of the server. */
  heard(asked: string, owner: string): Promise<Event>;
  leases(): readonly LeaseRow[];
  explain(subject: string): Explained;
}

/** Runs `work` on a bench of its own, which is gone afterwards. */
export type WithBench = (work: (bench: Bench) => Promise<void>) => Promise<void>;
