// Reading a configuration from the disk: what is included, what is refused, and with what words.
import { expect } from 'chai';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../../server/files.js';

describe('readConfig', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'leasehold-files-'));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  function put(name: string, content: string | Uint8Array): string {
    const path = join(folder, name);
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, content);
    return path;
  }

  async function namesOf(main: string): Promise<readonly string[]> {
    const read = await readConfig(put('dhcpd.yaml', main));
    return read.ok ? [...read.files.keys()] : [read.message.replaceAll(folder, '.')];
  }

  it('reads a file without includes, by its base name', async () => {
    const read = await readConfig(put('dhcpd.yaml', 'networks: []\n'));
    expect(read).to.deep.equal({ ok: true, files: new Map([['dhcpd.yaml', 'networks: []\n']]), folder });
  });

  it('leaves a byte order mark out', async () => {
    const read = await readConfig(put('dhcpd.yaml', '\uFEFFa: 1\n'));
    expect(read.ok && read.files.get('dhcpd.yaml')).to.equal('a: 1\n');
  });

  describe('include', () => {
    beforeEach(() => {
      for (const name of ['m/b.yaml', 'm/a.yaml', 'm/c.yml', 'm/.d.yaml', 'n1/x.yaml', 'n2/x.yaml', 'top.yaml'])
        put(name, `# ${name}`);
      mkdirSync(join(folder, 'm/folder.yaml'));
    });

    const rows: readonly (readonly [title: string, include: string, ...names: string[]])[] = [
      ['matches * within a name, sorted, no hidden files, no folders', 'include: ["m/*.yaml"]', 'm/a.yaml', 'm/b.yaml'],
      ['matches ? and folders', 'include: ["n?/*"]', 'n1/x.yaml', 'n2/x.yaml'],
      [
        'takes patterns in their order and a file once',
        'include: [top.yaml, "m/b*", ./m/*.yaml]',
        'top.yaml',
        'm/b.yaml',
        'm/a.yaml',
      ],
      ['takes a hidden file that is written', 'include: [m/.d.yaml]', 'm/.d.yaml'],
      ['may match nothing', 'include: ["none/*.yaml", "m/*.json"]'],
      ['may be a block list', 'a: 1\ninclude:\n  # all\n  - m/a.yaml\n\n  - top.yaml\nb: 2', 'm/a.yaml', 'top.yaml'],
      ['may be a block list at the margin', 'include:\n- m/a.yaml\n- top.yaml\nb: 2', 'm/a.yaml', 'top.yaml'],
      ['may be a flow list over lines', 'include: [\n  m/a.yaml,\n  top.yaml\n]\nb: 2', 'm/a.yaml', 'top.yaml'],
      ['may have its key in quotes', '"include": [top.yaml]', 'top.yaml'],
      ['may stand in braces', '{a: 1, include: [top.yaml]}', 'top.yaml'],
      ['may use an alias', 'a: &x top.yaml\ninclude: [*x]', 'top.yaml'],
      ['is none further in', 'options:\n  include: [top.yaml]'],
      ['is none in a comment', '# include: [top.yaml]\na: 1'],
      ['takes nothing that begins elsewhere or leaves the folder', 'include: [/etc/passwd, ../x, "**/x.yaml", 7]'],
    ];
    for (const [title, include, ...names] of rows) {
      it(title, async () => {
        expect(await namesOf(include)).to.deep.equal(['dhcpd.yaml', ...names]);
      });
    }

    it('says which file is not there', async () => {
      expect(await namesOf('include: [m/z.yaml]')).to.deep.equal([
        './dhcpd.yaml: include names m/z.yaml, which is not there; make that file, or remove it from include',
      ]);
    });

    it('says which file is a folder', async () => {
      expect(await namesOf('include: [m/folder.yaml]')).to.deep.equal([
        './m/folder.yaml: this is a folder; name the YAML file in it',
      ]);
    });

    it('follows a link that stays in the folder', async () => {
      symlinkSync('top.yaml', join(folder, 'link.yaml'));
      expect(await namesOf('include: [link.yaml]')).to.deep.equal(['dhcpd.yaml', 'link.yaml']);
    });

    it('refuses a link that leads out of it, by file or by folder', async () => {
      symlinkSync('/etc/hostname', join(folder, 'm/out.yaml'));
      symlinkSync('/etc', join(folder, 'etc'));
      expect(await namesOf('include: ["m/o*.yaml"]')).to.deep.equal([
        './m/out.yaml: a link leads out of ., and included files stay in it; copy the file there',
      ]);
      expect(await namesOf('include: [etc/hostname]')).to.deep.equal([
        './etc/hostname: a link leads out of ., and included files stay in it; copy the file there',
      ]);
    });

    it('says that a link leads nowhere', async () => {
      symlinkSync('gone.yaml', join(folder, 'm/dead.yaml'));
      expect(await namesOf('include: ["m/d*.yaml"]')).to.deep.equal([
        './m/dead.yaml: there is no such file; check the path',
      ]);
    });
  });

  async function messageOf(path: string): Promise<string> {
    const read = await readConfig(path);
    return read.ok ? 'read' : read.message.replaceAll(folder, '.');
  }

  it('says that there is no such file', async () => {
    expect(await messageOf(join(folder, 'dhcpd.yaml'))).to.equal('./dhcpd.yaml: there is no such file; check the path');
    put('a', '');
    expect(await messageOf(join(folder, 'a/b'))).to.equal('./a/b: a part of the path is not a folder; check the path');
  });

  it('says that it is a folder or a device', async () => {
    expect(await messageOf(folder)).to.equal('.: this is a folder; name the YAML file in it');
    expect(await messageOf('/dev/null')).to.equal('/dev/null: this is a device or pipe; name a file');
  });

  it('says that it is not UTF-8', async () => {
    const path = put('x', Uint8Array.of(0x61, 0xff, 0x62));
    expect(await messageOf(path)).to.equal('./x: this is no text in UTF-8; save it as UTF-8');
    const wide = put('y', Uint8Array.of(0x61, 0, 0x62, 0));
    expect(await messageOf(wide)).to.equal(
      './y: the octet at 1 is zero, so this is no text in UTF-8 (in UTF-16, maybe); save it as UTF-8',
    );
  });

  it('says that it is too large, without reading it', async () => {
    const path = put('x', '');
    truncateSync(path, 64 * 1024 * 1024 + 1);
    expect(await messageOf(path)).to.equal(
      './x: this file is over 64 MB, so it is hardly a configuration; split it by `include` if it is one',
    );
  });
});
