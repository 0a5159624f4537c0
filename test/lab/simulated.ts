// The bench without sockets: the capture transport, the pipeline, the one door and a store on the disk, in this process.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Store } from '../../db/store.js';
import type { Link } from '../../lib/dhcp/packet.js';
import { encodeFrame } from '../../lib/wire/frame.js';
import { leaseAsJson } from '../../scripts/commands/leases.js';
import { storyAsJson } from '../../scripts/explain/show.js';
import { subjectOf, tell } from '../../scripts/explain/story.js';
import { apply, compile } from '../../server/apply.js';
import { Events } from '../../server/events/events.js';
import type { Facts } from '../../server/events/events.js';
import { openReader, openStore } from '../../server/open.js';
import { Pipeline } from '../../server/pipeline.js';
import { reconcile } from '../../server/reconcile.js';
import { CaptureTransport } from '../../server/transport/capture.js';
import { Writer } from '../../server/writer.js';
import { ip4, START } from '../support/served.js';
import type { Bench, WireName, WithBench } from './bench.js';
import { onTheWires, wires } from './bench.js';
import type { Client } from './clients/client.js';
import type { Event, Explained, LeaseRow } from './daemon.js';
import { within } from './program.js';
import type { Habits, SimulatedWire } from './simulated-client.js';
import { SimulatedClient } from './simulated-client.js';

/** What the known clients say of themselves, and what a server could get wrong with. */
export const habits = {
  'a client without a client identifier': { asks: [1, 28, 2, 3, 15, 6, 12] },
  'a client with its MAC as client identifier': { clientId: '01MAC', asks: [1, 3, 6, 12, 15, 28, 42] },
  'a client with a DUID as client identifier': {
    clientId: 'ff0000000100030001MAC',
    asks: [1, 121, 33, 3, 6, 51, 58, 59],
  },
  'a client that needs broadcasts': { broadcastFlag: true, asks: [1, 3, 6] },
  'a client that asks for nothing in particular': {},
} as const satisfies Record<string, Habits>;
export type HabitName = keyof typeof habits;

interface Running {
  readonly transport: CaptureTransport;
  readonly pipeline: Pipeline;
  readonly store: Store;
  readonly heard: Event[];
}

class SimulatedServer {
  readonly #path: string;
  readonly #listeners = {
    rack1: new Set<(frame: Uint8Array) => void>(),
    rack2: new Set<(frame: Uint8Array) => void>(),
  };
  #now = START;
  #text = '';
  #running: Running | undefined;
  #tell: () => void = () => undefined;

  constructor(path: string) {
    this.#path = path;
  }

  write(text: string): void {
    this.#text = text;
  }

  async start(): Promise<void> {
    // Some seconds pass while a server is away.
    this.#now += 2000;
    const compiled = compile(new Map([['dhcpd.yaml', this.#text]]));
    if (!compiled.ok) return expect.fail(compiled.mistakes.map(({ line, text }) => `${line}: ${text}`).join('\n'));
    const clock = { now: () => this.#now };
    const store = openStore({ path: this.#path, now: this.#now });
    const heard: Event[] = [];
    const write = (_level: string, event: string, facts: Facts): void => {
      heard.push({ event, ...facts });
      this.#tell();
    };
    const events = new Events({ write, close: () => Promise.resolve() }, clock.now);
    const own = Object.values(wires).map(({ server }) => ip4(server));
    const writer = new Writer(store, clock, { site: compiled.config.site, own }, (error) => {
      throw error;
    });
    await apply(writer, store, compiled.config, 'test');
    await reconcile(store, writer, events);
    const transport = new CaptureTransport();
    const pipeline = new Pipeline(writer, transport, events, { ports: { server: 67, client: 68 }, logPackets: true });
    await transport.open(pipeline.receive);
    this.#running = { transport, pipeline, store, heard };
    void this.#pass(transport);
  }

  /** Takes no more packets, and closes the store, which the kernel does for a process that dies. */
  stop(): Promise<void> {
    this.#running?.pipeline.stop();
    this.#running?.store.close();
    this.#running = undefined;
    return Promise.resolve();
  }

  wire(name: WireName): SimulatedWire {
    const { link, server } = wires[name];
    const here: Link = { name: link, addresses: [{ ip: ip4(server), length: 24 }] };
    const listeners = this.#listeners[name];
    return {
      send: (frame) => {
        this.#now += 10;
        this.#running?.transport.feedFrame(frame, here);
      },
      listen: (hear) => {
        listeners.add(hear);
        return () => listeners.delete(hear);
      },
    };
  }

  async heard(asked: string, owner: string): Promise<Event> {
    const found = new Promise<Event>((resolve) => {
      this.#tell = () => {
        const event = this.#running?.heard.find((one) => one.asked === asked && one.owner === owner);
        if (event !== undefined) resolve(event);
      };
      this.#tell();
    });
    return within(found, () => `The server heard no ${asked} of ${owner}`, 2000);
  }

  leases(): readonly LeaseRow[] {
    const reader = openReader(this.#path);
    try {
      const rows = reader.list(({ binding }) => binding !== undefined).map((row) => leaseAsJson(row, this.#now));
      return asRead(rows) as readonly LeaseRow[];
    } finally {
      reader.close();
    }
  }

  explain(text: string): Explained {
    const subject = subjectOf(text) ?? expect.fail(`${text} is no subject`);
    const reader = openReader(this.#path);
    try {
      return asRead(storyAsJson(tell(reader, subject, this.#now))) as Explained;
    } finally {
      reader.close();
    }
  }

  /** Carries every answer of `transport` to those who listen on the wire that it leaves by. */
  async #pass(transport: CaptureTransport): Promise<void> {
    for (;;) {
      const { answer, frame } = await transport.next();
      const wire = answer.link.name === wires.rack1.link ? 'rack1' : 'rack2';
      for (const hear of this.#listeners[wire]) hear(encodeFrame(frame));
    }
  }
}

/** As a program reads it that got it as JSON. */
function asRead(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

/** Benches whose clients have the habits called `name`. */
export function simulatedBench(name: HabitName): WithBench {
  return async (work) => {
    const folder = mkdtempSync(join(tmpdir(), 'leasehold-bench-'));
    const server = new SimulatedServer(join(folder, 'leasehold.db'));
    const bench: Bench = {
      around: onTheWires,
      write(text) {
        server.write(text);
      },
      start: () => server.start(),
      stop: () => server.stop(),
      kill: () => server.stop(),
      client: (wire, mac): Client => new SimulatedClient(server.wire(wire), mac, habits[name]),
      heard: (asked, owner) => server.heard(asked, owner),
      leases: () => server.leases(),
      explain: (subject) => server.explain(subject),
    };
    try {
      await work(bench);
    } finally {
      await server.stop();
      rmSync(folder, { recursive: true });
    }
  };
}
