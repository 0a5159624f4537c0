// The option table: every row sound, every option of RFC 2132 there, and the names that a configuration may use.
import { expect } from 'chai';
import { fields } from '../../../lib/wire/fields.js';
import { code, named, optionByCode, optionByName, options4 } from '../../../lib/wire/options4.js';

describe('the option table', () => {
  it('has one row for each code and name, in order', () => {
    const codes = options4.map((row) => row.code);
    expect(codes).to.deep.equal([...new Set(codes)].sort((a, b) => a - b));
    expect(new Set(options4.map((row) => row.name)).size).to.equal(options4.length);
  });

  it('is written in kebab case, with kinds that there are and codes that an option can have', () => {
    for (const row of options4) {
      expect(row.name).to.match(/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/);
      expect(row.name).not.to.match(/^option-\d/);
      expect(fields).to.include(row.field);
      expect(row.code).to.be.within(1, 254);
    }
  });

  it('has all of RFC 2132, and what netboot needs', () => {
    const rfc2132 = Array.from({ length: 76 }, (_, i) => i + 1);
    const netboot = [77, 80, 81, 82, 93, 94, 97, 108, 114, 118, 119, 121, 124, 125, 145, 150, 175, 208, 209, 210, 211];
    for (const option of [...rfc2132, ...netboot])
      expect(optionByCode(option), `option ${option}`).not.to.equal(undefined);
  });

  it('knows every code that the server has a word for, but pad and END', () => {
    for (const [word, option] of Object.entries(code)) {
      if (word === 'pad' || word === 'end') expect(optionByCode(option)).to.equal(undefined);
      else expect(optionByCode(option), word).not.to.equal(undefined);
    }
  });

  const rows: readonly (readonly [name: string, code: number | undefined])[] = [
    ['subnet-mask', 1],
    ['routers', 3],
    ['domain-name-servers', 6],
    ['domain-name', 15],
    ['interface-mtu', 26],
    ['ntp-servers', 42],
    ['vendor-class-identifier', 60],
    ['tftp-server-name', 66],
    ['bootfile-name', 67],
    ['domain-search', 119],
    ['classless-static-routes', 121],
    ['v6-only-preferred', 108],
    ['option-224', 224],
    ['option-254', 254],
    // A code with a name has that one only, and these are no options at all.
    ['option-3', undefined],
    ['option-0', undefined],
    ['option-255', undefined],
    ['option-0224', undefined],
    ['option-', undefined],
    ['router', undefined],
    ['Routers', undefined],
    ['', undefined],
    ['constructor', undefined],
  ];
  for (const [name, option] of rows) {
    it(`${name === '' ? 'no name' : name} is ${option === undefined ? 'no option' : `option ${option}`}`, () => {
      expect(optionByName(name)?.code).to.equal(option);
      if (option !== undefined) expect(named(option)).to.equal(name);
    });
  }

  it('takes an option without a row as octets', () => {
    expect(optionByName('option-224')).to.deep.equal({ code: 224, name: 'option-224', field: 'bytes' });
    expect(optionByCode(224)).to.equal(undefined);
    expect(named(224)).to.equal('option-224');
  });

  it('marks what a configuration must not set', () => {
    const marked = [50, 51, 52, 53, 54, 55, 57, 58, 59, 61, 82].map((option) => optionByCode(option)?.by);
    expect(marked).to.deep.equal([
      'client',
      'server',
      'server',
      'server',
      'server',
      'client',
      'client',
      'server',
      'server',
      'client',
      'server',
    ]);
    expect([1, 3, 6, 15, 43, 60, 66, 67, 119, 121, 175].map((option) => optionByCode(option)?.by)).to.deep.equal(
      Array(11).fill(undefined),
    );
  });
});
