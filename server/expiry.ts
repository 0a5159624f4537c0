// Ends what is over, through the one door: leases, holds, and interfaces that nobody has declared or seen for long.
import type { Store } from '../db/store.js';
import { ending } from '../lib/ipam/bind.js';
import type { Change, Standing } from '../lib/ipam/model.js';
import type { Scene } from '../lib/ipam/scene.js';
import type { Resource } from '../lib/lifecycle/policy.js';
import { macOfOwner } from '../lib/net/ids.js';
import type { Events } from './events/events.js';
import type { Clock } from './clock.js';
import type { Writer } from './writer.js';

/** How many interfaces one turn looks at, so that packets do not wait: a few milliseconds' work. */
const SLICE = 500;
/** The pause between two walks over everything. A lease counts as ended at its end; this is only when the table says so too. */
const PAUSE = 10_000;

export class Expiry {
  readonly #store: Store;
  readonly #writer: Writer;
  readonly #clock: Clock;
  readonly #events: Events;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(store: Store, writer: Writer, clock: Clock, events: Events) {
    this.#store = store;
    this.#writer = writer;
    this.#clock = clock;
    this.#events = events;
  }

  start(): void {
    this.#timer = setTimeout(() => {
      void this.pass()
        .catch((error: unknown) => {
          // A read that failed: what is over stays over, and is found by the next walk.
          this.#events.once('expiry', 'expiry-failed', { detail: this.#store.unusable(error).message });
        })
        .then(() => {
          if (!this.#stopped) this.start();
        });
    }, PAUSE);
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  /** One walk over all interfaces, a slice a turn. Resolves with how many rows it changed. */
  async pass(): Promise<number> {
    let changed = await this.#slice((scene) => this.#holdsOver(scene));
    let after = 0;
    while (!this.#stopped) {
      // Read outside the transaction to see where there is something to do; decided again inside it.
      const rows = this.#store.walk(after, SLICE);
      const last = rows.at(-1);
      if (last === undefined) break;
      const due = rows.filter((row) => mayBeDue(row, this.#clock.now()));
      if (due.length > 0) changed += await this.#slice((scene) => due.flatMap((row) => over(scene, row)));
      else await new Promise(setImmediate);
      after = last.iface;
    }
    return changed;
  }

  async #slice(decide: (scene: Scene) => readonly Change[]): Promise<number> {
    const result = await this.#writer.submit((scene) => {
      const changes = decide(scene);
      return { changes, value: changes.length };
    });
    if (result.ok) return result.value;
    this.#events.once('expiry', 'expiry-failed', { reason: result.reason, detail: result.detail });
    return 0;
  }

  #holdsOver({ now }: Scene): readonly Change[] {
    return this.#store
      .holds()
      .filter(({ until }) => until !== undefined && until <= now)
      .map((hold) => ({ kind: 'unhold', hold, at: now, actor: 'expiry' }));
  }
}

function mayBeDue({ binding }: Standing, now: number): boolean {
  return binding === undefined || (binding.end !== undefined && binding.end <= now);
}

/** What is over of one resource, by what the transaction sees of it now. */
function over(scene: Scene, { network, owner }: Standing & { readonly resource: Resource }): readonly Change[] {
  const resources: readonly Resource[] = ['ipv4', 'ipv6', 'pd'];
  const standings = resources.map((resource) => ({
    resource,
    standing: scene.view.standing(network, owner, resource),
  }));
  const changes = standings.flatMap(({ resource, standing }) => {
    const { end } = standing?.binding ?? {};
    return standing !== undefined && end !== undefined && end <= scene.now ? ending(standing, resource, scene.now) : [];
  });
  if (changes.length > 0) return changes;
  const first = standings[0]?.standing;
  return first !== undefined && isForgotten(scene, standings.map(({ standing }) => standing)) // prettier-ignore
    ? [{ kind: 'purge', standing: first, at: scene.now, actor: 'expiry' }]
    : [];
}

/** Nobody declares the owner, it holds nothing, nothing is parked or cooling for it, and its last address ended long ago. */
function isForgotten(scene: Scene, standings: readonly (Standing | undefined)[]): boolean {
  const [one] = standings;
  if (one === undefined) return false;
  const mac = macOfOwner(one.owner);
  if (mac !== undefined && scene.view.declaration(mac) !== undefined) return false;
  const long = scene.now - scene.site.keepInterfaces;
  const resources: readonly Resource[] = ['ipv4', 'ipv6', 'pd'];
  return (
    standings.every(
      (s) => s?.binding === undefined && (s?.pin === undefined || (s.pin.lastEnd ?? scene.now) <= long),
    ) && resources.every((resource) => scene.view.holdsFor(one.network, one.owner, resource).length === 0)
  );
}
