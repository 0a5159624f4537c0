// What loading says of a text, as lines; shared by the tables of mistakes.
import { formatNote, loadConfig } from '../../../lib/config/load.js';

/** A network on which the rows build; five lines long. */
export const rack1 = `networks:
  - name: rack1
    prefixes: 10.20.0.0/24
    gateway: 10.20.0.1
    pools: 10.20.0.100-10.20.0.199
`;

/** The mistakes of a main file `f` (and of files that it includes), as they are printed. */
export function mistakesOf(text: string, included: Readonly<Record<string, string>> = {}): readonly string[] {
  const loaded = loadConfig(new Map([['f', text], ...Object.entries(included)]));
  return loaded.ok ? [] : loaded.mistakes.map(formatNote);
}

/** The warnings, as they are printed. */
export function warningsOf(text: string): readonly string[] {
  return loadConfig(new Map([['f', text]])).warnings.map(formatNote);
}
