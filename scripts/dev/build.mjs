// Builds the clone into build/: compiles, copies the SQL, makes the program executable, sweeps what has no source any more.
import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const build = path.join(root, 'build');

/** Every file under `folder`, as paths relative to it; none where it is not there. */
function filesUnder(folder) {
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.filter((e) => e.isFile()).map((e) => path.relative(folder, path.join(e.parentPath, e.name)));
}

/** The source that `output` (relative to build/) was made from. */
function sourceOf(output) {
  return path.join(root, output.replace(/\.js(\.map)?$/, '.ts'));
}

const tsc = path.join(root, 'node_modules/typescript/bin/tsc');
const compiled = spawnSync(process.execPath, [tsc, '--project', root, '--outDir', build], {
  cwd: root,
  stdio: 'inherit',
});
if (compiled.status !== 0) process.exit(1);

for (const file of filesUnder(path.join(root, 'db')).filter((name) => name.endsWith('.sql'))) {
  const to = path.join(build, 'db', file);
  mkdirSync(path.dirname(to), { recursive: true });
  copyFileSync(path.join(root, 'db', file), to);
}

for (const file of filesUnder(build)) if (!existsSync(sourceOf(file))) rmSync(path.join(build, file));

const program = path.join(build, 'scripts/leasehold.js');
if (existsSync(program)) chmodSync(program, 0o755);
