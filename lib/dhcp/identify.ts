// Who is asking: the owner key of a DHCPv4 client.
import type { Declaration } from '../ipam/model.js';
import type { Network } from '../ipam/site.js';
import type { View } from '../ipam/view.js';
import type { Mac, Owner } from '../net/ids.js';
import { macFromBytes, ownerOfClientId, ownerOfHardware, ownerOfMac } from '../net/ids.js';
import type { Failure } from '../net/reason.js';
import { fail } from '../net/reason.js';
import type { Message4 } from '../wire/message4.js';
import { code } from '../wire/options4.js';

const ETHERNET = 1;

export interface Identity {
  readonly ok: true;
  readonly owner: Owner;
  readonly mac: Mac | undefined;
  readonly declaration: Declaration | undefined;
}

/** The MAC in chaddr; undefined where it is not six octets of Ethernet, or all zero. */
export function macOf(message: Message4): Mac | undefined {
  const { htype, hlen, chaddr } = message;
  return htype === ETHERNET && hlen === 6 && chaddr.some((octet) => octet !== 0) ? macFromBytes(chaddr) : undefined;
}

/**
 * A chaddr that a declaration names is always its owner's. Else it is the MAC, or the client identifier where the network says so or
 * there is no usable chaddr (RFC 2131 §4.2 prefers the identifier: see the decision on identity). An interface that is already there
 * under the other key goes on: a change of `identity` affects new interfaces only. Fails with `no-identity`.
 */
export function identify(message: Message4, network: Network, view: View): Identity | Failure {
  const mac = macOf(message);
  const declaration = mac && view.declaration(mac);
  if (declaration !== undefined) return { ok: true, owner: declaration.owner, mac, declaration };

  const id = message.options.get(code.clientIdentifier);
  const byId = id === undefined || id.length < 2 ? undefined : ownerOfClientId(id);
  const byHardware = mac !== undefined ? ownerOfMac(mac) : hardware(message);
  const [owner, other] =
    network.identity === 'client-id' ? [byId ?? byHardware, byHardware] : [byHardware ?? byId, byId];
  if (owner === undefined) return fail('no-identity');
  const known = (key: Owner): boolean => view.standing(network.name, key, 'ipv4') !== undefined;
  const kept = other !== undefined && other !== owner && !known(owner) && known(other) ? other : owner;
  return { ok: true, owner: kept, mac, declaration: undefined };
}

function hardware({ htype, chaddr }: Message4): Owner | undefined {
  return chaddr.length > 0 && chaddr.some((octet) => octet !== 0) ? ownerOfHardware(htype, chaddr) : undefined;
}
