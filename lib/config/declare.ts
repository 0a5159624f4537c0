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
    ipv4: declaredOf(iface.ipv4, iface.policy?.value, iface.ipv6),
    ipv6: declaredOf(iface.ipv6, iface.policy?.value, iface.ipv4),
    source: { file: text.file, line: text.position(path).line },
  };
}

type Word = Written<Ip | Declarable> | undefined;

/**
 * What one family comes to: its own word, else the interface's policy; else retained, but dynamic beside an `other` family that has an
 * address: who fixes one family only says nothing for the other (C05).
 */
function declaredOf(written: Word, policy: Declarable | 'fixed' | undefined, other: Word): Declared {
  if (written === undefined) {
    if (policy !== undefined && policy !== 'fixed') return { policy };
    return { policy: other === undefined || typeof other.value === 'string' ? 'retained' : 'dynamic' };
  }
  const { value } = written;
  return typeof value === 'string' ? { policy: value } : { policy: 'fixed', address: value };
}
