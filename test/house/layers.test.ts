// The layer law's checker on small made-up trees: what it refuses, where, and what it leaves alone.
import { expect } from 'chai';
import { judge } from '../../scripts/dev/layers.js';

const comment = '// A file.\n';

/** Judges `files`, each given without the comment that every file begins with; lines count from that comment. */
function verdict(files: Record<string, string>): string[] {
  const tree = new Map(Object.entries(files).map(([file, text]) => [file, `${comment}${text}\n`]));
  const dependencies = new Set(['better-sqlite3', 'ip-address', 'koffi', 'winston', 'yaml', 'yargs', 'zod']);
  return judge({ files: tree, dependencies }).map(({ file, line, law }) => `${file}:${line}: ${law}`);
}

const own = 'export const own = 1;';

describe('the law of the folders', () => {
  const allowed: readonly [string, string, string][] = [
    ['a layer may import itself', 'lib/wire/a.ts', "import { b } from './b.js';"],
    ['wire may import net', 'lib/wire/a.ts', "import { b } from '../net/b.js';"],
    ['ipam may import lifecycle', 'lib/ipam/a.ts', "import type { P } from '../lifecycle/policy.js';"],
    ['config may import wire', 'lib/config/a.ts', "import { b } from '../wire/b.js';"],
    ['db may import ipam', 'db/a.ts', "import type { B } from '../lib/ipam/b.js';"],
    ['server may import all of lib', 'server/a.ts', "import { b } from '../lib/dhcp/b.js';"],
    ['scripts may import server', 'scripts/commands/a.ts', "import { b } from '../../server/b.js';"],
    ['tests may import everything', 'test/lib/a.test.ts', "import { b } from '../../scripts/dev/b.js';"],
    ['tests may import what is fenced', 'test/db/a.test.ts', "import { b } from '../../db/sqlite/b.js';"],
    ['only bind asks the contract', 'lib/ipam/bind.ts', "import { step } from '../lifecycle/step.js';"],
    ['only open names SQLite', 'server/open.ts', "import { b } from '../db/sqlite/b.js';"],
    ['the database lives in db/sqlite', 'db/sqlite/a.ts', "import Database from 'better-sqlite3';"],
    ['foreign functions live in transport', 'server/transport/a.ts', "import koffi from 'koffi';"],
    ['net may parse addresses', 'lib/net/a.ts', "import { Address4 } from 'ip-address';"],
    ['tools of the house may use what is not shipped', 'scripts/dev/a.ts', "import ts from 'typescript';"],
  ];
  for (const [name, file, text] of allowed) {
    it(`allows: ${name}`, () => {
      expect(verdict({ [file]: `${text}\n${own}` })).to.deep.equal([]);
    });
  }

  const refused: readonly [string, string, string, string][] = [
    [
      'net imports nothing',
      'lib/net/a.ts',
      "import { b } from '../wire/b.js';",
      'lib/net may import nothing of ours, not lib/wire/b.ts',
    ],
    [
      'an upward import',
      'lib/ipam/a.ts',
      "import { b } from '../dhcp/b.js';",
      'lib/ipam may import lib/net, lib/lifecycle, not lib/dhcp/b.ts',
    ],
    [
      'a type is an import',
      'db/a.ts',
      "import type { B } from '../server/b.js';",
      'db may import lib/net, lib/lifecycle, lib/ipam, not server/b.ts',
    ],
    [
      'an import type is an import',
      'lib/wire/a.ts',
      "export type T = import('../ipam/b.js').B;",
      'lib/wire may import lib/net, not lib/ipam/b.ts',
    ],
    [
      'a dynamic import is an import',
      'lib/wire/a.ts',
      "export const t = import('../ipam/b.js');",
      'lib/wire may import lib/net, not lib/ipam/b.ts',
    ],
    [
      'a re-export is an import',
      'lib/wire/a.ts',
      "export { b } from '../ipam/b.js';",
      'lib/wire may import lib/net, not lib/ipam/b.ts',
    ],
    [
      'config and dhcp are strangers',
      'lib/dhcp/a.ts',
      "import { b } from '../config/b.js';",
      'lib/dhcp may import lib/net, lib/wire, lib/ipam, not lib/config/b.ts',
    ],
    [
      'dhcp does not ask the contract',
      'lib/dhcp/a.ts',
      "import { b } from '../lifecycle/policy.js';",
      'lib/dhcp may import lib/net, lib/wire, lib/ipam, not lib/lifecycle/policy.ts',
    ],
    [
      'nothing imports scripts',
      'server/a.ts',
      "import { b } from '../scripts/b.js';",
      'server may import lib, db, not scripts/b.ts',
    ],
    [
      'nothing imports tests',
      'scripts/a.ts',
      "import { b } from '../test/b.js';",
      'scripts may import server, lib, db, not test/b.ts',
    ],
    [
      'a sibling with a like name',
      'lib/net/a.ts',
      "import { b } from '../network/b.js';",
      'lib/net may import nothing of ours, not lib/network/b.ts',
    ],
    [
      'others ask the contract',
      'lib/ipam/allocate.ts',
      "import { table } from '../lifecycle/table.js';",
      'only lib/ipam/bind.ts asks the contract',
    ],
    [
      'the server asks the contract',
      'server/a.ts',
      "import { step } from '../lib/lifecycle/step.js';",
      'only lib/ipam/bind.ts asks the contract',
    ],
    [
      'others name SQLite',
      'server/writer.ts',
      "import type { B } from '../db/sqlite/b.js';",
      'only server/open.ts names SQLite',
    ],
    [
      'the store contract names SQLite',
      'db/store.ts',
      "import type { B } from './sqlite/b.js';",
      'only server/open.ts names SQLite',
    ],
    [
      'the database elsewhere',
      'server/a.ts',
      "import Database from 'better-sqlite3';",
      'only db/sqlite speaks to the database',
    ],
    [
      'foreign functions elsewhere',
      'server/a.ts',
      "import koffi from 'koffi';",
      'only server/transport calls foreign functions',
    ],
    [
      'a tool in what is shipped',
      'scripts/a.ts',
      "import fc from 'fast-check';",
      'fast-check is not among the dependencies that the product installs with',
    ],
    [
      'a subpath of a package',
      'lib/dhcp/a.ts',
      "import { z } from 'zod/v4';",
      'lib is pure: lib/dhcp does not import the package zod',
    ],
    ['files in lib', 'lib/config/a.ts', "import fs from 'node:fs';", 'lib is pure: it does not import node:fs'],
    [
      'files in lib, without the prefix',
      'lib/config/a.ts',
      "import fs from 'fs/promises';",
      'lib is pure: it does not import fs/promises',
    ],
  ];
  for (const [name, file, text, law] of refused) {
    it(`refuses: ${name}`, () => {
      expect(verdict({ [file]: `${own}\n${text}` })).to.deep.equal([`${file}:3: ${law}`]);
    });
  }

  it('refuses a folder that is no layer', () => {
    const law = 'this folder is none of the layers that the law names';
    expect(verdict({ 'lib/util/a.ts': own })).to.deep.equal([`lib/util/a.ts:1: ${law}`]);
  });
});

describe('the purity of lib', () => {
  const impure: readonly [string, string][] = [
    ['export const now = Date.now();', 'Date'],
    ['export function at(time: Date): number {\n  return 1;\n}', 'Date'],
    ['export const roll = () => Math.random();', 'Math.random'],
    ["export const roll = () => Math['random']();", 'Math.random'],
    ["export const bytes = Buffer.from('a');", 'Buffer'],
    ['export function read(b: Buffer): void {}', 'Buffer'],
    ['export const t = performance.now();', 'performance'],
    ['setTimeout(() => {}, 1);', 'setTimeout'],
    ['export const e = process.env;', 'process'],
    ["console.log('a');", 'console'],
    ['export const r = globalThis.crypto;', 'globalThis'],
    ['export const r = { crypto };', 'crypto'],
  ];
  for (const [text, name] of impure) {
    it(`refuses ${name} in: ${text.split('\n')[0] ?? ''}`, () => {
      expect(verdict({ 'lib/net/a.ts': text })).to.deep.equal([`lib/net/a.ts:2: lib is pure: it does not use ${name}`]);
    });
  }

  const pure = [
    'export interface A {\n  readonly process: string;\n}\nexport const of = (a: A) => a.process;',
    'export const a = { console: 1, Date: 2 };',
    'export function process(packet: number): number {\n  return packet;\n}\nprocess(1);',
    'export const floor = Math.floor(1.5);',
    "// Date.now() is the server's.\nexport const text = 'Date.now()';",
  ];
  for (const text of pure) {
    it(`allows: ${text.split('\n')[0] ?? ''}`, () => {
      expect(verdict({ 'lib/net/a.ts': text })).to.deep.equal([]);
    });
  }

  it('is asked of lib alone', () => {
    expect(verdict({ 'server/a.ts': "import fs from 'node:fs';\nexport const now = Date.now();" })).to.deep.equal([]);
  });
});

describe('the shape of files', () => {
  it('refuses a circle of two, once, with its way', () => {
    const files = {
      'lib/net/a.ts': "import type { B } from './b.js';\nexport type A = B;",
      'lib/net/b.ts': "export type B = 1;\nimport type { A } from './a.js';",
    };
    expect(verdict(files)).to.deep.equal([
      'lib/net/a.ts:2: an import circle: lib/net/a.ts > lib/net/b.ts > lib/net/a.ts',
    ]);
  });

  it('refuses a file that imports itself', () => {
    const text = `import { own as mine } from './a.js';\n${own}`;
    expect(verdict({ 'server/a.ts': text })).to.deep.equal([
      'server/a.ts:2: an import circle: server/a.ts > server/a.ts',
    ]);
  });

  it('tells the shortest way round a knot, and each knot once', () => {
    const imports = (...names: string[]): string => [...names.map((n) => `import './${n}.js';`), own].join('\n');
    const files = {
      'server/a.ts': imports('b'),
      'server/b.ts': imports('c', 'a'),
      'server/c.ts': imports('a'),
      'server/d.ts': imports('a'),
      'server/x.ts': imports('y'),
      'server/y.ts': imports('x'),
    };
    expect(verdict(files)).to.deep.equal([
      'server/a.ts:2: an import circle: server/a.ts > server/b.ts > server/a.ts',
      'server/x.ts:2: an import circle: server/x.ts > server/y.ts > server/x.ts',
    ]);
  });

  it('allows two ways to one file', () => {
    const files = {
      'server/a.ts': `import './b.js';\nimport './c.js';\n${own}`,
      'server/b.ts': `import './c.js';\n${own}`,
      'server/c.ts': own,
    };
    expect(verdict(files)).to.deep.equal([]);
  });

  const barrel = 'no barrel files: import from the file that has it';
  const barrels: readonly [string, string, number][] = [
    ['server/a.ts', "export { b } from './b.js';", 2],
    ['server/a.ts', `${own}\nexport * from './b.js';`, 3],
    ['server/index.ts', own, 1],
  ];
  for (const [file, text, line] of barrels) {
    it(`refuses the barrel ${file}: ${text.split('\n').at(-1) ?? ''}`, () => {
      expect(verdict({ [file]: text })).to.deep.equal([`${file}:${line}: ${barrel}`]);
    });
  }

  it('allows a re-export beside things of its own', () => {
    expect(verdict({ 'server/a.ts': `export { b } from './b.js';\n${own}` })).to.deep.equal([]);
  });

  it('allows 400 lines, refuses 401, but not in a table', () => {
    const lines = (n: number): string => Array.from({ length: n - 1 }, () => own).join('\n');
    expect(verdict({ 'server/a.ts': lines(400) })).to.deep.equal([]);
    expect(verdict({ 'server/a.ts': lines(401) })).to.deep.equal([
      'server/a.ts:401: 401 lines; a file has at most 400',
    ]);
    expect(verdict({ 'lib/wire/options4.ts': lines(401) })).to.deep.equal([]);
  });

  const law = 'the first line says what the file is for, as a comment';
  const firsts: readonly [string, string[]][] = [
    ['// What it is.\n', []],
    ['/** What it is. */\n', []],
    ['#!/usr/bin/env node\n// What it is.\n', []],
    ['export const a = 1;\n', [`server/a.ts:1: ${law}`]],
    ['#!/usr/bin/env node\nexport const a = 1;\n', [`server/a.ts:2: ${law}`]],
    ['\n// Late.\n', [`server/a.ts:1: ${law}`]],
  ];
  for (const [text, expected] of firsts) {
    it(`judges the first line of ${JSON.stringify(text)}`, () => {
      const breaches = judge({ files: new Map([['server/a.ts', text]]), dependencies: new Set() });
      expect(breaches.map((b) => `${b.file}:${b.line}: ${b.law}`)).to.deep.equal(expected);
    });
  }
});
