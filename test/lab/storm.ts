// The host of many clients: a relay in a namespace of its own, and what its clients were promised.
import { fileURLToPath } from 'node:url';
import type { Lab } from './lab.js';
import type { Namespace } from './namespace.js';
import type { Program } from './program.js';
import type { Acked } from './programs/storm.js';

const storm = fileURLToPath(new URL('programs/storm.js', import.meta.url));

/** The relay's address, on wire rack1. */
export const RELAY = '10.20.7.254';
export const SERVER = '10.20.0.1';

/** A server's file with room for 1,700 clients behind the relay. */
export const manyClients = `listen: [eth0]
lease: { default: 1h }
networks:
  - { name: rack1, prefixes: 10.20.0.0/21, gateway: 10.20.0.1, pools: 10.20.1.0-10.20.7.199, relays: [${RELAY}] }
machines:
  - { name: node1, interfaces: [{ mac: '02:00:00:00:00:01', role: host, primary: true, ipv4: 10.20.0.11 }] }
`;

/** A namespace with the server's link, and one with the relay's, on one wire. */
export function relayed(lab: Lab): { readonly server: Namespace; readonly relay: Namespace } {
  const server = lab.namespace('server');
  lab.wire('rack1').plug(server, 'eth0', { address: `${SERVER}/21` });
  const relay = lab.namespace('relay');
  lab.wire('rack1').plug(relay, 'eth0', { address: `${RELAY}/21` });
  return { server, relay };
}

/** Lets `count` clients get leases, so many at once. */
export function startStorm(lab: Lab, relay: Namespace, count: number, atOnce: number): Program {
  return lab.start(relay, process.execPath, [storm, SERVER, RELAY, String(count), String(atOnce)]);
}

/** Every ACK that a storm has told of so far. */
export function ackedIn(program: Program): readonly Acked[] {
  return program.lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line) as Acked);
}

/** Resolves when `count` clients have their leases. */
export async function acked(program: Program, count: number): Promise<void> {
  let seen = 0;
  await program.line((line) => (line.startsWith('{') && ++seen === count ? true : undefined));
}
