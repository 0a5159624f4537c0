// What `leases --json` and `explain --json` give to programs: keys in snake_case, times as RFC 3339, what is not there as null.
import { expect } from 'chai';
import { leasesAsJson } from '../../../scripts/commands/leases.js';
import { storyAsJson } from '../../../scripts/explain/show.js';
import { subjectOf, tell } from '../../../scripts/explain/story.js';
import type { Served } from '../../support/served.js';
import { situation } from './situation.js';

/** Every key with its value, at any depth. */
function* entriesOf(value: unknown): Iterable<readonly [key: string, value: unknown]> {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    if (!Array.isArray(value)) yield [key, inner];
    yield* entriesOf(inner);
  }
}

const TIMES = ['at', 'since', 'ends', 'end', 'client_until', 'until', 'last_end'];

describe('--json', () => {
  let server: Served;
  let leases: readonly Readonly<Record<string, unknown>>[] = [];
  const explain = (text: string): Record<string, unknown> => {
    const story = tell(server.store, subjectOf(text) ?? expect.fail(text), server.now);
    return JSON.parse(JSON.stringify(storyAsJson(story))) as Record<string, unknown>;
  };
  beforeEach(async () => {
    server = await situation();
    const held = server.store.list(({ binding }) => binding !== undefined);
    const given = leasesAsJson(held, server.store.holds(), server.now);
    leases = JSON.parse(JSON.stringify(given)) as typeof leases;
  });
  afterEach(() => {
    server.close();
  });

  it('has keys in snake_case and times in RFC 3339, everywhere', () => {
    const subjects = [
      '10.20.0.11',
      '10.20.0.100',
      '10.20.0.103',
      '10.20.0.254',
      '02:00:00:00:00:08',
      '02:00:00:00:00:99',
    ];
    let times = 0;
    for (const [key, value] of entriesOf([leases, ...subjects.map(explain)])) {
      expect(key).to.match(/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/);
      if (!TIMES.includes(key) || value === null) continue;
      expect(value, key).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
      times++;
    }
    expect(times).to.be.greaterThan(20);
  });

  it('leases: a row for each address', () => {
    expect(leases.map(({ address, state }) => [address, state])).to.deep.equal([
      ['10.20.0.11', 'static'],
      ['10.20.0.100', 'lease'],
      ['10.20.0.101', 'static'],
      ['10.20.0.102', 'lease'],
      ['10.20.0.103', 'quarantine'],
    ]);
    expect(leases[1]).to.deep.equal({
      address: '10.20.0.100',
      resource: 'ipv4',
      owner: '02:00:00:00:00:02',
      network: 'rack1',
      vrf: 'default',
      state: 'lease',
      machine: 'node1',
      role: 'dpu_os',
      policy: 'dynamic',
      origin: 'declared',
      revision: 1,
      file: 'dhcpd.yaml',
      line: 12,
      ends: '2026-01-01T01:01:00Z',
      client_until: '2026-01-01T01:01:00Z',
      since: '2026-01-01T00:01:00Z',
      actor: 'client',
      seq: 3,
    });
    for (const row of leases) expect(Object.keys(row)).to.have.members(Object.keys(leases[1] ?? {}));
  });

  it('explain: the facts of the text', () => {
    const provenance = { origin: 'declared', revision: 1, file: 'dhcpd.yaml', line: 12, seq: 3, actor: 'client' };
    const made = { policy: 'dynamic', at: '2026-01-01T00:01:00Z', ...provenance };
    const ends = '2026-01-01T01:01:00Z';
    const story = explain('10.20.0.100');
    const [row, ...more] = story.resources as Record<string, unknown>[];
    expect(more).to.deep.equal([]);
    expect(row?.explanation).to.match(/^revision 2, dhcpd\.yaml:13, says fixed 10\.20\.0\.12, which does not apply: /);
    expect(row).to.deep.include({
      resource: 'ipv4',
      network: 'rack1',
      owner: '02:00:00:00:00:02',
      binding: { address: '10.20.0.100', kind: 'lease', ends, client_until: ends, ...made },
      pin: { ...made, last_address: null, last_end: null },
      declared: {
        machine: 'node1',
        role: 'dpu_os',
        ipv4: { policy: 'fixed', address: '10.20.0.12' },
        ipv6: { policy: 'dynamic', address: null },
        file: 'dhcpd.yaml',
        line: 13,
      },
    });
    expect(story).to.deep.include({ address: '10.20.0.100', revision: 2, holds: [] });
    expect(story.journal).to.deep.equal([
      {
        seq: 3,
        at: '2026-01-01T00:01:00Z',
        event: 'request',
        actor: 'client',
        revision: 1,
        network: 'rack1',
        owner: '02:00:00:00:00:02',
        resource: 'ipv4',
        address: '10.20.0.100',
        before: null,
        after: {
          address: '10.20.0.100',
          kind: 'lease',
          end: ends,
          client_until: ends,
          mac: '02:00:00:00:00:02',
          policy: 'dynamic',
          origin: 'declared',
          file: 'dhcpd.yaml',
          line: 12,
          pin: 'dynamic',
          pin_revision: 1,
        },
      },
    ]);
  });

  it('explain: of nobody', () => {
    expect(explain('10.20.0.254')).to.deep.equal({
      address: '10.20.0.254',
      revision: 2,
      resources: [],
      holds: [],
      place: { kind: 'gateway', network: 'rack1' },
      journal: [],
    });
    expect(explain('02:00:00:00:00:99')).to.deep.equal({
      owner: '02:00:00:00:00:99',
      revision: 2,
      resources: [],
      holds: [],
      journal: [],
    });
  });
});
