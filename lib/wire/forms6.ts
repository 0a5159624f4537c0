// Which DHCPv6 option values are well formed: one that is not is left out and reported, and the rest of the message stands (RFC 9915 §16).
import { isDuid } from '../net/duid.js';
import type { Option6 } from './areas6.js';
import { readOptions } from './areas6.js';
import { code6 } from './codes6.js';

type Form = (value: Uint8Array) => boolean;

function exactly(octets: number): Form {
  return (value) => value.length === octets;
}

function atLeast(octets: number): Form {
  return (value) => value.length >= octets;
}

/** Pairs of octets, `octets` or more. */
function pairs(octets: number): Form {
  return (value) => value.length >= octets && value.length % 2 === 0;
}

/** What is read of the options that the server itself reads; all others are taken as they are. */
const forms: ReadonlyMap<number, Form> = new Map<number, Form>([
  [code6.clientId, isDuid],
  [code6.serverId, isDuid],
  [code6.iaPrefix, (value) => value.length > 8 && value[8]! <= 128],
  [code6.optionRequest, pairs(0)],
  [code6.preference, exactly(1)],
  [code6.elapsedTime, exactly(2)],
  [code6.authentication, atLeast(11)],
  [code6.unicast, exactly(16)],
  [code6.statusCode, atLeast(2)],
  [code6.rapidCommit, exactly(0)],
  [code6.userClass, atLeast(1)],
  [code6.vendorClass, atLeast(4)],
  [code6.vendorOptions, (value) => value.length >= 4 && typeof readOptions(value, 4) !== 'number'],
  [code6.reconfigureMessage, exactly(1)],
  [code6.reconfigureAccept, exactly(0)],
  [code6.informationRefreshTime, exactly(4)],
  [code6.remoteId, atLeast(4)],
  [code6.clientFqdn, atLeast(1)],
  [code6.clientArchitecture, pairs(2)],
  [code6.clientNii, exactly(3)],
  [code6.relaySupplied, (value) => typeof readOptions(value, 0) !== 'number'],
  [code6.clientLinkLayer, atLeast(3)],
  [code6.solMaxRt, exactly(4)],
  [code6.infMaxRt, exactly(4)],
  [code6.relayPort, exactly(2)],
]);

/** Where the options inside an option begin: in a message, and in an IA. Nothing lies deeper, so neither does the search. */
const nested: readonly ReadonlyMap<number, number>[] = [
  new Map([
    [code6.iaNa, 12],
    [code6.iaTa, 4],
    [code6.iaPd, 12],
  ]),
  new Map([
    [code6.iaAddress, 24],
    [code6.iaPrefix, 25],
  ]),
];

/** Told of an option that is left out: the codes that lead to it, outermost first, and how long its value is. */
export type Report = (codes: readonly number[], length: number) => void;

/** The options that are well formed. `depth`: 0 for those of a message, 1 for those of an IA, 2 for those of an address or prefix. */
export function soundOptions(options: readonly Option6[], depth: number, report: Report): readonly Option6[] {
  return options.filter((option) => {
    const sound = isSound(option, depth, report);
    if (!sound) report([option.code], option.value.length);
    return sound;
  });
}

function isSound({ code, value }: Option6, depth: number, report: Report): boolean {
  if (forms.get(code)?.(value) === false) return false;
  const from = nested[depth]?.get(code);
  if (from === undefined) return true;
  const inside = value.length < from ? 0 : readOptions(value, from);
  if (typeof inside === 'number') return false;
  soundOptions(inside, depth + 1, (codes, length) => report([code, ...codes], length));
  return true;
}
