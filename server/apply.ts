// From configuration files to the running revision: read, checked, compared with what is held, made current.
import { createHash } from 'node:crypto';
import type { Store } from '../db/store.js';
import type { Loaded, Note, Settings } from '../lib/config/load.js';
import { loadConfig } from '../lib/config/load.js';
import type { Declaration, Revision } from '../lib/ipam/model.js';
import { lossesBetween, renamesBetween, strandedAt } from '../lib/ipam/reshape.js';
import type { Scene } from '../lib/ipam/scene.js';
import type { Site } from '../lib/ipam/site.js';
import type { Result } from '../lib/net/reason.js';
import { fail, ok } from '../lib/net/reason.js';
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

/** How many stranded holders are named; the others are counted. */
const MOST_NAMED = 20;

/** How many declarations one turn writes or removes, so that packets do not wait: some milliseconds' work. */
const SLICE = 250;

/** What is before the first revision. */
export const emptySite: Site = { networks: [], serverId: undefined, machineOptions4: new Map(), keepInterfaces: 0 };

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

/** The store's current revision, compiled again; undefined where there is none, or where this program refuses what an earlier one took. */
export function lastGood(store: Store): Config | undefined {
  const number = store.view.revision();
  const stored = number === 0 ? undefined : store.revision(number);
  const compiled = stored && compile(stored.files);
  return compiled?.ok === true ? compiled.config : undefined;
}

/**
 * Makes `config` the current revision: its declarations are staged in slices between packets, and one short transaction makes them current.
 * Resolves with its number; files that hash to the current revision make no new one. Fails with `stranded` where it takes away a prefix in
 * which an address is held; `detail` then has a line for each. One at a time.
 */
export async function apply(writer: Writer, store: Store, config: Config, author: string): Promise<Result<number>> {
  const { hash, files, site, declarations } = config;
  const checked = await writer.submit((scene) => {
    const current = scene.view.revision();
    const same = current !== 0 && store.revision(current)?.hash === hash;
    return { changes: [], value: same ? 'same' : strandedBy(scene, store, site) };
  });
  if (!checked.ok) return checked;
  if (checked.value === 'same') return ok(store.view.revision());
  if (checked.value !== undefined) return fail('stranded', checked.value);

  const number = store.newest() + 1;
  const drafted = await writer.submit((scene) => {
    const revision: Revision = { hash, files, at: scene.now, author };
    return { changes: [{ kind: 'draft', number, revision }], value: revision };
  });
  if (!drafted.ok) return drafted;
  for (let from = 0; from < declarations.length; from += SLICE) {
    const slice = declarations.slice(from, from + SLICE);
    const staged = await writer.submit(() => ({
      changes: [{ kind: 'stage', number, declarations: slice }],
      value: undefined,
    }));
    if (!staged.ok) return staged;
  }
  const revision = drafted.value;
  const done = await writer.submit((scene) => {
    // Decided again: somebody may have got an address meanwhile.
    const stranded = strandedBy(scene, store, site);
    if (stranded !== undefined) return { changes: [], value: stranded };
    const renames = renamesBetween(scene.site, site);
    return { changes: [{ kind: 'revise', revision, site, declarations, renames, staged: number }], value: undefined };
  });
  await tidy(writer, store);
  if (!done.ok) return done;
  return done.value === undefined ? ok(number) : fail('stranded', done.value);
}

/** Removes what is not current: the declarations of the revision before, and of drafts that came to nothing. */
export async function tidy(writer: Writer, store: Store): Promise<void> {
  while (store.hasStale()) {
    const removed = await writer.submit(() => ({ changes: [{ kind: 'unstage', limit: SLICE }], value: undefined }));
    if (!removed.ok) return;
  }
}

/** Why `site` cannot become the current one, a line for each holder; undefined where it can. */
function strandedBy(scene: Scene, store: Store, site: Site): string | undefined {
  const renames = renamesBetween(scene.site, site);
  const stranded = lossesBetween(scene.site, site, renames).flatMap((loss) =>
    [...store.taken(loss.network.vrf, loss.prefix)].flatMap((address) => strandedAt(scene.view, loss, address) ?? []),
  );
  return stranded.length === 0 ? undefined : named(stranded);
}

function named(lines: readonly string[]): string {
  const more = lines.length - MOST_NAMED;
  return [...lines.slice(0, MOST_NAMED), ...(more > 0 ? [`and ${more} more`] : [])].join('\n');
}
