// udhcpc of BusyBox, driven by its signals.
import type { Lab } from '../lab.js';
import type { Client, Got } from './client.js';
import type { Report } from './seat.js';
import { Seat, words } from './seat.js';

export class Udhcpc implements Client {
  readonly mac: string;
  /** It asks for its last address in a DISCOVER only. */
  readonly remembers = false;
  readonly #seat: Seat;

  constructor(lab: Lab, wire: string, mac: string) {
    this.mac = mac;
    this.#seat = new Seat(lab, { name: 'udhcpc', wire, mac, script: '/etc/udhcpc/default.script' });
  }

  async bind(): Promise<Got> {
    await this.#seat.cut();
    this.#seat.forget();
    this.#seat.start('udhcpc', '-f', '-n', '-t', '5', '-T', '2', '-s', this.#seat.hook, '-i');
    return this.#seat.lease('bound', 0, lease);
  }

  async renew(): Promise<Got> {
    const before = this.#seat.reported;
    this.#seat.program.signal('SIGUSR1');
    return this.#seat.lease('renew', before, lease);
  }

  reboot(): Promise<Got> {
    return Promise.reject(new Error('udhcpc does not know INIT-REBOOT'));
  }

  async release(): Promise<void> {
    const before = this.#seat.program.lines.length;
    this.#seat.program.signal('SIGUSR2');
    await this.#seat.program.says(/entering released state/, before);
    await this.#seat.program.end('SIGTERM');
  }
}

function lease(report: Report): Got {
  return {
    address: report.get('ip') ?? '',
    mask: report.get('subnet') ?? '',
    routers: words(report.get('router')),
    dns: words(report.get('dns')),
    seconds: Number(report.get('lease')),
  };
}
