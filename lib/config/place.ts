// Places in configuration texts: which key or element of which file a note is about, and how people read that.
import type { ConfigText } from './text.js';
import type { Note } from './note.js';
import type { Path } from './path.js';
import { formatPath } from './path.js';

export interface Place {
  readonly text: ConfigText;
  readonly path: Path;
}

/** The place `steps` below `place`. */
export function under(place: Place, ...steps: Path): Place {
  return { text: place.text, path: [...place.path, ...steps] };
}

/** Where another place is, for a note about `from`: `line 12`, with the file's name where that is another one. */
export function lineOf(place: Place, from: Place): string {
  const { line } = place.text.position(place.path);
  return place.text.file === from.text.file ? `line ${line}` : `${place.text.file}:${line}`;
}

/** Gathers notes. */
export class Notebook {
  readonly mistakes: Note[] = [];
  readonly warnings: Note[] = [];

  /** Notes what is wrong with the value at `place`, or with its key. */
  mistake(place: Place, text: string, part: 'key' | 'value' = 'value'): void {
    this.mistakes.push(noteAt(place, text, part));
  }

  /** Notes what is allowed at `place` and deserves a look. */
  warn(place: Place, text: string, part: 'key' | 'value' = 'value'): void {
    this.warnings.push(noteAt(place, text, part));
  }
}

function noteAt(place: Place, text: string, part: 'key' | 'value'): Note {
  const { line, column } = place.text.position(place.path, part);
  return { file: place.text.file, line, column, path: formatPath(place.path, place.text.value), text };
}
