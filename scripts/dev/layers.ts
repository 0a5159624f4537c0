// Judges source files by the law of the folders: upward imports, fences, purity of lib, barrels, circles, length.
import type { Fence, Layer } from './law.js';
import { houseFolders, layers, libPackages, lineLimit, packageFences, pathFences, tables } from './law.js';
import { circles } from './circles.js';
import type { Facts, Import } from './syntax.js';
import { factsOf, isNodeModule, packageOf } from './syntax.js';

/** One place where a file breaks the law. */
export interface Breach {
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
  readonly law: string;
}

/** What is judged: texts by path from the root (`lib/net/ip.ts`), and the packages that the product installs with. */
export interface Tree {
  readonly files: ReadonlyMap<string, string>;
  readonly dependencies: ReadonlySet<string>;
}

const isUnder = (file: string, place: string): boolean =>
  place.endsWith('/') ? file.startsWith(place) : file === place;

const isIn = (file: string, folder: string): boolean => file.startsWith(`${folder}/`);

function layerOf(file: string): Layer | undefined {
  return layers.find((layer) => isIn(file, layer.folder));
}

function brokenFence(fences: readonly Fence[], file: string, target: string): string | undefined {
  const fence = fences.find((f) => isUnder(target, f.target));
  return fence === undefined || fence.only.some((place) => isUnder(file, place)) ? undefined : fence.law;
}

/** The law that an import of our own file `target` from `file` breaks. */
function judgeOwn(file: string, layer: Layer, target: string): string | undefined {
  if (layer.folder === 'test') return undefined;
  const inside = isIn(target, layer.folder) || layer.may.some((folder) => isIn(target, folder));
  if (inside) return brokenFence(pathFences, file, target);
  const may = layer.may.length === 0 ? 'nothing of ours' : layer.may.join(', ');
  return `${layer.folder} may import ${may}, not ${target}`;
}

/** The law that an import of a package or a module of Node breaks. */
function judgeForeign(file: string, layer: Layer, specifier: string, tree: Tree): string | undefined {
  const pure = layer.folder.startsWith('lib/');
  if (isNodeModule(specifier)) return pure ? `lib is pure: it does not import ${specifier}` : undefined;
  const name = packageOf(specifier);
  if (pure && !libPackages.some((p) => p.name === name && isUnder(file, p.folder))) {
    return `lib is pure: ${layer.folder} does not import the package ${name}`;
  }
  if (layer.folder === 'test') return undefined;
  if (!tree.dependencies.has(name) && !houseFolders.some((folder) => isUnder(file, folder))) {
    return `${name} is not among the dependencies that the product installs with`;
  }
  return brokenFence(packageFences, file, name);
}

function judgeImport(file: string, layer: Layer, found: Import, tree: Tree): string | undefined {
  return found.target === undefined
    ? judgeForeign(file, layer, found.specifier, tree)
    : judgeOwn(file, layer, found.target);
}

function judgeText(file: string, text: string): Breach[] {
  const lines = text.replace(/\n$/, '').split('\n');
  const breaches: Breach[] = [];
  const first = lines[0]?.startsWith('#!') === true ? 1 : 0;
  if (!/^(\/\/ |\/\*\*)/.test(lines[first] ?? '')) {
    breaches.push({ file, line: first + 1, law: 'the first line says what the file is for, as a comment' });
  }
  if (lines.length > lineLimit && !tables.has(file)) {
    breaches.push({ file, line: lineLimit + 1, law: `${lines.length} lines; a file has at most ${lineLimit}` });
  }
  return breaches;
}

function judgeFile(file: string, text: string, facts: Facts, tree: Tree): Breach[] {
  const breaches = judgeText(file, text);
  const layer = layerOf(file);
  if (layer === undefined) {
    breaches.push({ file, line: 1, law: 'this folder is none of the layers that the law names' });
    return breaches;
  }
  for (const found of facts.imports) {
    const law = judgeImport(file, layer, found, tree);
    if (law !== undefined) breaches.push({ file, line: found.line, law });
  }
  if (facts.barrel !== undefined || /(^|\/)index\.ts$/.test(file)) {
    breaches.push({ file, line: facts.barrel ?? 1, law: 'no barrel files: import from the file that has it' });
  }
  if (layer.folder.startsWith('lib/')) {
    for (const { name, line } of facts.impurities) {
      breaches.push({ file, line, law: `lib is pure: it does not use ${name}` });
    }
  }
  return breaches;
}

/** Every breach of the law in `tree`, by file and line. */
export function judge(tree: Tree): Breach[] {
  const facts = new Map([...tree.files].map(([file, text]) => [file, factsOf(file, text)]));
  const breaches = [...tree.files].flatMap(([file, text]) => {
    const known = facts.get(file);
    return known === undefined ? [] : judgeFile(file, text, known, tree);
  });
  const edges = new Map([...facts].map(([file, { imports }]) => [file, imports]));
  for (const circle of circles(edges)) {
    const [file, next] = circle;
    if (file === undefined) continue;
    const line = edges.get(file)?.find((found) => found.target === (next ?? file))?.line ?? 1;
    breaches.push({ file, line, law: `an import circle: ${[...circle, file].join(' > ')}` });
  }
  return breaches.sort((a, b) => (a.file === b.file ? a.line - b.line : a.file < b.file ? -1 : 1));
}
