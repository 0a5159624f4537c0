// From configuration texts to a site and its declarations, or to every mistake in them.
import type { Declaration } from '../ipam/model.js';
import type { Site } from '../ipam/site.js';
import type { Note } from './note.js';

export type { Note } from './note.js';
export { formatNote } from './note.js';

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
  | { readonly ok: false; readonly mistakes: readonly Note[]; readonly warnings: readonly Note[] };

/** Path → text; the first is the main file, the others are those that its `include` names. */
export declare function loadConfig(files: ReadonlyMap<string, string>): Loaded;
