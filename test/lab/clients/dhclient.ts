// dhclient of ISC: one process for a lease, another one with -r that gives it back.
import { rmSync, writeFileSync } from 'node:fs';
import type { Lab } from '../lab.js';
import type { Client, Got } from './client.js';
import type { Report } from './seat.js';
import { Seat, words } from './seat.js';

/** Tries again soon, and for so many seconds in all. */
const CONFIGURATION = 'timeout 20; retry 2; initial-interval 1; backoff-cutoff 2;\n';

export class Dhclient implements Client {
  readonly mac: string;
  readonly remembers = true;
  readonly #seat: Seat;
  readonly #leases: string;
  readonly #options: readonly string[];

  constructor(lab: Lab, wire: string, mac: string) {
    this.mac = mac;
    this.#seat = new Seat(lab, { name: 'dhclient', wire, mac, script: '/sbin/dhclient-script' });
    this.#leases = this.#seat.file('leases');
    const configuration = this.#seat.file('dhclient.conf');
    writeFileSync(configuration, CONFIGURATION);
    const files = ['-lf', this.#leases, '-pf', this.#seat.file('pid'), '-cf', configuration];
    this.#options = ['-4', '-d', '-v', '-sf', this.#seat.hook, ...files];
  }

  async bind(): Promise<Got> {
    await this.#seat.cut();
    this.#seat.forget();
    rmSync(this.#leases, { force: true });
    return this.#start('BOUND');
  }

  /** It has no signal for this and waits for T1: tests give it a lease of some seconds. */
  async renew(): Promise<Got> {
    return this.#seat.lease('RENEW', this.#seat.reported, lease);
  }

  async reboot(): Promise<Got> {
    await this.#seat.cut();
    return this.#start('REBOOT');
  }

  async release(): Promise<void> {
    const running = this.#seat.program;
    this.#seat.beside('dhclient', '-r', ...this.#options);
    await running.end();
  }

  async #start(event: string): Promise<Got> {
    const before = this.#seat.reported;
    this.#seat.start('dhclient', ...this.#options);
    return this.#seat.lease(event, before, lease);
  }
}

/** Both dhclient and dhcpcd call the values of a lease by these names. */
export function lease(report: Report): Got {
  return {
    address: report.get('new_ip_address') ?? '',
    mask: report.get('new_subnet_mask') ?? '',
    routers: words(report.get('new_routers')),
    dns: words(report.get('new_domain_name_servers')),
    seconds: Number(report.get('new_dhcp_lease_time')),
  };
}
