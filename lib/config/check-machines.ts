// What spans the fields of a machine, and what spans machines and networks.
import type { Mac } from '../net/ids.js';
import type { Family, Ip } from '../net/ip.js';
import { formatIp } from '../net/ip.js';
import { contains, formatPrefix } from '../net/prefix.js';
import type { Draft, InterfaceDraft, MachineDraft, NetworkDraft, Written } from './draft.js';
import { rawAt } from './draft.js';
import { Homes } from './homes.js';
import { valueAt } from './path.js';
import type { Never } from './never.js';
import type { Notebook, Place } from './place.js';
import { lineOf, under } from './place.js';
import { nearest } from './suggest.js';

type Nevers = ReadonlyMap<NetworkDraft, readonly Never[]>;

/** Notes what is wrong within and between machines. */
export function checkMachines(draft: Draft, never: Nevers, notes: Notebook): void {
  const fixed = new FixedCheck(draft, never, notes);
  const macs = new Map<Mac, { machine: MachineDraft; iface: InterfaceDraft; place: Place }>();
  const names = new Map<string, Place>();
  const networks = namesOf(draft);
  for (const machine of draft.machines) {
    const place = under(machine.place, 'name');
    if (machine.name !== undefined) {
      const earlier = names.get(machine.name);
      if (earlier === undefined) names.set(machine.name, place);
      else {
        const line = lineOf(earlier, place);
        notes.mistake(place, `another machine is called ${machine.name} too (${line}); give each a name of its own`);
      }
    }
    checkPrimary(machine, notes);
    for (const iface of machine.interfaces) {
      checkMacs(machine, iface, macs, notes);
      checkPolicy(iface, notes);
      fixed.check(iface, 'ipv4');
      fixed.check(iface, 'ipv6');
      if (draft.whole) checkGuard(iface, networks, notes);
    }
  }
}

function checkPrimary(machine: MachineDraft, notes: Notebook): void {
  const [first, ...others] = machine.interfaces.filter((iface) => iface.primary);
  for (const other of others) {
    if (first === undefined) return;
    const place = under(other.place, 'primary');
    const line = lineOf(under(first.place, 'primary'), place);
    notes.mistake(
      place,
      `this machine has a primary interface already (${line}); keep \`primary: true\` on one of them`,
    );
  }
}

function checkMacs(
  machine: MachineDraft,
  iface: InterfaceDraft,
  seen: Map<Mac, { machine: MachineDraft; iface: InterfaceDraft; place: Place }>,
  notes: Notebook,
): void {
  for (const { value, place } of iface.macs) {
    const earlier = seen.get(value);
    if (earlier === undefined) {
      seen.set(value, { machine, iface, place });
      continue;
    }
    const line = lineOf(earlier.place, place);
    if (earlier.iface === iface) {
      notes.mistake(place, `${value} stands in this list twice (${line}); remove one of the two`);
    } else {
      const whose =
        earlier.machine === machine ? 'this machine' : `machine ${earlier.machine.name ?? '(without name)'}`;
      notes.mistake(
        place,
        `${value} is declared already, as ${earlier.iface.role} of ${whose} (${line}); a MAC names one interface, so remove one of the two`,
      );
    }
  }
}

const families = ['ipv4', 'ipv6'] as const;

function addressOf(written: Written<unknown> | undefined): Ip | undefined {
  const value = written?.value;
  return typeof value === 'number' || typeof value === 'bigint' ? (value as Ip) : undefined;
}

function checkPolicy(iface: InterfaceDraft, notes: Notebook): void {
  const { policy } = iface;
  if (policy === undefined) return;
  if (policy.value !== 'fixed') {
    for (const family of families) {
      const address = addressOf(iface[family]);
      if (address === undefined) continue;
      notes.mistake(
        under(iface.place, family),
        `an address means fixed, and \`policy: ${policy.value}\` (${lineOf(policy.place, policy.place)}) says otherwise; remove the address or the policy`,
      );
    }
    return;
  }
  const raw = families.map((family) => rawAt(under(iface.place, family)));
  const anyAddress = families.some((family) => addressOf(iface[family]) !== undefined);
  // What could not be read may have been meant as the address.
  const unread = families.some((family, index) => raw[index] !== undefined && iface[family] === undefined);
  if (!anyAddress && !unread) {
    const place = under(iface.place, 'policy');
    notes.mistake(place, 'fixed needs an address; write it as `ipv4: 10.20.0.11`, which means fixed without more');
  }
  for (const family of families) {
    const written = iface[family];
    if (written === undefined || addressOf(written) !== undefined) continue;
    notes.mistake(
      under(iface.place, family),
      `\`policy: fixed\` and \`${family}: ${String(written.value)}\` contradict each other; write the address here, or remove \`policy: fixed\``,
    );
  }
}

function checkGuard({ network }: InterfaceDraft, names: ReadonlySet<string>, notes: Notebook): void {
  if (network === undefined || names.has(network.value)) return;
  const close = nearest(network.value, names);
  const right = close === undefined ? `write one of ${[...names].slice(0, 10).join(', ')}` : `did you mean ${close}?`;
  notes.mistake(network.place, `no network is called ${network.value}; ${right}`);
}

/** The names that networks give themselves, those with mistakes in them too. */
function namesOf(draft: Draft): ReadonlySet<string> {
  const names = draft.networks.map(({ place }) => rawAt(under(place, 'name')));
  return new Set(names.filter((name) => typeof name === 'string'));
}

/** The fixed addresses of all machines: each in its network, given once, and not one that is never given. */
class FixedCheck {
  private readonly seen = new Map<string, { machine: string; place: Place }>();
  private readonly homes: Homes;
  private readonly byName: ReadonlyMap<string | undefined, NetworkDraft>;
  private readonly allWhole: boolean;

  constructor(
    draft: Draft,
    private readonly never: Nevers,
    private readonly notes: Notebook,
  ) {
    this.homes = new Homes(draft.networks);
    this.byName = new Map(draft.networks.map((network) => [network.name, network]));
    this.allWhole = draft.whole && draft.networks.every((network) => network.whole);
  }

  check(iface: InterfaceDraft, family: Family): void {
    const written = iface[family];
    const address = addressOf(written);
    if (written === undefined || address === undefined) return;
    const { place } = written;
    const shown = formatIp(address);
    const guard = iface.network;
    const homes = this.homes.of(address);
    const guarded = guard === undefined ? undefined : this.byName.get(guard.value);
    if (guard !== undefined && guarded !== undefined && guarded.whole && !homes.includes(guarded)) {
      const prefixes = guarded.prefixes.map(({ value }) => formatPrefix(value)).join(', ');
      const right = `write an address within ${prefixes}, or another network`;
      this.notes.mistake(
        place,
        `${shown} lies outside of network ${guard.value} (${lineOf(guard.place, place)}); ${right}`,
      );
    } else if (guard === undefined && homes.length === 0 && this.allWhole) {
      this.notes.warn(
        place,
        `${shown} lies outside every network, so nobody will get it; write an address within one of the prefixes, or declare its network`,
      );
    }
    if (guard === undefined && homes.length > 1) {
      const names = homes.map(({ name, vrf }) => `${name ?? '(without name)'} of VRF ${vrf}`).join(' and ');
      this.notes.mistake(place, `${shown} lies in ${names}; say which is meant with \`network:\``);
      return;
    }
    const home = guarded ?? homes[0];
    this.checkNever(home, address, place);
    this.checkTwice(iface, home?.vrf, address, place);
  }

  private checkNever(home: NetworkDraft | undefined, address: Ip, place: Place): void {
    const never = home === undefined ? [] : (this.never.get(home) ?? []);
    const kept = never.find(({ range }) => contains(range, address));
    if (kept === undefined) return;
    this.notes.mistake(
      place,
      `${formatIp(address)} is ${kept.what} (${lineOf(kept.place, place)}), which is never given to anybody; write another address`,
    );
  }

  private checkTwice(iface: InterfaceDraft, vrf: string | undefined, address: Ip, place: Place): void {
    const key = `${vrf ?? ''} ${address}`;
    const earlier = this.seen.get(key);
    const machine = String(valueAt(place.text.value, [...place.path.slice(0, 2), 'name']));
    if (earlier === undefined) {
      this.seen.set(key, { machine, place });
      return;
    }
    const line = lineOf(earlier.place, place);
    const mac = iface.macs[0]?.value ?? 'this interface';
    this.notes.mistake(
      place,
      `${formatIp(address)} is fixed for machine ${earlier.machine} already (${line}); an address has one holder, so give ${mac} another one`,
    );
  }
}
