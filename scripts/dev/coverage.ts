// The program behind `npm run coverage`: the unit tests under c8, with floors for the whole.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const folders = ['lib', 'db', 'server', 'scripts'];
const tools = ['scripts/dev/**', 'scripts/bench/**'];

/** In percent. They keep what was reached from crumbling; no figure is a goal. */
const floors = { lines: 85, branches: 85 };

/** Sources that hold types alone: nothing of them runs, and a file that is never loaded would count as never tested. */
function typesOnly(folder: string): string[] {
  return readdirSync(path.join('build', folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.js'))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => /^export \{\};\s*(\/\/.*\s*)?$/.test(readFileSync(file, 'utf8').replace(/^(\/\/.*\n)+/, '')))
    .map((file) => path.relative('build', file).replace(/\.js$/, '.ts'));
}

const options = [
  '--all',
  '--exclude-after-remap',
  ...folders.map((folder) => `--include=${folder}/**`),
  ...[...tools, ...folders.flatMap(typesOnly)].map((pattern) => `--exclude=${pattern}`),
  '--reporter=text',
  '--reporter=html',
  '--check-coverage',
  ...Object.entries(floors).map(([kind, floor]) => `--${kind}=${floor}`),
];
const command = [process.execPath, 'build/scripts/dev/unit.js'];
const ran = spawnSync(process.execPath, ['node_modules/c8/bin/c8.js', ...options, ...command], { stdio: 'inherit' });
process.exitCode = ran.status ?? 1;
