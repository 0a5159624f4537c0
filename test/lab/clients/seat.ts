// Where a real client sits: a namespace with a wire, private /etc, /run and state, and its script's report of what it was given.
import { existsSync, readFileSync, rmSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Lab } from '../lab.js';
import type { Namespace } from '../namespace.js';
import { killAllIn } from '../namespace.js';
import type { Program } from '../program.js';
import { within } from '../program.js';
import type { Got } from './client.js';

/** The environment that a client called its script with; `event` is why. */
export type Report = ReadonlyMap<string, string>;

const LINK = 'eth0';

/**
 * Makes the mounts of one client private, so that its stock script may write where it always does, then becomes the client. The first
 * arguments are the folder that stands for /var/lib/dhcpcd, and the namespace's name, from which the machine's identity is made.
 */
const PRIVATELY = `set -e
mount -t tmpfs tmpfs /run
mkdir /run/changed /run/work
mount -t overlay -o lowerdir=/etc,upperdir=/run/changed,workdir=/run/work overlay /etc
rm -f /etc/resolv.conf
: > /etc/resolv.conf
echo "$2" | md5sum | cut -c 1-32 > /etc/machine-id
if [ -d /var/lib/dhcpcd ]; then mount --bind "$1" /var/lib/dhcpcd; fi
shift 2
exec "$@"`;

export class Seat {
  readonly mac: string;
  readonly folder: string;
  /** To be named as the client's script: runs the stock one and then writes down what it was called with. */
  readonly hook: string;
  readonly #lab: Lab;
  readonly #where: Namespace;
  readonly #reports: string;
  readonly #memory: string;
  #program: Program | undefined;

  constructor(
    lab: Lab,
    place: { readonly name: string; readonly wire: string; readonly mac: string; readonly script: string },
  ) {
    this.#lab = lab;
    this.mac = place.mac;
    this.#where = lab.namespace(place.name);
    lab.wire(place.wire).plug(this.#where, LINK, { mac: place.mac });
    this.folder = lab.subfolder(this.#where.name);
    this.#memory = lab.subfolder(`${this.#where.name}/memory`);
    this.#reports = join(this.folder, 'reports');
    this.hook = join(this.folder, 'hook');
    writeFileSync(
      this.hook,
      `#!/bin/sh
${place.script} "$@"
code=$?
servers=$(sed -n 's/^nameserver //p' /etc/resolv.conf | tr '\\n' ' ')
{ echo "event=\${reason:-$1}"; env; echo "configured_dns=$servers"; echo; } >> ${this.#reports}
exit $code
`,
      { mode: 0o755 },
    );
    this.forget();
  }

  file(name: string): string {
    return join(this.folder, name);
  }

  /** Starts the client here. */
  start(command: string, ...args: readonly string[]): void {
    const inside = ['-c', PRIVATELY, 'sh', this.#memory, this.#where.name, command, ...args, LINK];
    this.#program = this.#lab.start(this.#where, 'unshare', ['--mount', 'sh', ...inside], () => this.cut());
  }

  /** Runs a program beside the running client, in its namespaces, to its end. */
  beside(command: string, ...args: readonly string[]): void {
    this.#where.run('nsenter', '--mount', '--target', String(this.program.pid), command, ...args, LINK);
  }

  get program(): Program {
    if (this.#program === undefined) throw new Error('no client was started here');
    return this.#program;
  }

  /** Ends the client as a power cut does: nothing is said, and the link has no address any more. */
  async cut(): Promise<void> {
    if (this.#program === undefined) return;
    // dhcpcd has helpers, which would say goodbye for it.
    killAllIn(this.#where.name);
    await this.#program.ended;
    this.#where.ip('address', 'flush', 'dev', LINK);
  }

  /** Empties what the client remembers. */
  forget(): void {
    rmSync(this.#memory, { recursive: true });
    this.#lab.subfolder(`${this.#where.name}/memory`);
    writeFileSync(this.#reports, '');
  }

  /** How many reports there are by now. */
  get reported(): number {
    return this.#read().length;
  }

  /** The lease in the first report of `event` from number `from` on, after a look whether the machine is configured as that says. */
  async lease(event: string, from: number, read: (report: Report) => Got): Promise<Got> {
    const report = await this.#report(event, from);
    const got = read(report);
    this.#expectConfigured(report, got);
    return got;
  }

  /** Expects that the kernel and resolv.conf have what the client says that it got. */
  #expectConfigured(report: Report, got: Got): void {
    const [link] = JSON.parse(this.#where.ip('-json', '-4', 'address', 'show', 'dev', LINK)) as {
      addr_info: { local: string; prefixlen: number }[];
    }[];
    const addresses = link?.addr_info.map(({ local, prefixlen }) => `${local}/${prefixlen}`);
    expect(addresses, 'the addresses of the link').to.deep.equal([`${got.address}/${lengthOf(got.mask)}`]);
    const routes = JSON.parse(this.#where.ip('-json', '-4', 'route', 'show', 'default')) as { gateway: string }[];
    expect(
      routes.map(({ gateway }) => gateway),
      'the default routes',
    ).to.deep.equal(got.routers);
    expect(words(report.get('configured_dns')), 'the name servers of resolv.conf').to.deep.equal(got.dns);
  }

  /** The first report from number `from` on of `event`. */
  async #report(event: string, from: number): Promise<Report> {
    let look = (): void => undefined;
    const watcher = watch(this.#reports, () => {
      look();
    });
    const found = new Promise<Report>((resolve, reject) => {
      look = () => {
        const report = this.#read()
          .slice(from)
          .find((one) => one.get('event') === event);
        if (report !== undefined) resolve(report);
      };
      look();
      void this.program.ended.then(() => {
        look();
        reject(new Error(`The client ended without ${event}:\n${this.program.story}`));
      }, reject);
    });
    try {
      return await within(found, () => `No ${event} came from:\n${this.program.story}`);
    } finally {
      watcher.close();
    }
  }

  #read(): readonly Report[] {
    if (!existsSync(this.#reports)) return [];
    const blocks = readFileSync(this.#reports, 'utf8').split('\n\n').slice(0, -1);
    return blocks.map((block) => {
      const lines = block.split('\n').map((line) => line.split('=') as [string, ...string[]]);
      return new Map(lines.map(([name, ...value]) => [name, value.join('=')]));
    });
  }
}

/** The prefix length of a netmask in dotted form. */
function lengthOf(mask: string): number {
  const bits = mask.split('.').map((octet) => Number(octet).toString(2).padStart(8, '0'));
  return bits.join('').replace(/0+$/, '').length;
}

/** The words of a value; none where there is no value. */
export function words(value: string | undefined): readonly string[] {
  return (value ?? '').split(/\s+/).filter((word) => word !== '');
}
