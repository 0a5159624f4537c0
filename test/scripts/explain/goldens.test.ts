// What `leases` and `explain` print, compared letter by letter with files that were written by hand.
import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { leasesAsText } from '../../../scripts/commands/leases.js';
import { storyAsText } from '../../../scripts/explain/show.js';
import { subjectOf, tell } from '../../../scripts/explain/story.js';
import type { Served } from '../../support/served.js';
import { situation, third } from './situation.js';

const golden = (name: string): string => readFileSync(`test/goldens/${name}.txt`, 'utf8');

const rows: readonly (readonly [golden: string, subject: string])[] = [
  ['explain-fixed-before-its-client', '10.20.0.11'],
  ['explain-dynamic-then-fixed', '10.20.0.100'],
  ['explain-retained', '10.20.0.101'],
  ['explain-undeclared', '10.20.0.102'],
  ['explain-quarantine', '10.20.0.103'],
  ['explain-gateway', '10.20.0.254'],
  ['explain-free', '10.20.0.150'],
  ['explain-fixed-outside', '192.0.2.7'],
  ['explain-no-address-yet', '02-00-00-00-00-04'],
  ['explain-released', '02:00:00:00:00:08'],
  ['explain-unknown', '02:00:00:00:00:99'],
  ['explain-alias', '0200.0000.000b'],
];

describe('goldens', () => {
  let server: Served;
  beforeEach(async () => {
    server = await situation();
  });
  afterEach(() => {
    server.close();
  });

  const explained = (text: string): string => {
    const subject = subjectOf(text) ?? expect.fail(`${text} is no subject`);
    return `${storyAsText(tell(server.store, subject, server.now))}\n`;
  };

  for (const [name, subject] of rows)
    it(name, () => {
      expect(explained(subject)).to.equal(golden(name));
    });

  it('explain-fixed-blocked, seen from the address and from its declarer', async () => {
    await server.edit(third);
    expect(explained('10.20.0.102')).to.equal(golden('explain-fixed-blocked'));
    expect(explained('02:00:00:00:00:04')).to.equal(golden('explain-blocked-declarer'));
  });

  it('leases', () => {
    const held = server.store.list(({ binding }) => binding !== undefined);
    expect(`${leasesAsText(held, server.store.holds(), server.now)}\n`).to.equal(golden('leases'));
  });
});
