// From configuration texts to a site and its declarations, or to every mistake in them.
import type { Declaration } from '../ipam/model.js';
import type { OptionSet, Site } from '../ipam/site.js';
import { checkMachines } from './check-machines.js';
import { checkNetworks } from './check-networks.js';
import { declarationsOf } from './declare.js';
import type { Draft, NetworkDraft } from './draft.js';
import { draftOf, rawAt } from './draft.js';
import { checkShape, show } from './issues.js';
import { warnOfLater } from './later.js';
import type { Never } from './never.js';
import { neverOf } from './never.js';
import type { Note } from './note.js';
import { sortNotes } from './note.js';
import { optionsAt } from './options.js';
import type { Place } from './place.js';
import { Notebook, under } from './place.js';
import { siteOf } from './site.js';
import type { ReadText } from './text.js';
import { readText } from './text.js';

export type { Note } from './note.js';
export { formatNote } from './note.js';

/** The store of a file that names none. */
export const DEFAULT_STORE = 'leasehold.db';

/** What the file says to the process rather than to the site. */
export interface Settings {
  /** The SQLite file as written; relative to the folder of the main file. */
  readonly store: string;
  /** Names of the links to serve. */
  readonly listen: readonly string[];
}

export type Loaded =
  | {
      readonly ok: true;
      readonly site: Site;
      readonly settings: Settings;
      readonly declarations: readonly Declaration[];
      readonly warnings: readonly Note[];
    }
  | {
      readonly ok: false;
      readonly mistakes: readonly Note[];
      readonly warnings: readonly Note[];
      /** As far as the files can be read. */
      readonly settings: Settings;
    };

/**
 * Reads, checks and compiles a set of files: path → text, the first is the main file, the others are those that its `include` names.
 * Whatever the texts are, the outcome is a value; all mistakes are found at once.
 */
export function loadConfig(files: ReadonlyMap<string, string>): Loaded {
  const names = [...files.keys()];
  const [main, ...others] = [...files].map(([file, text]) => readText(file, text));
  if (main === undefined) throw new Error('loadConfig was given no file');
  const notes = new Notebook();
  checkShapes(main, others, notes);

  const reads = [main, ...others];
  const draft = draftOf(
    [main.text, ...others.map(({ text }) => text)],
    reads.every(({ whole }) => whole),
  );
  const never = new Map<NetworkDraft, readonly Never[]>();
  for (const network of draft.networks) never.set(network, neverOf(network, draft.serverId));
  const options = optionsOf(draft, notes);
  if (isMap(main.text.value)) {
    checkNetworks(draft, never, notes);
    checkMachines(draft, never, notes);
    checkListen(draft, notes);
    warnOfLater(draft, notes);
  }

  const warnings = sortNotes(notes.warnings, names);
  const mistakes = sortNotes(
    joined(
      reads.flatMap((read) => read.notes),
      notes.mistakes,
    ),
    names,
  );
  if (mistakes.length > 0) return { ok: false, mistakes, warnings, settings: settingsOf(draft) };
  const site = siteOf(draft, never, options);
  return { ok: true, site, settings: settingsOf(draft), declarations: declarationsOf(draft), warnings };
}

function checkShapes(main: ReadText, others: readonly ReadText[], notes: Notebook): void {
  for (const { text, whole } of [main, ...others]) {
    if (!whole) continue;
    const top: Place = { text, path: [] };
    const kind = text === main.text ? 'main' : 'included';
    if (isMap(text.value)) checkShape(text, kind, notes);
    else if (text.value === undefined || text.value === null) {
      const right =
        kind === 'main' ? 'write at least `networks:`' : 'write `machines:` or `networks:`, or remove the file';
      notes.mistake(top, `this file is empty; ${right} (dhcpd.example.yaml shows how)`);
    } else {
      const keys = kind === 'main' ? '`server:`, `networks:`, `machines:`' : '`networks:`, `machines:`';
      notes.mistake(top, `${show(text.value)} is not a map; write keys such as ${keys} at the beginning of lines`);
    }
  }
}

function isMap(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** All mistakes; where an alias stands for nothing, what the missing value leads to is not said as well. */
function joined(read: readonly Note[], found: readonly Note[]): readonly Note[] {
  const keyOf = ({ file, line, column }: Note): string => `${file}:${line}:${column}`;
  const places = new Set(read.map(keyOf));
  return [...read, ...found.filter((note) => !places.has(keyOf(note)))];
}

/** Every set of options of the file, by its place. */
function optionsOf(draft: Draft, notes: Notebook): ReadonlyMap<Place, OptionSet> {
  const holders = [draft, ...draft.networks, ...draft.machines];
  return new Map(holders.map(({ options }) => [options, optionsAt(options, notes)]));
}

function checkListen(draft: Draft, notes: Notebook): void {
  const place = under(draft.main, 'listen');
  const links: unknown = rawAt(place);
  if (!Array.isArray(links)) return;
  links.forEach((link: unknown, index) => {
    if (links.indexOf(link) === index) return;
    notes.mistake(under(place, index), `${show(link)} stands in this list twice; remove one of the two`);
  });
}

function settingsOf(draft: Draft): Settings {
  const store = rawAt(under(draft.main, 'server', 'store'));
  const listen = rawAt(under(draft.main, 'listen'));
  return {
    store: typeof store === 'string' ? store : DEFAULT_STORE,
    listen: Array.isArray(listen) ? listen.filter((link) => typeof link === 'string') : [],
  };
}
