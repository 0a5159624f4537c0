// Option values from names and words to octets, once and for all.
import { parseIp4, parseIp6 } from '../net/ip.js';
import type { OptionSet } from '../ipam/site.js';
import { encodeField } from '../wire/fields.js';
import type { Option4 } from '../wire/options4.js';
import { code, optionByName, options4 } from '../wire/options4.js';
import { rawAt } from './draft.js';
import { show } from './issues.js';
import type { Notebook, Place } from './place.js';
import { under } from './place.js';
import { nearest } from './suggest.js';

/** The options whose addresses may be of both families: DHCPv6 has an option of the same meaning. */
const mixed: ReadonlySet<string> = new Set(['domain-name-servers', 'ntp-servers']);

/** What to write instead of an option that is not the operator's. */
const instead = new Map<number, string>([
  [code.leaseTime, 'write `lease` instead'],
  [code.serverIdentifier, 'write `server-id` under `server` instead'],
]);

/** What people call some options. */
const everyday = new Map([
  ['dns', 'domain-name-servers'],
  ['dns-servers', 'domain-name-servers'],
  ['nameservers', 'domain-name-servers'],
  ['domain', 'domain-name'],
  ['ntp', 'ntp-servers'],
  ['mtu', 'interface-mtu'],
  ['tftp', 'tftp-server-name'],
  ['filename', 'bootfile-name'],
  ['bootfile', 'bootfile-name'],
]);

/** The names that a file may use. */
const settable = options4.filter((option) => option.by === undefined).map(({ name }) => name);

/** The DHCPv4 options at `place`, encoded; what is wrong is noted and left out. */
export function optionsAt(place: Place, notes: Notebook): OptionSet {
  const raw = rawAt(place);
  const encoded = new Map<number, Uint8Array>();
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return encoded;
  for (const name of Object.keys(raw)) {
    const here = under(place, name);
    const option = optionByName(name);
    if (option === undefined || option.code === code.pad) {
      notes.mistake(here, unknownOption(name), 'key');
    } else if (option.by !== undefined) {
      const right = instead.get(option.code) ?? 'remove it';
      notes.mistake(here, `${name} is written by the ${option.by}, not by a configuration; ${right}`, 'key');
    } else {
      const bytes = encodeAt(here, option, notes);
      if (bytes !== undefined) encoded.set(option.code, bytes);
    }
  }
  return encoded;
}

/** The IPv6 addresses in the value of an option that may have both families. */
export function ip6ValuesAt(place: Place): readonly Place[] {
  if (!mixed.has(String(place.path.at(-1)))) return [];
  const raw = rawAt(place);
  const places = Array.isArray(raw) ? raw.map((_, index) => under(place, index)) : [place];
  return places.filter((each) => isIp6(rawAt(each)));
}

function isIp6(value: unknown): boolean {
  return typeof value === 'string' && parseIp6(value) !== undefined;
}

function encodeAt(place: Place, option: Option4, notes: Notebook): Uint8Array | undefined {
  let value = rawAt(place);
  if (mixed.has(option.name)) {
    if (isIp6(value)) return undefined;
    if (Array.isArray(value) && value.length > 0) {
      value = value.filter((item) => !isIp6(item));
      if (Array.isArray(value) && value.length === 0) return undefined;
    }
  }
  const outcome = encodeField(option.field, value);
  if (outcome.ok) return outcome.bytes;
  noteWrong(place, option, value, outcome.right, notes);
  return undefined;
}

/** Notes the element that is wrong where a list has one, else the whole value. */
function noteWrong(place: Place, option: Option4, value: unknown, right: string, notes: Notebook): void {
  const raw = rawAt(place);
  if (Array.isArray(raw) && Array.isArray(value)) {
    const wrong = raw.flatMap((item, index) =>
      value.includes(item) && !encodeField(option.field, [item]).ok ? [under(place, index)] : [],
    );
    for (const each of wrong) notes.mistake(each, sentence(each, option, right));
    if (wrong.length > 0) return;
  }
  notes.mistake(place, sentence(place, option, right));
}

function sentence(place: Place, option: Option4, right: string): string {
  const raw = rawAt(place);
  const shown = show(raw, place.text.written(place.path));
  if (option.field.startsWith('ip4') && isIp6(raw)) {
    return `${shown} is an IPv6 address, and ${option.name} is an option of DHCPv4; it should be ${right}`;
  }
  const written = place.text.written(place.path) ?? '';
  if (raw === null) return `nothing is written here; it should be ${right}, or remove the key`;
  let hint = '';
  if (option.field === 'text' && (typeof raw === 'number' || typeof raw === 'boolean')) {
    hint = `; write it in quotes: "${written}"`;
  } else if (typeof raw === 'string' && raw !== '' && encodeField(option.field, Number(raw)).ok) {
    hint = `; write it without quotes: ${raw}`;
  }
  return `${shown} is no value for ${option.name}; it should be ${right}${hint}`;
}

function unknownOption(name: string): string {
  const shown = JSON.stringify(name);
  const code4 = parseIp4(`0.0.0.${name}`) ?? 0;
  if (code4 > 0 && code4 < 255) {
    const known = options4.find((option) => option.code === code4);
    return `${shown} is a number; write the name of the option: ${known?.name ?? `option-${name}`}`;
  }
  const numbered = /^option-(\d{1,3})$/.exec(name)?.[1];
  const known = options4.find((option) => option.code === Number(numbered));
  if (known !== undefined) return `${shown} has a name; write ${known.name}`;
  const close = everyday.get(name.toLowerCase()) ?? nearest(name, settable);
  if (close !== undefined) return `${shown} is no known option; did you mean ${close}?`;
  return `${shown} is no known option; write a name that IANA gives it, such as domain-name-servers, or option-N with its octets`;
}
