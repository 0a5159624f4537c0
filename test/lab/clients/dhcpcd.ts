// dhcpcd, driven by its signals.
import { writeFileSync } from 'node:fs';
import type { Lab } from '../lab.js';
import { within } from '../program.js';
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
    return this.#nudged('SIGUSR1', this.#seat.lease('RENEW', before, lease));
  }

  async reboot(): Promise<Got> {
    await this.#seat.cut();
    return this.#start('REBOOT');
  }

  async release(): Promise<void> {
    // This is how it is told to give its lease back and leave.
    await this.#nudged('SIGALRM', this.#seat.program.ended);
  }

  /** Sends `signal` until `done`: one that comes while its script runs may be lost. */
  async #nudged<T>(signal: NodeJS.Signals, done: Promise<T>): Promise<T> {
    const { program } = this.#seat;
    program.signal(signal);
    const again = setInterval(() => {
      program.signal(signal);
    }, 2000);
    try {
      return await within(done, () => `It did not heed ${signal}:\n${program.story}`);
    } finally {
      clearInterval(again);
    }
  }

  async #start(event: string): Promise<Got> {
    const before = this.#seat.reported;
    // In the foreground; -A leaves out five seconds of ARP probes.
    this.#seat.start('dhcpcd', '-B', '-d', '-A', '-f', this.#configuration, '-c', this.#seat.hook);
    return this.#seat.lease(event, before, lease);
  }
}
