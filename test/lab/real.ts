// The bench with the real daemon in a namespace, and real clients in others.
import type { Bench, Surroundings, WireName, WithBench } from './bench.js';
import { onTheWires, wires } from './bench.js';
import type { Client } from './clients/client.js';
import { Dhclient } from './clients/dhclient.js';
import { Dhcpcd } from './clients/dhcpcd.js';
import { Udhcpc } from './clients/udhcpc.js';
import { Daemon } from './daemon.js';
import type { Lab } from './lab.js';
import { withLab } from './lab.js';
import type { Namespace } from './namespace.js';

export const realClients = { dhclient: Dhclient, dhcpcd: Dhcpcd, udhcpc: Udhcpc } as const;
export type RealClient = keyof typeof realClients;

/** A namespace with the server's link on every wire. */
export function serverIn(lab: Lab): Namespace {
  const host = lab.namespace('server');
  for (const [wire, { link, server }] of Object.entries(wires)) {
    lab.wire(wire).plug(host, link, { address: `${server}/24` });
  }
  return host;
}

/** Where the server stands, with all that is between it and the wires of its clients. */
export type Place = (lab: Lab) => Promise<{ readonly server: Namespace; readonly around: Surroundings }>;

const besideClients: Place = (lab) => Promise.resolve({ server: serverIn(lab), around: onTheWires });

/** Benches whose clients are of `kind`. */
export function realBench(kind: RealClient, place = besideClients): WithBench {
  const Kind = realClients[kind];
  return (work) =>
    withLab(async (lab) => {
      const { server, around } = await place(lab);
      const daemon = new Daemon(lab, server);
      const bench: Bench = {
        around,
        write(text) {
          daemon.write(text);
        },
        start: () => daemon.start(),
        stop: () => daemon.stop(),
        kill: () => daemon.kill(),
        client: (wire: WireName, mac: string): Client => new Kind(lab, wire, mac),
        heard: (asked, owner) => daemon.event((event) => event.asked === asked && event.owner === owner),
        leases: () => daemon.leases(),
        explain: (subject) => daemon.explain(subject),
      };
      await work(bench);
    });
}
