// `leasehold check FILE`: says whether a configuration would be taken, and everything that is wrong with it.
import { join } from 'node:path';
import type { Argv, CommandModule } from 'yargs';
import type { Note } from '../../lib/config/load.js';
import { formatNote, loadConfig } from '../../lib/config/load.js';
import { readConfig } from '../../server/files.js';

/** What is printed, and the exit code: 0 a configuration that would be taken, 2 one that would not. */
export interface Checked {
  readonly code: 0 | 2;
  readonly out: string;
  readonly err: string;
}

/** Checks the file at `path`; notes are the result and go to standard output, what keeps the file from being read goes to standard error. */
export async function checkFile(path: string, json: boolean): Promise<Checked> {
  const read = await readConfig(path);
  if (!read.ok) {
    const report = { ok: false, message: read.message, mistakes: [], warnings: [] };
    return { code: 2, out: json ? lines(JSON.stringify(report)) : '', err: lines(read.message) };
  }
  // Notes name files from the folder of the main one; a person needs them from where the command was given.
  const named = (note: Note): Note => ({ ...note, file: join(read.folder, note.file) });
  const loaded = loadConfig(read.files);
  const mistakes = loaded.ok ? [] : loaded.mistakes.map(named);
  const warnings = loaded.warnings.map(named);
  const counts = loaded.ok
    ? {
        networks: loaded.site.networks.length,
        machines: new Set(loaded.declarations.map(({ machine }) => machine)).size,
        interfaces: loaded.declarations.length,
      }
    : undefined;
  const code = loaded.ok ? 0 : 2;
  if (json)
    return {
      code,
      out: lines(JSON.stringify({ ok: loaded.ok, ...counts, mistakes, warnings }, undefined, 2)),
      err: '',
    };
  const found = [count(mistakes.length, 'mistake'), count(warnings.length, 'warning')];
  const held =
    counts === undefined
      ? []
      : [count(counts.networks, 'network'), count(counts.machines, 'machine'), count(counts.interfaces, 'interface')];
  const summary = `${path}: ${[...held, ...found].join(', ')}`;
  const shown = [...mistakes.map(formatNote), ...warnings.map((note) => formatWarning(note))];
  return { code, out: lines(...shown, summary), err: '' };
}

function formatWarning(note: Note): string {
  return formatNote({ ...note, text: `warning: ${note.text}` });
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

function lines(...all: readonly string[]): string {
  return all.map((line) => `${line}\n`).join('');
}

interface Arguments {
  readonly file: string;
  readonly json: boolean;
}

export const check: CommandModule<object, Arguments> = {
  command: 'check <file>',
  describe: 'Say everything that is wrong with a configuration file; exit code 2 if anything is',
  builder: (yargs: Argv<object>): Argv<Arguments> =>
    yargs
      .positional('file', { type: 'string', demandOption: true, describe: 'The main file, such as dhcpd.yaml' })
      .option('json', { type: 'boolean', default: false, describe: 'Print the outcome as JSON' }),
  handler: async ({ file, json }): Promise<void> => {
    const { code, out, err } = await checkFile(file, json);
    process.stderr.write(err);
    process.stdout.write(out);
    process.exitCode = code;
  },
};
