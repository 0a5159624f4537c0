// The reads of the one process that writes: what a decision asks for again and again is remembered until something is written.
import type { Standing } from '../../lib/ipam/model.js';
import type { Resource } from '../../lib/lifecycle/policy.js';
import type { Owner } from '../../lib/net/ids.js';
import { SqliteView } from './view.js';

export class WriterView extends SqliteView {
  #revision: number | undefined;
  #last: { network: string; owner: Owner; resource: Resource; standing: Standing | undefined } | undefined;

  /** To be called after every write. */
  written(): void {
    this.#last = undefined;
  }

  /** To be called after a rollback, and when another revision was made current. */
  forget(): void {
    this.#revision = undefined;
    this.#last = undefined;
  }

  override revision(): number {
    this.#revision ??= super.revision();
    return this.#revision;
  }

  override standing(network: string, owner: Owner, resource: Resource): Standing | undefined {
    const last = this.#last;
    if (last?.owner === owner && last.network === network && last.resource === resource) return last.standing;
    const standing = super.standing(network, owner, resource);
    this.#last = { network, owner, resource, standing };
    return standing;
  }
}
