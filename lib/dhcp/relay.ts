// What a relay added: option 82, read once.
import type { Ip4 } from '../net/ip.js';
import { readIp4 } from '../net/ip.js';
import type { Message4 } from '../wire/message4.js';
import { code } from '../wire/options4.js';
import { relaySub } from '../wire/relay-information.js';
import { decodeSubOptions } from '../wire/suboptions.js';

export interface RelayFacts {
  /** The subnet that the relay asks for instead of giaddr's (RFC 3527 §3). */
  readonly linkSelection: Ip4 | undefined;
  /** The relay listens on the port that it sent from (RFC 8357 §5). */
  readonly ownPort: boolean;
}

const none: RelayFacts = { linkSelection: undefined, ownPort: false };

/** Reads option 82; without giaddr it means nothing here, and an ill-formed one is none (it is echoed all the same). */
export function relayFacts(message: Message4): RelayFacts {
  const value = message.giaddr === 0 ? undefined : message.options.get(code.relayAgentInformation);
  const subs = value && decodeSubOptions(value, false);
  if (subs === undefined) return none;
  const selection = subs.get(relaySub.linkSelection);
  return {
    linkSelection: selection?.length === 4 ? readIp4(selection, 0) : undefined,
    ownPort: subs.has(relaySub.relayPort),
  };
}
