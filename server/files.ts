// Reads a configuration from the disk: the main file, and those below its folder that its `include` names.
import { open, readdir, realpath } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { includesOf } from '../lib/config/includes.js';

/** The most that one file may hold, in octets: a hundred times what 20,000 machines need. */
const MOST = 64 * 1024 * 1024;

/** The texts by the names that a revision keeps: the main file by its base name, the others from its folder, with `/`. */
export type Files =
  | { readonly ok: true; readonly files: ReadonlyMap<string, string>; readonly folder: string }
  | { readonly ok: false; readonly message: string };

type Text = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly message: string };

/** Reads the main file at `path` and what it includes, in the order of the patterns and sorted within each. */
export async function readConfig(path: string): Promise<Files> {
  const main = await readOne(path, path);
  if (!main.ok) return main;
  const folder = dirname(path);
  const name = basename(path);
  const files = new Map([[name, main.text]]);
  for (const pattern of includesOf(main.text)) {
    const found = await expand(folder, pattern);
    if (!found.ok) return found;
    if (found.names.length === 0 && !/[*?]/.test(pattern)) {
      return {
        ok: false,
        message: `${path}: include names ${pattern}, which is not there; make that file, or remove it from include`,
      };
    }
    for (const included of found.names) {
      if (files.has(included)) continue;
      const read = await readInside(folder, included);
      if (!read.ok) return read;
      files.set(included, read.text);
    }
  }
  return { ok: true, files, folder };
}

/** Files below `folder` that `pattern` matches: `*` and `?` within a name, and no name that begins with a dot unless it is written. */
async function expand(
  folder: string,
  pattern: string,
): Promise<{ ok: true; names: string[] } | { ok: false; message: string }> {
  let found = [''];
  const steps = pattern.split('/').filter((step) => step !== '' && step !== '.');
  for (const [depth, step] of steps.entries()) {
    const isLast = depth === steps.length - 1;
    const next: string[] = [];
    for (const parent of found) {
      const here = join(folder, parent);
      let entries;
      try {
        entries = await readdir(here, { withFileTypes: true });
      } catch (error) {
        if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') continue;
        return { ok: false, message: `${here}: ${sentenceFor(error)}` };
      }
      for (const entry of entries) {
        // A wildcard takes files, and folders on the way; a link may be either and is followed.
        const fits = entry.isSymbolicLink() || !/[*?]/.test(step) || (isLast ? entry.isFile() : entry.isDirectory());
        if (fits && matches(step, entry.name)) next.push(parent === '' ? entry.name : `${parent}/${entry.name}`);
      }
    }
    found = next;
  }
  return { ok: true, names: found.sort((a, b) => (a < b ? -1 : 1)) };
}

function matches(step: string, name: string): boolean {
  if (name.startsWith('.') && !step.startsWith('.')) return false;
  const source = step
    .replace(/[\\^$.|+()[\]{}]/g, '\\$&')
    .replace(/\*+/g, '[^/]*')
    .replace(/\?/g, '[^/]');
  return new RegExp(`^${source}$`, 'u').test(name);
}

/** Reads a file unless a link leads it out of `folder`. */
async function readInside(folder: string, name: string): Promise<Text> {
  const path = join(folder, name);
  try {
    const root = await realpath(folder);
    const real = await realpath(path);
    if (!real.startsWith(root.endsWith(sep) ? root : root + sep)) {
      const message = `${path}: a link leads out of ${folder}, and included files stay in it; copy the file there`;
      return { ok: false, message };
    }
    return await readOne(real, path);
  } catch (error) {
    return { ok: false, message: `${path}: ${sentenceFor(error)}` };
  }
}

async function readOne(path: string, shown: string): Promise<Text> {
  const bad = (sentence: string): Text => ({ ok: false, message: `${shown}: ${sentence}` });
  try {
    const file = await open(path, 'r');
    try {
      const stat = await file.stat();
      if (stat.isDirectory()) return bad('this is a folder; name the YAML file in it');
      if (!stat.isFile()) return bad('this is a device or pipe; name a file');
      if (stat.size > MOST)
        return bad('this file is over 64 MB, so it is hardly a configuration; split it by `include` if it is one');
      return textOf(await file.readFile(), bad);
    } finally {
      await file.close();
    }
  } catch (error) {
    return bad(sentenceFor(error));
  }
}

function textOf(bytes: Uint8Array, bad: (sentence: string) => Text): Text {
  const zero = bytes.indexOf(0);
  if (zero >= 0)
    return bad(`the octet at ${zero} is zero, so this is no text in UTF-8 (in UTF-16, maybe); save it as UTF-8`);
  try {
    return { ok: true, text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    return bad('this is no text in UTF-8; save it as UTF-8');
  }
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

function sentenceFor(error: unknown): string {
  switch (codeOf(error)) {
    case 'ENOENT':
      return 'there is no such file; check the path';
    case 'ENOTDIR':
      return 'a part of the path is not a folder; check the path';
    case 'EACCES':
    case 'EPERM':
      return 'this process may not read it; check its owner and mode';
    case 'ELOOP':
      return 'its links lead in a circle; check the path';
    case 'ENAMETOOLONG':
      return 'the path is too long; check it';
    default:
      return `it cannot be read (${error instanceof Error ? error.message : String(error)})`;
  }
}
