// Binds fixed addresses before their clients ask, each in a decision of its own, in slices between packets.
import type { Store } from '../db/store.js';
import { materialise, networkOfFixed } from '../lib/ipam/bind.js';
import type { Declaration, Decision } from '../lib/ipam/model.js';
import type { Scene } from '../lib/ipam/scene.js';
import { macOfOwner } from '../lib/net/ids.js';
import { formatIp } from '../lib/net/ip.js';
import type { Reason, Result } from '../lib/net/reason.js';
import { explainReason } from '../lib/net/reason.js';
import type { Events } from './events/events.js';
import type { Writer } from './writer.js';

/** How many declarations one turn looks at. */
const SLICE = 100;

/** Materialises every eligible fixed IPv4 resource. Resolves with how many were bound; those that could not be are reported. */
export async function reconcile(store: Pick<Store, 'fixedAfter'>, writer: Writer, events: Events): Promise<number> {
  let bound = 0;
  let after = 0;
  for (;;) {
    const slice = store.fixedAfter(after, SLICE);
    const last = slice.at(-1);
    if (last === undefined) return bound;
    const results = await Promise.all(
      slice.map(({ declaration }) => writer.submit((scene) => bind(scene, declaration))),
    );
    results.forEach((result, i) => {
      const one = slice[i];
      if (outcome(result) === 'materialised') bound++;
      else if (one !== undefined) report(events, one.declaration, result);
    });
    after = last.id;
  }
}

interface Outcome {
  readonly reason: Reason;
  readonly detail?: string;
}

/** The declaration is read again inside the transaction: what an earlier revision said is never applied. */
function bind(scene: Scene, { owner }: Declaration): Decision<Outcome> {
  const mac = macOfOwner(owner);
  const declaration = mac && scene.view.declaration(mac);
  if (declaration?.ipv4.policy !== 'fixed') return { changes: [], value: { reason: 'unchanged' } };
  const network = networkOfFixed(scene, declaration, 'ipv4');
  if (network === undefined) return { changes: [], value: { reason: 'fixed-outside' } };
  const done = materialise(scene, network, declaration, 'ipv4');
  if (!done.ok) {
    const { reason, detail } = done;
    return { changes: [], value: detail === undefined ? { reason } : { reason, detail } };
  }
  return { changes: done.changes, value: { reason: 'materialised' } };
}

function outcome(result: Result<Outcome>): Reason {
  return result.ok ? result.value.reason : result.reason;
}

function report(events: Events, { owner, machine, ipv4, source }: Declaration, result: Result<Outcome>): void {
  const reason = outcome(result);
  if (reason === 'unchanged') return;
  const { detail } = result.ok ? result.value : result;
  const address = ipv4.policy === 'fixed' ? formatIp(ipv4.address) : undefined;
  const at = `${source.file}:${source.line}`;
  events.warn('fixed-not-bound', {
    machine,
    owner,
    fixed: address,
    reason,
    detail,
    at,
    sentence: explainReason(reason),
  });
}
