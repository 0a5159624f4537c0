// dhcpcd, driven by its signals.
import { writeFileSync } from 'node:fs';
import type { Lab } from '../lab.js';
import type { Client, Got } from './client.js';
import { lease } from './dhclient.js';
import { Seat } from './seat.js';

/** IPv4 only and at once: by itself it waits a random while, and for a device manager. */
const CONFIGURATION = `duid ll
ipv4only
nodelay
nodev
noipv6rs
noipv4ll
option domain_name_servers
`;

export class Dhcpcd implements Client {
  readonly mac: string;
  readonly remembers = true;
  readonly #seat: Seat;
  readonly #configuration: string;

  constructor(lab: Lab, wire: string, mac: string) {
    this.mac = mac;
    this.#seat = new Seat(lab, { name: 'dhcpcd', wire, mac, script: '/usr/lib/dhcpcd/dhcpcd-run-hooks' });
    this.#configuration = this.#seat.file('dhcpcd.conf');
    writeFileSync(this.#configuration, CONFIGURATION);
  }

  async bind(): Promise<Got> {
    await this.#seat.cut();
    this.#seat.forget();
    return this.#start('BOUND');
  }

  async renew(): Promise<Got> {
    const before = this.#seat.reported;
    this.#seat.program.signal('SIGUSR1');
    return this.#seat.lease('RENEW', before, lease);
  }

  async reboot(): Promise<Got> {
    await this.#seat.cut();
    return this.#start('REBOOT');
  }

  async release(): Promise<void> {
    // SIGALRM is how it is told to give its lease back and leave.
    await this.#seat.program.end('SIGALRM');
  }

  async #start(event: string): Promise<Got> {
    const before = this.#seat.reported;
    // In the foreground; -A leaves out five seconds of ARP probes.
    this.#seat.start('dhcpcd', '-B', '-d', '-A', '-f', this.#configuration, '-c', this.#seat.hook);
    return this.#seat.lease(event, before, lease);
  }
}
