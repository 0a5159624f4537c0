// One configuration text: YAML read into plain values, with the line and column of each.
import type { Alias, Node, Pair, Scalar, YAMLError } from 'yaml';
import { isAlias, isMap, isPair, isScalar, isSeq, LineCounter, parseDocument } from 'yaml';
import type { Note } from './note.js';
import { nearest } from './suggest.js';
import { sentenceFor, tooDeep } from './slips.js';
import type { Path } from './path.js';
import { formatPath } from './path.js';

/** How many values aliases may repeat in all: more than any site needs, less than would fill the memory. */
const mostRepeated = 1_000_000;

export interface Position {
  readonly line: number;
  readonly column: number;
}

/** A text that was read. `value` holds strings, numbers, booleans, null, arrays, and maps without prototype. */
export interface ConfigText {
  readonly file: string;
  readonly value: unknown;
  /** Where the value (or the key) at `path` stands; where there is none, what would hold it. */
  position(path: Path, part?: 'key' | 'value'): Position;
  /** The characters of the scalar at `path`, as they were written without quotes. */
  written(path: Path): string | undefined;
}

/** `whole` says that the structure could be read, so that what is not found is not there. */
export interface ReadText {
  readonly text: ConfigText;
  readonly notes: readonly Note[];
  readonly whole: boolean;
}

/** Reads YAML 1.2. Whatever the text is, the outcome is values and notes. */
export function readText(file: string, source: string): ReadText {
  try {
    return new Reader(file, source).read();
  } catch (error) {
    // The parser calls itself for each level of nesting; only the stack's end comes out of it as an exception.
    if (!(error instanceof RangeError)) throw error;
    const text: ConfigText = {
      file,
      value: undefined,
      position: () => ({ line: 1, column: 1 }),
      written: () => undefined,
    };
    return { text, notes: [{ file, line: 1, column: 1, path: 'yaml', text: tooDeep }], whole: false };
  }
}

class Reader {
  private readonly lines = new LineCounter();
  private readonly found: { readonly offset: number; readonly path: Path; readonly text: string }[] = [];
  /** Anchors seen so far; a later one of the same name takes its place, as YAML says. */
  private readonly anchors = new Map<string, Node>();
  private readonly targets = new Map<Alias, Node>();
  /** What the nodes with anchors came to. */
  private readonly values = new Map<Node, unknown>();
  private readonly sizes = new Map<Node, number>();
  private repeated = 0;

  constructor(
    private readonly file: string,
    private readonly source: string,
  ) {}

  read(): ReadText {
    const document = parseDocument(this.source, {
      lineCounter: this.lines,
      prettyErrors: false,
      uniqueKeys: false,
      logLevel: 'error',
      // Also under a `%YAML 1.1` line, where 10:20:30 would be a number and `yes` a truth.
      schema: 'core',
      resolveKnownTags: false,
    });
    // One slip makes the parser stumble several times on its line; together they are one note.
    const stumbled = new Map<number, YAMLError[]>();
    for (const error of [...document.errors, ...document.warnings]) {
      const { line } = this.at(error.pos[0]);
      const others = stumbled.get(line);
      if (others === undefined) stumbled.set(line, [error]);
      else others.push(error);
    }
    for (const [line, errors] of stumbled) {
      this.note(errors[0]?.pos[0] ?? 0, ['yaml'], sentenceFor(errors, this.lineText(line)));
    }
    const whole = stumbled.size === 0;
    const root = document.contents;
    const value = whole && root !== null ? this.convert(root, []) : undefined;
    const text: ConfigText = {
      file: this.file,
      value,
      position: (path, part = 'value') => this.position(root, path, part),
      written: (path) => {
        const found = this.find(root, path);
        return isScalar(found) ? (found.source ?? undefined) : undefined;
      },
    };
    const notes = this.found.map((note) => {
      return { file: this.file, ...this.at(note.offset), path: formatPath(note.path, value), text: note.text };
    });
    return { text, notes, whole: whole && this.repeated <= mostRepeated };
  }

  private convert(node: Node, path: Path): unknown {
    if (isAlias(node)) return this.follow(node, path);
    const { anchor } = node as { anchor?: string };
    if (anchor !== undefined) this.anchors.set(anchor, node);
    let value: unknown;
    if (isScalar(node)) value = node.value;
    else if (isSeq(node)) value = node.items.map((item, index) => this.convert(item as Node, [...path, index]));
    else if (isMap(node)) value = this.convertMap(node.items as Pair<Node, Node | null>[], path);
    if (anchor !== undefined) this.values.set(node, value);
    return value;
  }

  /** How many values `node` holds, those that its aliases repeat included. */
  private sizeOf(node: Node | null): number {
    const target = this.resolve(node);
    if (target === null) return 1;
    let size = this.sizes.get(target);
    if (size === undefined) {
      size = 1;
      if (isSeq(target)) for (const item of target.items) size += this.sizeOf(item as Node);
      if (isMap(target)) for (const { value } of target.items) size += 1 + this.sizeOf(value as Node | null);
      this.sizes.set(target, size);
    }
    return size;
  }

  private convertMap(pairs: readonly Pair<Node, Node | null>[], path: Path): unknown {
    const map = Object.create(null) as Record<string, unknown>;
    const first = new Map<string, Node>();
    for (const { key, value } of pairs) {
      if (!isScalar(key)) {
        this.note(key.range?.[0] ?? 0, path, 'this key is not a word; a key is one word before a colon');
        continue;
      }
      const name = key.source ?? String(key.value);
      const here = [...path, name];
      const earlier = first.get(name);
      if (earlier !== undefined) {
        const { line } = this.at(earlier.range?.[0] ?? 0);
        const text = `${JSON.stringify(name)} stands here a second time (the first is on line ${line}); keep one of the two`;
        this.note(key.range?.[0] ?? 0, here, text);
        continue;
      }
      first.set(name, key);
      map[name] = value === null ? null : this.convert(value, here);
    }
    return map;
  }

  private follow(alias: Alias, path: Path): unknown {
    const at = alias.range?.[0] ?? 0;
    const target = this.anchors.get(alias.source);
    if (target === undefined) {
      const close = nearest(alias.source, this.anchors.keys());
      const right =
        close === undefined ? `write \`&${alias.source}\` before the value that is meant` : `did you mean *${close}?`;
      this.note(at, path, `*${alias.source} stands for nothing written above it; ${right}`);
      return undefined;
    }
    if (!this.values.has(target)) {
      this.note(at, path, `*${alias.source} stands inside of what it stands for; write the value out`);
      return undefined;
    }
    this.targets.set(alias, target);
    const before = this.repeated;
    this.repeated += this.sizeOf(target);
    if (this.repeated > mostRepeated) {
      if (before <= mostRepeated) {
        this.note(at, path, `aliases repeat more than ${mostRepeated} values; write fewer of them`);
      }
      return undefined;
    }
    return this.values.get(target);
  }

  private position(root: Node | null, path: Path, part: 'key' | 'value'): Position {
    let node: Node | null = root;
    let offset = root?.range?.[0] ?? 0;
    for (const [depth, step] of path.entries()) {
      const pair = this.pairOf(node, step);
      const item = pair === undefined ? this.itemOf(node, step) : pair.value;
      if (pair !== undefined) offset = pair.key.range?.[0] ?? offset;
      if (item === undefined) break;
      const nothing = item === null || (isScalar(item) && item.value === null && !item.source);
      const keyWanted = part === 'key' && depth === path.length - 1 && pair !== undefined;
      if (!nothing && !keyWanted) offset = item.range?.[0] ?? offset;
      node = item;
    }
    return this.at(offset);
  }

  private find(root: Node | null, path: Path): Node | null {
    let node: Node | null = root;
    for (const step of path) node = this.pairOf(node, step)?.value ?? this.itemOf(node, step) ?? null;
    return this.resolve(node);
  }

  private resolve(node: Node | null): Node | null {
    return isAlias(node) ? (this.targets.get(node) ?? null) : node;
  }

  private pairOf(holder: Node | null, step: string | number): Pair<Scalar, Node | null> | undefined {
    const map = this.resolve(holder);
    if (!isMap(map)) return undefined;
    const pairs = map.items as Pair<Node, Node | null>[];
    const name = String(step);
    return pairs.find(
      (pair): pair is Pair<Scalar, Node | null> =>
        isPair(pair) && isScalar(pair.key) && (pair.key.source ?? String(pair.key.value)) === name,
    );
  }

  private itemOf(holder: Node | null, step: string | number): Node | undefined {
    const list = this.resolve(holder);
    return isSeq(list) && typeof step === 'number' ? (list.items[step] as Node | undefined) : undefined;
  }

  private note(offset: number, path: Path, text: string): void {
    this.found.push({ offset, path, text });
  }

  private at(offset: number): Position {
    const { line, col } = this.lines.linePos(Math.min(offset, this.source.length));
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  }

  private lineText(line: number): string {
    const start = this.lines.lineStarts[line - 1] ?? 0;
    return this.source.slice(start, this.lines.lineStarts[line] ?? this.source.length);
  }
}
