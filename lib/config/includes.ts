// Which further files a main file names, found without reading all of it.
import { readText } from './text.js';
import { globWord } from './words.js';

/**
 * The patterns under `include` in the text of a main file, those that are wrong left out: loading notes them with their place.
 * Of a file with block style at its top only those lines are parsed, because a site of 20,000 machines takes a second.
 */
export function includesOf(text: string): readonly string[] {
  if (!text.includes('include')) return [];
  const block = /^(?:include|"include"|'include')\s*:.*(?:\r?\n(?:[ \t\-#\]].*|[ \t]*(?=\r?\n|$)))*/m.exec(text)?.[0];
  return (block === undefined ? undefined : patternsIn(block)) ?? patternsIn(text) ?? [];
}

function patternsIn(text: string): readonly string[] | undefined {
  const { text: read, notes } = readText('', text);
  const { value } = read;
  if (notes.length > 0 || typeof value !== 'object' || value === null) return undefined;
  const { include } = value as { include?: unknown };
  if (!Array.isArray(include)) return undefined;
  return include.filter((pattern): pattern is string => typeof pattern === 'string' && globWord.read(pattern).ok);
}
