// A small site after eleven minutes of life: somebody of every kind, and an edit in between. What the goldens of `leases` and `explain` show.
import { Served, MINUTE, START } from '../../support/served.js';

/** The lines are counted in the goldens. */
const first = `listen: [eth0]
networks:
  - name: rack1
    prefixes: [10.20.0.0/24]
    gateway: 10.20.0.254
    pools: [10.20.0.100-10.20.0.199]
    reserved: [10.20.0.2-10.20.0.9]
machines:
  - name: node1
    interfaces:
      - {mac: ["02:00:00:00:00:01", "02:00:00:00:00:0b"], role: host, ipv4: 10.20.0.11}
      - {mac: "02:00:00:00:00:02", role: dpu_os, policy: dynamic}
      - {mac: "02:00:00:00:00:03", role: host_bmc, policy: retained}
  - name: node2
    interfaces:
      - {mac: "02:00:00:00:00:04"}
`;

const second = `# One line more, and 02 is to have a fixed address.
${first.replace('role: dpu_os, policy: dynamic', 'role: dpu_os, ipv4: 10.20.0.12')}`;

/** The same with node2 declared to have what an undeclared machine holds. */
export const third = second.replace('"02:00:00:00:00:04"', '"02:00:00:00:00:04", ipv4: 10.20.0.102');

const mac = (last: string): string => `02:00:00:00:00:${last}`;

/** 2026-01-01T00:11:00Z, under revision 2. */
export async function situation(path = ':memory:'): Promise<Served> {
  const server = await Served.open({ text: first, path });
  server.now = START + MINUTE;
  for (const last of ['02', '03', '09', '0a']) server.dora(mac(last));
  server.now = START + 2 * MINUTE;
  server.decline(mac('0a'), '10.20.0.103');
  server.dora(mac('08'));
  server.now = START + 3 * MINUTE;
  server.release(mac('08'), '10.20.0.104');
  server.now = START + 10 * MINUTE;
  await server.edit(second);
  server.now = START + 11 * MINUTE;
  return server;
}
