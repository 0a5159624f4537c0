// What a file says, as values that may have holes: what could not be read is left out, because the first pass has noted it.
// So the second pass can find what spans fields although other fields are wrong.
import type { Mac } from '../net/ids.js';
import type { Family, Ip, Ip4 } from '../net/ip.js';
import type { Prefix, Range } from '../net/prefix.js';
import { valueAt } from './path.js';
import type { Place } from './place.js';
import { under } from './place.js';
import type { ConfigText } from './text.js';
import type { Declarable, Word } from './words.js';
import {
  declaredWord,
  durationWord,
  ipWord,
  machineNameWord,
  macWord,
  networkNameWord,
  prefixWord,
  rangeWord,
  readSeconds,
  relayWord,
  roleWord,
  serverIdWord,
  vrfWord,
} from './words.js';

/** A value with the place where it is written. */
export interface Written<T> {
  readonly value: T;
  readonly place: Place;
}

/** Lease times as written, ms. */
export interface LeaseDraft {
  readonly place: Place;
  readonly default: number | undefined;
  readonly min: number | undefined;
  readonly max: number | undefined;
}

export interface NetworkDraft {
  readonly place: Place;
  readonly name: string | undefined;
  readonly vrf: string;
  readonly prefixes: readonly Written<Prefix>[];
  /** Whether all prefixes could be read, so that what lies in none of them lies outside. */
  readonly whole: boolean;
  readonly gateways: readonly Written<Ip>[];
  readonly pools: readonly Written<Range>[];
  readonly reserved: readonly Written<Range>[];
  readonly relays: readonly Written<Range>[] | undefined;
  readonly delegate: { readonly place: Place; readonly prefix: Prefix; readonly length: number } | undefined;
  readonly allocation: 'dynamic' | 'reserved';
  readonly unknown: 'allow' | 'ignore';
  readonly roaming: 'allow' | 'ignore';
  readonly identity: 'mac' | 'client-id';
  readonly lease: LeaseDraft;
  readonly options: Place;
}

export interface InterfaceDraft {
  readonly place: Place;
  readonly macs: readonly Written<Mac>[];
  readonly role: string;
  readonly primary: boolean;
  readonly network: Written<string> | undefined;
  readonly policy: Written<Declarable | 'fixed'> | undefined;
  readonly ipv4: Written<Ip | Declarable> | undefined;
  readonly ipv6: Written<Ip | Declarable> | undefined;
}

export interface MachineDraft {
  readonly place: Place;
  readonly name: string | undefined;
  readonly interfaces: readonly InterfaceDraft[];
  readonly options: Place;
}

/** Everything of one set of files. */
export interface Draft {
  /** The top of the main file. */
  readonly main: Place;
  /** Whether every file could be read, so that a name that is not found is not there. */
  readonly whole: boolean;
  readonly serverId: Written<Ip4> | undefined;
  readonly keep: number | undefined;
  readonly lease: LeaseDraft;
  readonly options: Place;
  readonly networks: readonly NetworkDraft[];
  readonly machines: readonly MachineDraft[];
}

/** Drafts the main file and those that it includes. */
export function draftOf(texts: readonly [ConfigText, ...ConfigText[]], whole: boolean): Draft {
  const main: Place = { text: texts[0], path: [] };
  const tops = texts.map((text): Place => ({ text, path: [] }));
  return {
    main,
    whole,
    serverId: readAt(under(main, 'server', 'server-id'), serverIdWord),
    keep: durationAt(under(main, 'interfaces', 'keep')),
    lease: leaseAt(under(main, 'lease')),
    options: under(main, 'options'),
    networks: tops.flatMap((top) => elements(under(top, 'networks')).map(networkAt)),
    machines: tops.flatMap((top) => elements(under(top, 'machines')).map(machineAt)),
  };
}

/** The value at `place` as it came from YAML. */
export function rawAt(place: Place): unknown {
  return valueAt(place.text.value, place.path);
}

/** The places of the elements of a list; none where there is no list. */
function elements(place: Place): readonly Place[] {
  const value = rawAt(place);
  return Array.isArray(value) ? value.map((_, index) => under(place, index)) : [];
}

function readAt<T>(place: Place, word: Word<T>): Written<T> | undefined {
  const raw = rawAt(place);
  if (typeof raw !== 'string') return undefined;
  const read = word.read(raw);
  return read.ok ? { value: read.value, place } : undefined;
}

/** What can be read of one value or a list of values. */
function allAt<T>(place: Place, word: Word<T>): readonly Written<T>[] {
  const places = Array.isArray(rawAt(place)) ? elements(place) : [place];
  return places.flatMap((each) => readAt(each, word) ?? []);
}

function choiceAt<T extends string>(place: Place, choices: readonly [T, ...T[]]): T {
  const raw = rawAt(place);
  return choices.find((choice) => choice === raw) ?? choices[0];
}

function durationAt(place: Place): number | undefined {
  const raw = rawAt(place);
  const read =
    typeof raw === 'number' ? readSeconds(raw) : typeof raw === 'string' ? durationWord.read(raw) : undefined;
  return read?.ok === true ? read.value : undefined;
}

function leaseAt(place: Place): LeaseDraft {
  return {
    place,
    default: durationAt(under(place, 'default')),
    min: durationAt(under(place, 'min')),
    max: durationAt(under(place, 'max')),
  };
}

function networkAt(place: Place): NetworkDraft {
  const prefixes = allAt(under(place, 'prefixes'), prefixWord);
  const raw = rawAt(under(place, 'prefixes'));
  return {
    place,
    name: readAt(under(place, 'name'), networkNameWord)?.value,
    vrf: readAt(under(place, 'vrf'), vrfWord)?.value ?? 'default',
    prefixes,
    whole: prefixes.length > 0 && prefixes.length === (Array.isArray(raw) ? raw.length : 1),
    gateways: allAt(under(place, 'gateway'), ipWord),
    pools: allAt(under(place, 'pools'), rangeWord),
    reserved: allAt(under(place, 'reserved'), rangeWord),
    relays: rawAt(under(place, 'relays')) === undefined ? undefined : allAt(under(place, 'relays'), relayWord),
    delegate: delegateAt(under(place, 'delegate')),
    allocation: choiceAt(under(place, 'allocation'), ['dynamic', 'reserved']),
    unknown: choiceAt(under(place, 'unknown'), ['allow', 'ignore']),
    roaming: choiceAt(under(place, 'roaming'), ['allow', 'ignore']),
    identity: choiceAt(under(place, 'identity'), ['mac', 'client-id']),
    lease: leaseAt(under(place, 'lease')),
    options: under(place, 'options'),
  };
}

function delegateAt(place: Place): NetworkDraft['delegate'] {
  const prefix = readAt(under(place, 'prefix'), prefixWord)?.value;
  const length = rawAt(under(place, 'length'));
  return prefix === undefined || typeof length !== 'number' ? undefined : { place, prefix, length };
}

function machineAt(place: Place): MachineDraft {
  return {
    place,
    name: readAt(under(place, 'name'), machineNameWord)?.value,
    interfaces: elements(under(place, 'interfaces')).map(interfaceAt),
    options: under(place, 'options'),
  };
}

const declared: Readonly<Record<Family, Word<Ip | Declarable>>> = {
  ipv4: declaredWord('ipv4'),
  ipv6: declaredWord('ipv6'),
};

function interfaceAt(place: Place): InterfaceDraft {
  const policies = ['dynamic', 'fixed', 'retained', 'preserved'] as const;
  const policy = policies.find((word) => word === rawAt(under(place, 'policy')));
  return {
    place,
    macs: allAt(under(place, 'mac'), macWord),
    role: readAt(under(place, 'role'), roleWord)?.value ?? 'host',
    primary: rawAt(under(place, 'primary')) === true,
    network: readAt(under(place, 'network'), networkNameWord),
    policy: policy === undefined ? undefined : { value: policy, place: under(place, 'policy') },
    ipv4: readAt(under(place, 'ipv4'), declared.ipv4),
    ipv6: readAt(under(place, 'ipv6'), declared.ipv6),
  };
}
