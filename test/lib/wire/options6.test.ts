// The DHCPv6 option table: every row sound, every option that netboot, hosts and relays meet there, and the names that a configuration may use.
import { expect } from 'chai';
import { code6, statusCode6 } from '../../../lib/wire/codes6.js';
import { fields } from '../../../lib/wire/fields.js';
import { named6, option6ByCode, option6ByName, options6 } from '../../../lib/wire/options6.js';

describe('the DHCPv6 option table', () => {
  it('has one row for each code and name, in order', () => {
    const codes = options6.map((row) => row.code);
    expect(codes).to.deep.equal([...new Set(codes)].sort((a, b) => a - b));
    expect(new Set(options6.map((row) => row.name)).size).to.equal(options6.length);
  });

  it('is written in kebab case, with kinds that there are and codes that an option can have', () => {
    for (const row of options6) {
      expect(row.name).to.match(/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/);
      expect(row.name).not.to.match(/^option-\d/);
      expect(fields).to.include(row.field);
      expect(row.code).to.be.within(1, 65535);
    }
  });

  it('has what netboot, hosts and relays meet, and every code that the server has a word for', () => {
    const core = [1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26];
    const more = [31, 32, 37, 38, 39, 41, 42, 52, 56, 59, 60, 61, 62, 64, 66, 67, 79, 82, 83, 94, 95, 96, 103, 112];
    for (const option of [...core, ...more, 135, 136, 143, 144, ...Object.values(code6)]) {
      expect(option6ByCode(option), `option ${option}`).not.to.equal(undefined);
    }
  });

  it('numbers status codes as RFC 9915 §21.13 does', () => {
    expect(Object.values(statusCode6)).to.deep.equal([0, 1, 2, 3, 4, 5, 6]);
  });

  const rows: readonly (readonly [name: string, code: number | undefined])[] = [
    ['dns-servers', 23],
    ['domain-list', 24],
    ['sntp-servers', 31],
    ['ntp-server', 56],
    ['bootfile-url', 59],
    ['bootfile-param', 60],
    ['client-arch-type', 61],
    ['client-linklayer-addr', 79],
    ['option-10', 10],
    ['option-65535', 65535],
    // A code with a name has that one only, and these are no options at all.
    ['option-23', undefined],
    ['option-0', undefined],
    ['option-010', undefined],
    ['option-65536', undefined],
    ['option-', undefined],
    ['DNS-servers', undefined],
    ['subnet-mask', undefined],
    ['', undefined],
    ['constructor', undefined],
  ];
  for (const [name, option] of rows) {
    it(`${name === '' ? 'no name' : name} is ${option === undefined ? 'no option' : `option ${option}`}`, () => {
      expect(option6ByName(name)?.code).to.equal(option);
      if (option !== undefined) expect(named6(option)).to.equal(name);
    });
  }

  it('takes an option without a row as octets', () => {
    expect(option6ByName('option-65001')).to.deep.equal({ code: 65001, name: 'option-65001', field: 'bytes' });
    expect(option6ByCode(65001)).to.equal(undefined);
  });

  it('marks what a configuration must not set', () => {
    const by = (codes: readonly number[]) => codes.map((option) => option6ByCode(option)?.by);
    expect(by([1, 6, 8, 15, 61, 62])).to.deep.equal(Array(6).fill('client'));
    expect(by([2, 3, 4, 5, 13, 14, 25, 26])).to.deep.equal(Array(8).fill('server'));
    expect(by([9, 18, 37, 38, 66, 79, 135])).to.deep.equal(Array(7).fill('relay'));
    expect(by([7, 16, 17, 23, 24, 31, 32, 56, 59, 60, 82, 83, 103])).to.deep.equal(Array(13).fill(undefined));
  });
});
