// What `leasehold check FILE` prints, and its exit code.
import { expect } from 'chai';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkFile } from '../../../scripts/commands/check.js';

describe('check', () => {
  let folder = '';
  let path = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'leasehold-check-'));
    path = join(folder, 'dhcpd.yaml');
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  it('counts what the example has', async () => {
    expect(await checkFile('dhcpd.example.yaml', false)).to.deep.equal({
      code: 0,
      out: 'dhcpd.example.yaml: 1 network, 2 machines, 4 interfaces, 0 mistakes, 0 warnings\n',
      err: '',
    });
  });

  const bad = 'include: ["d/*"]\nnetworks:\n  - {name: a, prefixes: 10.20.0.0/24, pool: x}\n';

  it('prints mistakes and warnings with paths that can be opened, and exits with 2', async () => {
    writeFileSync(path, bad);
    mkdirSync(join(folder, 'd'));
    writeFileSync(join(folder, 'd/m.yaml'), 'machines: 3\n');
    const { code, out, err } = await checkFile(path, false);
    expect({ code, err }).to.deep.equal({ code: 2, err: '' });
    expect(out.replaceAll(folder, '.').split('\n')).to.deep.equal([
      './dhcpd.yaml:3:39: networks[a].pool: "pool" is no known key; did you mean pools?',
      './d/m.yaml:1:11: machines: 3 is not a list of machines; write one item a machine, beginning with `- name: `',
      './dhcpd.yaml:3:12: networks[a].name: warning: this network has no IPv4 pool, so only fixed addresses are served; write `pools`, or `allocation: reserved` if that is meant',
      './dhcpd.yaml: 2 mistakes, 1 warning',
      '',
    ]);
  });

  it('prints JSON for programs', async () => {
    writeFileSync(path, bad);
    const { code, out } = await checkFile(path, true);
    expect(code).to.equal(2);
    const report = JSON.parse(out) as { ok: boolean; mistakes: { line: number; path: string }[]; warnings: unknown[] };
    expect(report.ok).to.be.false;
    expect(report.mistakes.map((note) => [note.line, note.path])).to.deep.equal([[3, 'networks[a].pool']]);
    expect(report.warnings).to.have.length(1);
    const good = JSON.parse((await checkFile('dhcpd.example.yaml', true)).out) as unknown;
    expect(good).to.deep.equal({ ok: true, networks: 1, machines: 2, interfaces: 4, mistakes: [], warnings: [] });
  });

  it('says on standard error what keeps the file from being read', async () => {
    const said = `${path}: there is no such file; check the path`;
    expect(await checkFile(path, false)).to.deep.equal({ code: 2, out: '', err: `${said}\n` });
    const { code, out } = await checkFile(path, true);
    expect(code).to.equal(2);
    expect(JSON.parse(out)).to.deep.equal({ ok: false, message: said, mistakes: [], warnings: [] });
  });
});
