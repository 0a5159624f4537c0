// From configuration files to the running revision: read, checked, compared with what the store has, made current.
import { createHash } from 'node:crypto';
import type { Store } from '../db/store.js';
import type { Loaded, Note, Settings } from '../lib/config/load.js';
import { loadConfig } from '../lib/config/load.js';
import type { Declaration, Revision } from '../lib/ipam/model.js';
import type { Site } from '../lib/ipam/site.js';
import type { Result } from '../lib/net/reason.js';
import { ok } from '../lib/net/reason.js';
import type { Writer } from './writer.js';

export interface Config {
  readonly site: Site;
  readonly settings: Settings;
  readonly declarations: readonly Declaration[];
  readonly warnings: readonly Note[];
  readonly files: ReadonlyMap<string, string>;
  readonly hash: string;
}

export type Compiled = { readonly ok: true; readonly config: Config } | Extract<Loaded, { ok: false }>;

/** Hex SHA-256 of the texts with their names, in their order. */
function hashOf(files: ReadonlyMap<string, string>): string {
  const hash = createHash('sha256');
  for (const [path, text] of files) hash.update(`${path.length} ${path}${text.length} ${text}`);
  return hash.digest('hex');
}

export function compile(files: ReadonlyMap<string, string>): Compiled {
  const loaded = loadConfig(files);
  if (!loaded.ok) return loaded;
  const { site, settings, declarations, warnings } = loaded;
  return { ok: true, config: { site, settings, declarations, warnings, files, hash: hashOf(files) } };
}

/** Makes `config` the current revision. Resolves with its number; files that hash to the current revision make no new one. */
export async function apply(writer: Writer, store: Store, config: Config, author: string): Promise<Result<number>> {
  const done = await writer.submit((scene) => {
    const current = scene.view.revision();
    if (current !== 0 && store.revision(current)?.hash === config.hash) return { changes: [], value: 'unchanged' };
    const revision: Revision = { hash: config.hash, files: config.files, at: scene.now, author };
    const { site, declarations } = config;
    return { changes: [{ kind: 'revise', revision, site, declarations }], value: 'applied' };
  });
  return done.ok ? ok(store.view.revision()) : done;
}
