// Real relays between the server and the wires of its clients: one namespace a hop, each a router and a dhcrelay.
import type { Surroundings } from './bench.js';
import { wires } from './bench.js';
import type { Lab } from './lab.js';
import type { Namespace } from './namespace.js';

/** How the clients are reached. The relays are named as the clients meet them. */
export interface Path {
  /** Arguments of the relay on the clients' wires. */
  readonly near: readonly string[];
  /** Arguments of a second one between that and the server; undefined: there is none. */
  readonly far?: readonly string[];
  /** Whether the server's networks list the relay. */
  readonly listed: boolean;
}

/** The near relay's links to the clients, by wire. */
export const edges = { rack1: 'edge1', rack2: 'edge2' } as const;
/** A relay's link toward the server, and the far relay's toward the clients. */
export const UP = 'upper';
export const DOWN = 'lower';

/** The server's address, and that of the relay beside it, which is what relayed packets come from. */
const SERVER = '192.0.2.1';
const BESIDE = '192.0.2.2';
/** The ends of the wire between two relays. */
const BETWEEN = { near: '198.51.100.2', far: '198.51.100.1' } as const;

/** The server's namespace and the relays, which run; the clients' gateways are the near relay's addresses. */
export async function behindRelays(
  lab: Lab,
  { near, far, listed }: Path,
): Promise<{ readonly server: Namespace; readonly around: Surroundings }> {
  const server = lab.namespace('server');
  lab.wire('core').plug(server, 'eth0', { address: `${SERVER}/24` });

  const first = routerIn(lab, 'near');
  for (const [wire, link] of Object.entries(edges)) {
    lab.wire(wire).plug(first, link, { address: `${wires[wire as keyof typeof edges].server}/24` });
  }
  const down = Object.values(edges).flatMap((link) => ['-id', link]);
  if (far === undefined) {
    lab.wire('core').plug(first, UP, { address: `${BESIDE}/24` });
    await relay(lab, first, [...near, ...down, SERVER]);
  } else {
    const second = routerIn(lab, 'far');
    lab.wire('core').plug(second, UP, { address: `${BESIDE}/24` });
    lab.wire('between').plug(second, DOWN, { address: `${BETWEEN.far}/24` });
    lab.wire('between').plug(first, UP, { address: `${BETWEEN.near}/24` });
    toClients(second, BETWEEN.near);
    first.ip('route', 'add', 'default', 'via', BETWEEN.far);
    await relay(lab, second, [...far, '-id', DOWN, '-iu', UP, SERVER]);
    await relay(lab, first, [...near, ...down, BETWEEN.far]);
  }
  toClients(server, BESIDE);
  server.ip('route', 'add', '198.51.100.0/24', 'via', BESIDE);
  return { server, around: { links: ['eth0'], relays: listed ? [BESIDE] : [] } };
}

function routerIn(lab: Lab, name: string): Namespace {
  const router = lab.namespace(name);
  router.run('sh', '-c', 'echo 1 > /proc/sys/net/ipv4/ip_forward');
  return router;
}

/** The networks of the clients are reached through `gateway`. */
function toClients(host: Namespace, gateway: string): void {
  for (const { server } of Object.values(wires))
    host.ip('route', 'add', server.replace(/\.\d+$/, '.0/24'), 'via', gateway);
}

/** Starts dhcrelay and waits until it listens. */
async function relay(lab: Lab, where: Namespace, args: readonly string[]): Promise<void> {
  await lab.start(where, 'dhcrelay', ['-4', '-d', '--no-pid', ...args]).says(/Socket\/fallback/);
}
