// Well-formed messages of every type, to be sent as they are or damaged.
import { encode4 } from '../../lib/wire/message4.js';
import { code } from '../../lib/wire/options4.js';
import { take } from '../lib/wire/samples.js';
import type { Sent } from './served.js';
import { messageOf } from './served.js';

/** Messages of every type, once plain and once relayed and with options, as they would come from the network of `near`. */
export function wellFormed(near: {
  readonly relay: string;
  readonly address: string;
  readonly server: string;
}): readonly Uint8Array[] {
  const mac = '02:0b:00:00:00:01';
  const { relay, address, server } = near;
  const options = new Map([
    [code.parameterRequestList, Uint8Array.of(1, 3, 6, 15, 28, 51, 58, 59)],
    [code.maxMessageSize, Uint8Array.of(5, 0xdc)],
    [code.relayAgentInformation, Uint8Array.of(1, 4, 101, 116, 104, 49, 5, 4, 10, 20, 0, 0, 19, 0)],
    [code.leaseTime, Uint8Array.of(0, 0, 14, 16)],
    [code.vendorClass, new TextEncoder().encode('PXEClient:Arch:00007:UNDI:003016')],
  ]);
  const plans: readonly Sent[] = [
    { type: 'discover', mac, requested: address },
    { type: 'request', mac, requested: address, server },
    { type: 'request', mac, requested: address },
    { type: 'request', mac, ciaddr: address },
    { type: 'decline', mac, requested: address, server },
    { type: 'release', mac, ciaddr: address, server },
    { type: 'inform', mac, ciaddr: address },
    { mac },
  ];
  return plans.flatMap((plan) =>
    [plan, { ...plan, giaddr: relay, options, clientId: '01020b00000001' }].map((sent) =>
      take(encode4(messageOf(sent), 1472)),
    ),
  );
}
