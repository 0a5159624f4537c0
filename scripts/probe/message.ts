// What the probe says: a client's messages as a relay passes them on (RFC 2131 §4.4, RFC 3046, RFC 3527, RFC 8357).
import type { Mac } from '../../lib/net/ids.js';
import { macToBytes } from '../../lib/net/ids.js';
import type { Ip4 } from '../../lib/net/ip.js';
import { ANY4, ipToBytes } from '../../lib/net/ip.js';
import type { Message4 } from '../../lib/wire/message4.js';
import { BOOTREQUEST } from '../../lib/wire/message4.js';
import { code, messageType, options4 } from '../../lib/wire/options4.js';
import { relaySub } from '../../lib/wire/relay-information.js';
import { encodeSubOptions } from '../../lib/wire/suboptions.js';

const ETHERNET = 1;

/** One client, and the relay that speaks for it. */
export interface Client {
  readonly mac: Mac;
  /** One for the whole conversation: a REQUEST repeats the xid of its OFFER (RFC 2131 §4.4.1). */
  readonly xid: number;
  /** The relay's address; answers go there. */
  readonly giaddr: Ip4;
  /** An address of the link to ask for; without it giaddr says the link. */
  readonly link?: Ip4;
  /** Further options by code; they stand in the place of the probe's own. */
  readonly options: ReadonlyMap<number, Uint8Array>;
}

/**
 * All that has a name and that an operator may set. Option 108 is not asked for: who names it says that it can do without an IPv4 address
 * (RFC 8925 §3.2).
 */
const everything = Uint8Array.from(
  options4.filter((row) => row.by === undefined && row.code !== code.v6OnlyPreferred).map((row) => row.code),
);

/** The largest message that an Ethernet link carries whole, IP and UDP headers included. */
const MOST_OCTETS = 1500;

/** A DISCOVER, for `wish` where the client would like an address of its choice. */
export function discover(client: Client, wish?: Ip4): Message4 {
  return message(client, messageType.discover, ANY4, wish === undefined ? [] : [[code.requestedAddress, wish]]);
}

/** A REQUEST that takes `offer` (SELECTING, RFC 2131 §4.3.2). */
export function request(client: Client, offer: Message4): Message4 {
  const server = serverOf(offer);
  return message(client, messageType.request, ANY4, [
    [code.requestedAddress, offer.yiaddr],
    ...(server === undefined ? [] : [[code.serverIdentifier, server] as const]),
  ]);
}

/** A REQUEST of one who comes back and believes to hold `address` (INIT-REBOOT, RFC 2131 §4.3.2). */
export function reboot(client: Client, address: Ip4): Message4 {
  return message(client, messageType.request, ANY4, [[code.requestedAddress, address]]);
}

/** A RELEASE of what `ack` gave. No server answers it. */
export function release(client: Client, ack: Message4): Message4 {
  const server = serverOf(ack);
  return message(
    client,
    messageType.release,
    ack.yiaddr,
    server === undefined ? [] : [[code.serverIdentifier, server]],
  );
}

/** The address in option 54; undefined where there is none. */
export function serverOf(answer: Message4): Ip4 | undefined {
  return addressIn(answer, code.serverIdentifier);
}

/** The number in the four octets of `option`; undefined where it is not there or not that long. */
export function addressIn(answer: Message4, option: number): Ip4 | undefined {
  const bytes = answer.options.get(option);
  if (bytes?.length !== 4) return undefined;
  return new DataView(bytes.buffer, bytes.byteOffset).getUint32(0) as Ip4;
}

function message(
  client: Client,
  type: number,
  ciaddr: Ip4,
  addresses: readonly (readonly [code: number, address: Ip4])[],
): Message4 {
  const options = new Map<number, Uint8Array>([[code.messageType, Uint8Array.of(type)]]);
  for (const [option, address] of addresses) options.set(option, ipToBytes(address));
  // A RELEASE asks for nothing (RFC 2131 table 5).
  if (type !== messageType.release) {
    options.set(code.parameterRequestList, everything);
    options.set(code.maxMessageSize, Uint8Array.of(MOST_OCTETS >> 8, MOST_OCTETS & 255));
    for (const [option, value] of client.options) options.set(option, value);
  } else {
    const id = client.options.get(code.clientIdentifier);
    if (id !== undefined) options.set(code.clientIdentifier, id);
  }
  options.set(code.relayAgentInformation, relayInformation(client.link));
  return {
    op: BOOTREQUEST,
    htype: ETHERNET,
    hlen: 6,
    hops: 1,
    xid: client.xid,
    secs: 0,
    flags: 0,
    ciaddr,
    yiaddr: ANY4,
    siaddr: ANY4,
    giaddr: client.giaddr,
    chaddr: macToBytes(client.mac),
    sname: new Uint8Array(0),
    file: new Uint8Array(0),
    options,
    cookie: true,
  };
}

/** Which link is meant, and that the answer is to come to the port that this came from. */
function relayInformation(link: Ip4 | undefined): Uint8Array {
  const subs = new Map<number, Uint8Array>();
  if (link !== undefined) subs.set(relaySub.linkSelection, ipToBytes(link));
  subs.set(relaySub.relayPort, new Uint8Array(0));
  return encodeSubOptions(subs);
}
