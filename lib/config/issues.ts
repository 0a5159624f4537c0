// From what zod found to notes: what stands there, why it is wrong, what would be right, and what was probably meant.
import type { z } from 'zod';
import type { Path } from './path.js';
import { valueAt } from './path.js';
import type { Notebook, Place } from './place.js';
import { includedSchema, knownKeys, mainSchema, shapes, wordsByNoun } from './schema.js';
import { nearest } from './suggest.js';
import type { ConfigText } from './text.js';
import { complain } from './words.js';

type Issue = z.core.$ZodIssue;

/** Notes everything in `text` that is not as the schema says. */
export function checkShape(text: ConfigText, kind: 'main' | 'included', notes: Notebook): void {
  const outcome = (kind === 'main' ? mainSchema : includedSchema).safeParse(text.value);
  for (const issue of outcome.error?.issues ?? []) report(issue, [], text, kind, notes);
}

function report(issue: Issue, base: Path, text: ConfigText, kind: 'main' | 'included', notes: Notebook): void {
  const path: Path = [...base, ...issue.path.filter((step) => typeof step !== 'symbol')];
  const place: Place = { text, path };
  switch (issue.code) {
    case 'custom':
      notes.mistake(place, issue.message);
      return;
    case 'unrecognized_keys':
      for (const key of issue.keys) {
        notes.mistake({ text, path: [...path, key] }, unknownKey(key, path, kind), 'key');
      }
      return;
    case 'invalid_union': {
      // Of the alternatives, the one that got past the type of the whole value is the one that was meant.
      const meant = issue.errors.find((branch) =>
        branch.some((inner) => inner.code !== 'invalid_type' || inner.path.length > 0),
      );
      if (meant === undefined) notes.mistake(place, wrongType(issue.message, place));
      for (const inner of meant ?? []) report(inner, path, text, kind, notes);
      return;
    }
    case 'invalid_value':
      notes.mistake(place, wrongChoice(issue.values.map(String), place));
      return;
    case 'invalid_type':
    case 'too_big':
    case 'too_small':
    case 'invalid_format':
    case 'not_multiple_of':
    case 'invalid_key':
    case 'invalid_element':
      notes.mistake(place, wrongType(issue.message, place));
  }
}

function isMissing(place: Place): boolean {
  const holder = valueAt(place.text.value, place.path.slice(0, -1));
  const key = place.path.at(-1);
  return key !== undefined && typeof holder === 'object' && holder !== null && !Object.hasOwn(holder, key);
}

/** What stands at a place, in words. */
export function show(value: unknown, written?: string): string {
  if (value === undefined || value === null) return written === undefined || written === '' ? 'nothing' : written;
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list';
  if (typeof value === 'object') return 'a map';
  const text = typeof value === 'string' ? JSON.stringify(value) : (written ?? JSON.stringify(value));
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}

function wrongType(noun: string, place: Place): string {
  const { text, path } = place;
  const word = wordsByNoun.get(noun);
  const like = word?.like ?? shapes[noun] ?? noun;
  if (isMissing(place)) return `\`${String(path.at(-1))}\` is missing; it takes ${noun}: write ${like}`;
  const value = valueAt(text.value, path);
  const written = text.written(path);
  if (value === null) return `nothing is written here; it takes ${noun}: write ${like}, or remove the key`;
  if (word !== undefined && (typeof value === 'number' || typeof value === 'boolean') && written !== undefined) {
    const read = word.read(written);
    if (!read.ok) return complain(word, written, read);
    return `${written} is read as a ${typeof value === 'number' ? 'number' : 'truth'} here, not as ${noun}; write it in quotes: "${written}"`;
  }
  if (word !== undefined && typeof value === 'object')
    return `${show(value)} is not ${noun}${colonHint(value)}; write ${like}`;
  if (noun === 'true or false' && typeof value === 'string') return wrongTruth(value);
  if (typeof value === 'string' && /^[\w-]+:\S/.test(value)) {
    return `${show(value)} is not ${noun} (a space after the colon is missing); write ${value.replace(':', ': ')}`;
  }
  if (Array.isArray(value) && noun.startsWith('a map')) return `a list is not ${noun}; write ${like}, without \`- \``;
  return `${show(value, written)} is not ${noun}; write ${like}`;
}

/** In `[fd00::]` YAML takes the colon at the end for that of a key. */
function colonHint(value: object): string {
  const [key, ...others] = Object.keys(value);
  if (key === undefined || others.length > 0 || Array.isArray(value) || !key.includes(':')) return '';
  return ` (${key}: is read as a key because it ends with a colon; put it in quotes)`;
}

function wrongTruth(value: string): string {
  const word = value.toLowerCase();
  if (['yes', 'on', 'true', 'y'].includes(word)) return `${show(value)} is not true or false; write true`;
  if (['no', 'off', 'false', 'n'].includes(word)) return `${show(value)} is not true or false; write false`;
  return `${show(value)} is not true or false; write one of the two`;
}

function wrongChoice(choices: readonly string[], place: Place): string {
  const value = valueAt(place.text.value, place.path);
  const all = `${choices.slice(0, -1).join(', ')} or ${choices.at(-1) ?? ''}`;
  if (value === null) return `nothing is written here; write ${all}, or remove the key`;
  const close = typeof value === 'string' ? nearest(value, choices) : undefined;
  const right = close === undefined ? `write ${all}` : `did you mean ${close}?`;
  return `${show(value, place.text.written(place.path))} is none of ${all}; ${right}`;
}

/** What to do about a key that its map does not know. */
function unknownKey(key: string, path: Path, kind: 'main' | 'included'): string {
  const map = path.filter((step) => typeof step === 'string').join('.');
  const known = map === '' && kind === 'included' ? ['networks', 'machines'] : (knownKeys[map] ?? []);
  const shown = JSON.stringify(key);
  if (key === '<<')
    return 'YAML 1.2 has no merge keys; write the keys out, or use an *alias as the whole value of one key';
  if (map === '' && kind === 'included' && knownKeys['']?.includes(key) === true) {
    return `${shown} belongs in the main file; an included file holds networks and machines only`;
  }
  const close = nearest(key, known);
  if (close !== undefined) return `${shown} is no known key; did you mean ${close}?`;
  const home = Object.entries(knownKeys).find(([, keys]) => keys.includes(key))?.[0];
  if (home !== undefined) {
    const where =
      home === ''
        ? 'at the top of the file'
        : `in ${home
            .replace('networks', 'networks[]')
            .replace(/^machines/, 'machines[]')
            .replace('.interfaces', '.interfaces[]')}`;
    return `${shown} does not belong here but ${where}; move it there by its indentation`;
  }
  return `${shown} is no known key; known here: ${known.join(', ')}`;
}
