// The program behind the layer law: reads the tree it is started in and prints `file:line: law` for each breach.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { judge } from './layers.js';

const roots = ['lib', 'db', 'server', 'scripts', 'test'];

function sources(root: string): string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => path.posix.join(entry.parentPath, entry.name));
}

const files = new Map(roots.flatMap(sources).map((file) => [file, readFileSync(file, 'utf8')]));
const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as { dependencies: Record<string, string> };
const breaches = judge({ files, dependencies: new Set(Object.keys(manifest.dependencies)) });
for (const { file, line, law } of breaches) console.log(`${file}:${line}: ${law}`);
if (breaches.length === 0) console.log(`${files.size} files keep the law of the folders`);
else process.exitCode = 1;
