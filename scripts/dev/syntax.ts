// Reads out of one TypeScript file what the layer law judges: its imports, the impure names it uses, whether it is a barrel.
import { builtinModules } from 'node:module';
import path from 'node:path';
import ts from 'typescript';
import { impureNames } from './law.js';

/** One import, re-export, `import()`, `require()` or `import('…')` type. */
export interface Import {
  /** As written. */
  readonly specifier: string;
  /** The file of ours that it names, as a path from the root; undefined for a package or a module of Node. */
  readonly target: string | undefined;
  readonly line: number;
}

/** A name that pure code must not use, and where it is used. */
export interface Impurity {
  readonly name: string;
  readonly line: number;
}

/** What the law wants to know of one file. */
export interface Facts {
  readonly imports: readonly Import[];
  readonly impurities: readonly Impurity[];
  /** Line of a re-export that makes the file a barrel: `export *`, or any where the file has nothing of its own. */
  readonly barrel: number | undefined;
}

/** Whether `specifier` names a module of Node itself, with `node:` or without. */
export function isNodeModule(specifier: string): boolean {
  return specifier.startsWith('node:') || builtinModules.includes(specifier);
}

/** The package that `specifier` names: `a` of `a/b`, `@s/a` of `@s/a/b`. */
export function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

function targetOf(file: string, specifier: string): string | undefined {
  if (!specifier.startsWith('.')) return undefined;
  return path.posix.join(path.posix.dirname(file), specifier).replace(/\.js$/, '.ts');
}

/** The text that a node imports, where it is an import of any form. */
function specifierOf(node: ts.Node): string | undefined {
  if ((ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) && node.moduleSpecifier !== undefined) {
    return ts.isStringLiteral(node.moduleSpecifier) ? node.moduleSpecifier.text : undefined;
  }
  if (ts.isExternalModuleReference(node) && ts.isStringLiteralLike(node.expression)) return node.expression.text;
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument) && ts.isStringLiteral(node.argument.literal)) {
    return node.argument.literal.text;
  }
  if (!ts.isCallExpression(node)) return undefined;
  const loads =
    node.expression.kind === ts.SyntaxKind.ImportKeyword ||
    (ts.isIdentifier(node.expression) && node.expression.text === 'require');
  const [first] = node.arguments;
  return loads && first !== undefined && ts.isStringLiteralLike(first) ? first.text : undefined;
}

/** Whether `name` stands where it only labels something (a member, a key, an import) and refers to nothing global. */
function isLabel(name: ts.Identifier): boolean {
  const parent = name.parent;
  if (ts.isPropertyAccessExpression(parent)) return parent.name === name;
  if (ts.isQualifiedName(parent)) return parent.right === name;
  if (ts.isShorthandPropertyAssignment(parent)) return false;
  if (ts.isBindingElement(parent)) return parent.propertyName === name;
  if (ts.isImportSpecifier(parent) || ts.isExportSpecifier(parent)) return true;
  return ts.isTypeElement(parent) || ts.isClassElement(parent) || ts.isObjectLiteralElement(parent)
    ? parent.name === name
    : false;
}

/** Whether `name` is being declared here: a variable, parameter, function, type, import or the like. */
function isDeclared(name: ts.Identifier): boolean {
  const parent = name.parent;
  const declares =
    ts.isVariableDeclaration(parent) ||
    ts.isParameter(parent) ||
    ts.isBindingElement(parent) ||
    ts.isFunctionDeclaration(parent) ||
    ts.isClassDeclaration(parent) ||
    ts.isInterfaceDeclaration(parent) ||
    ts.isTypeAliasDeclaration(parent) ||
    ts.isImportSpecifier(parent) ||
    ts.isImportClause(parent) ||
    ts.isNamespaceImport(parent);
  return declares && parent.name === name;
}

function isChance(node: ts.Node): boolean {
  if (ts.isPropertyAccessExpression(node)) return node.expression.getText() === 'Math' && node.name.text === 'random';
  return (
    ts.isElementAccessExpression(node) &&
    node.expression.getText() === 'Math' &&
    ts.isStringLiteralLike(node.argumentExpression) &&
    node.argumentExpression.text === 'random'
  );
}

function barrelLine(source: ts.SourceFile, lineOf: (node: ts.Node) => number): number | undefined {
  const reexports = source.statements.filter((s) => ts.isExportDeclaration(s) && s.moduleSpecifier !== undefined);
  const star = reexports.find((s) => ts.isExportDeclaration(s) && s.exportClause === undefined);
  if (star !== undefined) return lineOf(star);
  const own = source.statements.some((s) => !ts.isExportDeclaration(s) && !ts.isImportDeclaration(s));
  const [first] = reexports;
  return first === undefined || own ? undefined : lineOf(first);
}

/** Parses `text`, the file at `file` (a path from the root), and returns the facts that the law judges. */
export function factsOf(file: string, text: string): Facts {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2023, true);
  const lineOf = (node: ts.Node): number => source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
  const imports: Import[] = [];
  const used: Impurity[] = [];
  const declared = new Set<string>();
  const visit = (node: ts.Node): void => {
    const specifier = specifierOf(node);
    if (specifier !== undefined) imports.push({ specifier, target: targetOf(file, specifier), line: lineOf(node) });
    if (isChance(node)) used.push({ name: 'Math.random', line: lineOf(node) });
    if (ts.isIdentifier(node)) {
      if (isDeclared(node)) declared.add(node.text);
      else if (impureNames.has(node.text) && !isLabel(node)) used.push({ name: node.text, line: lineOf(node) });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  // A name that the file declares for itself is its own, not the global one.
  const impurities = used.filter((use) => !declared.has(use.name));
  return { imports, impurities, barrel: barrelLine(source, lineOf) };
}
