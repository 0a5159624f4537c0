// From a draft without mistakes to declarations: what a revision says of each machine interface.
import type { Declaration, Declared } from '../ipam/model.js';
import { ownerOfMac } from '../net/ids.js';
import type { Ip } from '../net/ip.js';
import type { Draft, InterfaceDraft, MachineDraft, Written } from './draft.js';
import type { Declarable } from './words.js';

/** The declarations in the order of the files. */
export function declarationsOf(draft: Draft): readonly Declaration[] {
  return draft.machines.flatMap((machine) =>
    machine.interfaces.flatMap((iface) => declarationOf(machine, iface) ?? []),
  );
}

function declarationOf(machine: MachineDraft, iface: InterfaceDraft): Declaration | undefined {
  const macs = iface.macs.map(({ value }) => value);
  const [first] = macs;
  if (first === undefined || machine.name === undefined) return undefined;
  const { text, path } = iface.place;
  return {
    owner: ownerOfMac(first),
    macs,
    machine: machine.name,
    role: iface.role,
    primary: iface.primary,
    network: iface.network?.value,
    ipv4: declaredOf(iface.ipv4, iface.policy?.value),
    ipv6: declaredOf(iface.ipv6, iface.policy?.value),
    source: { file: text.file, line: text.position(path).line },
  };
}

/** What one family comes to: its own word, else the interface's policy, else retained. */
function declaredOf(written: Written<Ip | Declarable> | undefined, policy: Declarable | 'fixed' | undefined): Declared {
  if (written === undefined) {
    // Under `policy: fixed` the family that has no address is as if nothing had been said of it.
    return { policy: policy === undefined || policy === 'fixed' ? 'retained' : policy };
  }
  const { value } = written;
  return typeof value === 'string' ? { policy: value } : { policy: 'fixed', address: value };
}
