// Holds the comparison itself to its task: the model agrees with itself, the histories reach what they are to reach, and a
// system with one fault in it is found out.
import { expect } from 'chai';
import fc from 'fast-check';
import { compareWithModel, runHistory } from './compare.js';
import { historyArb } from './histories.js';
import { Naive } from './naive.js';
import type { Outcome, Request, Setup, Standing } from './system.js';

/** Fixed, so that what is found today is found tomorrow. */
const seed = 20_200_101;

/** Systems that are right but for one thing; each is what somebody could have written. */
const faulty: Record<string, () => Naive> = {
  'gives out what is offered to another': () =>
    new (class extends Naive {
      protected override isFree(address: string): boolean {
        const held = this.interfaces.some((iface) => iface.binding?.address === address);
        return !held && !this.quarantine.some((each) => each.address === address);
      }
    })(),
  'gives out what is quarantined': () =>
    new (class extends Naive {
      protected override isFree(address: string, owner: string): boolean {
        const kept = this.quarantine;
        this.quarantine = [];
        const free = super.isFree(address, owner);
        this.quarantine = kept;
        return free;
      }
    })(),
  'gives fixed addresses dynamically': () =>
    new (class extends Naive {
      protected override isForbidden(address: string): boolean {
        const setup = this.setup;
        this.setup = { ...setup, declarations: [] };
        const forbidden = super.isForbidden(address);
        this.setup = setup;
        return forbidden && this.setup.networks.some(({ gateway }) => gateway === address);
      }
    })(),
  'lets an edit convert what is bound': () =>
    new (class extends Naive {
      override edit(now: number, setup: Setup): void {
        super.edit(now, setup);
        for (const iface of this.interfaces) {
          const rule = this.rule(iface.network, iface.owner);
          if (rule.says === 'retained' && iface.pin.policy === 'dynamic') iface.pin.policy = 'retained';
        }
      }
    })(),
  'pins anew under the current revision when an ended lease returns': () =>
    new (class extends Naive {
      protected override bind(network: string, owner: string, address: string): ReturnType<Naive['bind']> {
        const bound = super.bind(network, owner, address);
        bound.iface.pin.revision = this.revision;
        return bound;
      }
    })(),
  'forgets the pin with the lease': () =>
    new (class extends Naive {
      protected override end(iface: Naive['interfaces'][number]): void {
        super.end(iface);
        this.interfaces = this.interfaces.filter((each) => each !== iface);
      }
    })(),
  'ends a lease a millisecond late': () =>
    new (class extends Naive {
      override tick(now: number): void {
        super.tick(now - 1);
      }
    })(),
  'keeps offers over a restart': () =>
    new (class extends Naive {
      override restart(now: number): void {
        this.tick(now);
        this.reconcile();
      }
    })(),
  'does not reconcile after a restart': () =>
    new (class extends Naive {
      override restart(now: number): void {
        this.offers = [];
        this.tick(now);
      }
    })(),
  'forgets the previous address': () =>
    new (class extends Naive {
      protected override end(iface: Naive['interfaces'][number]): void {
        super.end(iface);
        iface.previous = undefined;
      }
    })(),
  'serves two aliases at once': () =>
    new (class extends Naive {
      protected override aliasHolds(): boolean {
        return false;
      }
    })(),
  'gives a declined fixed address at once': () =>
    new (class extends Naive {
      protected override onProbation(): boolean {
        return false;
      }
    })(),
  'believes every DECLINE': () =>
    new (class extends Naive {
      protected override believes(): boolean {
        return true;
      }
    })(),
  'keeps the offer of a client that chose another server': () =>
    new (class extends Naive {
      override request(now: number, mac: string, network: string, request: Request): Outcome {
        if (request.kind === 'selecting' && !request.serverIsUs) return 'silent';
        return super.request(now, mac, network, request);
      }
    })(),
  'renews by the receiving network': () =>
    new (class extends Naive {
      protected override networkOfUnicast(_ciaddr: string, receivedOn: string): string {
        return receivedOn;
      }
    })(),
};

describe('comparing a system with the naive model', function () {
  this.timeout(60_000);

  it('finds no difference between the model and itself', async () => {
    await compareWithModel(() => new Naive(), { runs: 200, length: 40 });
  });

  for (const [fault, open] of Object.entries(faulty))
    it(`finds a system that ${fault}`, async () => {
      const found = await compareWithModel(open, { runs: 2000, length: 40, seed }).then(
        () => undefined,
        (error: unknown) => error,
      );
      expect(found).to.be.instanceOf(Error);
      expect((found as Error).message).to.match(/(the model answers|only in the|invariant).*\nreplay: \{seed: /s);
    });

  it('shows the shortest history, and finds it again by seed and path', async () => {
    const open = faulty['keeps offers over a restart']!;
    const first = await failureOf(open, { runs: 2000, length: 40, seed });
    const steps = first.split('\n').filter((line) => /^ {2}\d/.test(line));
    expect(steps.length, first).to.be.at.most(6);
    const path = /path: '([\d:]+)'/.exec(first)![1]!;
    const again = await failureOf(open, { runs: 1, length: 40, seed, path });
    expect(again.split('\n').slice(1, -1)).to.deep.equal(first.split('\n').slice(1, -1));
  });

  it('compares what stands, not the answers alone', async () => {
    const open = (): Naive =>
      new (class extends Naive {
        override standings(): Standing[] {
          return super.standings().map((one) => ({ ...one, revision: one.revision + 1 }));
        }
      })();
    expect(await failureOf(open, { runs: 100, length: 40, seed })).to.include('only in the system');
  });

  it('shows the history also where the system throws', async () => {
    const open = (): Naive =>
      new (class extends Naive {
        override restart(): void {
          throw new Error('it fell over');
        }
      })();
    expect(await failureOf(open, { runs: 100, length: 40, seed })).to.match(
      / restart\nthe system throws: .*it fell over/,
    );
  });

  it('meets every message with every answer it can have', async () => {
    const met = new Set<string>();
    for (const history of fc.sample(historyArb(40), { numRuns: 200, seed }))
      for (const { does, outcome } of await runHistory(history, new Naive()))
        met.add(outcome === undefined ? does : `${does}: ${outcome.split(' ')[0]!}`);
    const requests = ['selecting', 'init-reboot', 'renew', 'rebind'];
    expect(met).to.include.all.keys(
      ...['edit', 'restart', 'tick', 'release', 'decline', 'inform: ack', 'discover: offer', 'discover: silent'],
      ...requests.flatMap((kind) => ['ack', 'nak', 'silent'].map((answer) => `${kind}: ${answer}`)),
    );
  });
});

async function failureOf(open: () => Naive, effort: Parameters<typeof compareWithModel>[1]): Promise<string> {
  try {
    await compareWithModel(open, effort);
  } catch (error) {
    if (error instanceof Error) return error.message;
  }
  throw new Error('no difference was found');
}
