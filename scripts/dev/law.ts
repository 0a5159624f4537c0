// The law of the folders, as data: who may import whom, who alone may name what, and which files may be long.

/** A folder, and the folders that its files may import besides their own. */
export interface Layer {
  readonly folder: string;
  readonly may: readonly string[];
}

/** Ordered from the ground up; the first that a path lies in is its layer. */
export const layers: readonly Layer[] = [
  { folder: 'lib/net', may: [] },
  { folder: 'lib/lifecycle', may: [] },
  { folder: 'lib/wire', may: ['lib/net'] },
  { folder: 'lib/ipam', may: ['lib/net', 'lib/lifecycle'] },
  { folder: 'lib/config', may: ['lib/net', 'lib/wire', 'lib/ipam'] },
  { folder: 'lib/dhcp', may: ['lib/net', 'lib/wire', 'lib/ipam'] },
  { folder: 'db', may: ['lib/net', 'lib/lifecycle', 'lib/ipam'] },
  { folder: 'server', may: ['lib', 'db'] },
  { folder: 'scripts', may: ['server', 'lib', 'db'] },
  { folder: 'test', may: ['scripts', 'server', 'lib', 'db'] },
];

/** What only a few files may import. `target` is one of our paths or a package; tests may import everything. */
export interface Fence {
  readonly target: string;
  readonly only: readonly string[];
  readonly law: string;
}

/** Our own paths behind a fence. A path that ends in `/` means all that lies under it. */
export const pathFences: readonly Fence[] = [
  { target: 'db/sqlite/', only: ['db/sqlite/', 'server/open.ts'], law: 'only server/open.ts names SQLite' },
  {
    target: 'lib/lifecycle/table.ts',
    only: ['lib/lifecycle/', 'lib/ipam/bind.ts'],
    law: 'only lib/ipam/bind.ts asks the contract',
  },
  {
    target: 'lib/lifecycle/step.ts',
    only: ['lib/lifecycle/', 'lib/ipam/bind.ts'],
    law: 'only lib/ipam/bind.ts asks the contract',
  },
];

/** Packages behind a fence. */
export const packageFences: readonly Fence[] = [
  { target: 'better-sqlite3', only: ['db/sqlite/'], law: 'only db/sqlite speaks to the database' },
  { target: 'koffi', only: ['server/transport/'], law: 'only server/transport calls foreign functions' },
];

/** The packages that files of `lib` may import: pure ones, each with the folder that needs it. */
export const libPackages: readonly { readonly name: string; readonly folder: string }[] = [
  { name: 'ip-address', folder: 'lib/net/' },
  { name: 'yaml', folder: 'lib/config/' },
  { name: 'zod', folder: 'lib/config/' },
];

/** Where packages that are not installed with the product may be imported. */
export const houseFolders: readonly string[] = ['scripts/dev/', 'scripts/bench/', 'test/'];

/** Names that `lib` must not use, because they are the clock, chance, the machine, or bytes of Node alone. */
export const impureNames: ReadonlySet<string> = new Set([
  'Buffer',
  'Date',
  'performance',
  'setTimeout',
  'setInterval',
  'setImmediate',
  'clearTimeout',
  'clearInterval',
  'clearImmediate',
  'queueMicrotask',
  'process',
  'console',
  'crypto',
  'fetch',
  'require',
  'globalThis',
  'global',
]);

/** The most lines a file may have. */
export const lineLimit = 400;

/** Tables, which may be as long as what they list. */
export const tables: ReadonlySet<string> = new Set(['lib/wire/options4.ts', 'lib/lifecycle/table.ts']);
