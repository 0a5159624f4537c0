// The one door to the state: gathers the decisions of one turn of the event loop, lets them decide and write in one transaction, and only
// then tells their callers.
import type { Store, StoreUnusable } from '../db/store.js';
import type { Decision } from '../lib/ipam/model.js';
import type { Scene } from '../lib/ipam/scene.js';
import type { Site } from '../lib/ipam/site.js';
import type { Ip } from '../lib/net/ip.js';
import type { Result } from '../lib/net/reason.js';
import { fail } from '../lib/net/reason.js';
import type { Clock } from './clock.js';
import { Memory } from './memory.js';

/** A decision over the scene as all earlier ones of its batch left it. */
export type Decide<T> = (scene: Scene) => Decision<T>;

interface Waiting {
  readonly decide: Decide<unknown>;
  readonly settled: (result: Result<unknown>) => void;
}

export class Writer {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #memory: Memory;
  readonly #failed: (error: StoreUnusable) => void;
  #waiting: Waiting[] = [];
  #turn: NodeJS.Immediate | undefined;
  #stale = false;

  constructor(
    store: Store,
    clock: Clock,
    start: { readonly site: Site; readonly own: readonly Ip[] },
    failed: (error: StoreUnusable) => void,
  ) {
    this.#store = store;
    this.#clock = clock;
    this.#memory = new Memory(store, start.site, start.own, clock.now());
    this.#failed = failed;
  }

  /** How many offers are in flight. */
  get offers(): number {
    return this.#memory.offers;
  }

  /** Puts `decide` into the transaction of this turn; `settled` is called when it is durable, or with the reason why it is not. */
  put<T>(decide: Decide<T>, settled: (result: Result<T>) => void): void {
    this.#waiting.push({ decide, settled: settled as Waiting['settled'] });
    this.#turn ??= setImmediate(() => {
      this.flush();
    });
  }

  /** The same, for callers that can wait. */
  submit<T>(decide: Decide<T>): Promise<Result<T>> {
    return new Promise((resolve) => {
      this.put(decide, resolve);
    });
  }

  /** Runs what has gathered. While the commit waits for the disk the kernel's buffers gather the next batch. */
  flush(): void {
    clearImmediate(this.#turn);
    this.#turn = undefined;
    const batch = this.#waiting;
    if (batch.length === 0) return;
    this.#waiting = [];
    const results = this.#transact(batch);
    batch.forEach(({ settled }, i) => settled(results[i] ?? fail('store-failed')));
  }

  #transact(batch: readonly Waiting[]): readonly Result<unknown>[] {
    const memory = this.#memory;
    try {
      if (this.#stale) memory.relearn();
      this.#stale = false;
      const now = this.#clock.now();
      memory.begin(now);
      // The site is asked for anew each time: an earlier decision of the batch may have exchanged it.
      const sceneNow = (): Scene => ({ site: memory.site, view: memory, own: memory.own, now });
      const decisions = batch.map((waiting) => () => waiting.decide(sceneNow()));
      return this.#store.transact(decisions, memory.applied);
    } catch (error) {
      // Nothing of the batch is durable, and nobody is answered: clients ask again. What memory took up of it is learnt anew.
      this.#stale = true;
      const failure = this.#store.unusable(error);
      this.#failed(failure);
      return batch.map(() => fail('store-failed', failure.message));
    }
  }
}
