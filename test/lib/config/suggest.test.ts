// What was probably meant.
import { expect } from 'chai';
import { nearest } from '../../../lib/config/suggest.js';

describe('nearest', () => {
  const known = ['networks', 'machines', 'options', 'mac', 'ipv4', 'ipv6', 'server-id'];
  const rows: readonly (readonly [string, string | undefined])[] = [
    ['netwroks', 'networks'],
    ['network', 'networks'],
    ['Machines', 'machines'],
    ['server_id', 'server-id'],
    ['opitons', 'options'],
    ['ipv5', 'ipv4'],
    ['mca', 'mac'],
    ['dns', undefined],
    ['', undefined],
    ['x'.repeat(1000), undefined],
  ];
  for (const [word, meant] of rows) {
    it(`${word.slice(0, 12)} → ${meant ?? 'nothing'}`, () => {
      expect(nearest(word, known)).to.equal(meant);
    });
  }
});
