// A note: one mistake or warning about one place of a configuration text.

/** What is wrong at one place, and what would be right. */
export interface Note {
  /** As the revision names it: the main file by its base name, an included one relative to the main file's folder. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** From 1. */
  readonly column: number;
  /** The way from the top of the file, such as `machines[node2].interfaces[0].mac`; `yaml` where it is the text that cannot be read. */
  readonly path: string;
  readonly text: string;
}

/** The note as one line: `file:line:column: path: text`. */
export function formatNote(note: Note): string {
  return `${note.file}:${note.line}:${note.column}: ${note.path}: ${note.text}`;
}

/** The order in which notes are read: files as they were given, then from top to bottom. */
export function sortNotes(notes: readonly Note[], files: readonly string[]): readonly Note[] {
  const order = new Map(files.map((file, index) => [file, index]));
  const of = (note: Note): number => order.get(note.file) ?? files.length;
  return notes.toSorted((a, b) => of(a) - of(b) || a.line - b.line || a.column - b.column);
}
