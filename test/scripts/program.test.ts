// The program as it is started from a shell: commands, mistakes on the command line, and the exit codes.
import { expect } from 'chai';
import { mkdirSync, writeFileSync } from 'node:fs';
import { freshFolder, leasehold } from '../support/folder.js';
import { file, m1 } from '../support/scenario.js';
import { situation } from './explain/situation.js';

describe('the program', function () {
  this.timeout(30_000);
  const folder = freshFolder();
  const said = (...args: readonly string[]): ReturnType<typeof leasehold> => leasehold(folder.path, ...args);

  it('--help lists every command and the exit codes', async () => {
    const { code, out, err } = await said('--help');
    expect({ code, err }).to.deep.equal({ code: 0, err: '' });
    for (const command of ['serve', 'check <file>', 'leases', 'explain <subject>', 'probe'])
      expect(out).to.match(new RegExp(`^  leasehold ${command} `, 'm'));
    expect(out.replace(/\s+/g, ' ')).to.include(
      'Exit codes: 0 done, 1 fault, 2 bad input or conflict, 3 no answer, 4 NAK, 5 store unusable.',
    );
  });

  for (const command of ['serve', 'check', 'leases', 'explain', 'probe'])
    it(`${command} --help tells its options`, async () => {
      const { code, out } = await said(command, '--help');
      expect(code).to.equal(0);
      expect(out)
        .to.include(`leasehold ${command}`)
        .and.to.match(/^ {2}(-\w, )?\s*--\w/m);
    });

  const mistakes: readonly (readonly [args: readonly string[], says: RegExp])[] = [
    [[], /^Name a command\.\nSee: leasehold --help\n$/],
    [['serv', '--config', 'x'], /^Did you mean serve\?\n/],
    [['lease'], /^Did you mean leases\?\n/],
    [['restart-everything'], /restart-everything/],
    [['leases', '--stroe', 'x'], /stroe/],
    [['leases', 'everything'], /everything/],
    [['leases', '--store'], /store/],
    [['serve'], /Missing required argument: config/],
    [['serve', '--config', 'x', '--log-format', 'xml'], /log-format[\s\S]*text[\s\S]*json/],
    [['check'], /Not enough/],
    [['explain'], /Not enough/],
    [
      ['explain', 'nonsense'],
      /^nonsense is neither an address nor a MAC; right would be 10\.20\.0\.11 or 02:00:00:00:00:01\n$/,
    ],
    [['explain', '10.20.0.256'], /^10\.20\.0\.256 is neither an address nor a MAC/],
    [['explain', '02:00:00:00:00'], /neither an address nor a MAC/],
    [['leases'], /^which store\? Name it with --store FILE, or its configuration with --config FILE/],
    [['explain', '10.20.0.11'], /^which store\? Name it with --store FILE/],
    [['leases', '--config', 'nowhere.yaml'], /nowhere\.yaml: there is no such file/],
    [['serve', '--config', 'nowhere.yaml'], /nowhere\.yaml: there is no such file/],
  ];
  for (const [args, says] of mistakes)
    it(`leasehold ${args.join(' ')} → exit code 2`, async () => {
      const { code, out, err } = await said(...args);
      expect(err).to.match(says);
      expect(err, 'no trace of a defect').not.to.match(/^\s+at /m);
      expect({ code, out }).to.deep.equal({ code: 2, out: '' });
    });

  it('serve with a broken file tells every mistake, and exits with 2', async () => {
    writeFileSync(
      folder.at('broken.yaml'),
      `listen: eth0
networks:
  - {name: a, prefixes: [10.20.0.0/33], pool: [10.20.0.1]}
machines:
  - {name: n, interfaces: [{mac: "02:00:00:00:00", ipv4: 10.20.0.300}]}
`,
    );
    const { code, out, err } = await said('serve', '--config', 'broken.yaml');
    const places = err.split('\n').map((line) => /^broken\.yaml:(\d+:\d+): /.exec(line)?.[1]);
    expect(places.slice(0, -2)).to.deep.equal(['1:9', '3:26', '3:41', '5:34', '5:58']);
    expect(err).to.match(/^5 mistakes; nothing was started\n$/m);
    expect({ code, out }).to.deep.equal({ code: 2, out: '' });
  });

  for (const [title, text] of [
    ['listen: []', file([]).replace('listen: [eth0]', 'listen: []')],
    ['no listen', file([]).replace('listen: [eth0]\n', '')],
  ] as const)
    it(`serve with ${title} says that no link is named, and exits with 2`, async () => {
      writeFileSync(folder.at('dhcpd.yaml'), text);
      const { code, err } = await said('serve', '--config', 'dhcpd.yaml');
      expect(err).to.equal(
        'dhcpd.yaml: listen: no link is named, and nothing is served unless it is; write for example `listen: [eth0]`\n',
      );
      expect(code).to.equal(2);
    });

  it('serve naming a link that is not there says which, and exits with 1', async () => {
    writeFileSync(folder.at('dhcpd.yaml'), file([{ mac: m1, ipv4: '10.20.0.7' }]).replace('[eth0]', '[no-such-link]'));
    const { code, err } = await said('serve', '--config', 'dhcpd.yaml');
    expect(err)
      .to.match(/^.*no-such-link.*\n$/m)
      .and.not.to.match(/^\s+at /m);
    expect(code).to.equal(1);
  });

  describe('on a store', () => {
    beforeEach(async () => {
      (await situation(folder.at('leasehold.db'))).close();
    });

    it('leases and explain find it by --store, and by the configuration that names it', async () => {
      mkdirSync(folder.at('etc'));
      writeFileSync(folder.at('etc/dhcpd.yaml'), `server: {store: ../leasehold.db}\n${file([])}`);
      for (const where of [
        ['--store', 'leasehold.db'],
        ['--config', 'etc/dhcpd.yaml'],
      ]) {
        const leases = await said('leases', ...where);
        expect(leases).to.include({ code: 0, err: '' });
        expect(leases.out).to.match(
          /^ADDRESS .*\n10\.20\.0\.11 +02:00:00:00:00:01 +node1\/host +rack1 +static +no +fixed +never +1 +dhcpd\.yaml:11\n/,
        );
        const explained = await said('explain', '02:00:00:00:00:0b', ...where);
        expect(explained).to.include({ code: 0, err: '' });
        expect(explained.out).to.match(/^02:00:00:00:00:0b is an alias of node1\/host/);
      }
    });

    it('--json is JSON and nothing else', async () => {
      const leases = await said('leases', '--json', '--store', 'leasehold.db');
      expect(JSON.parse(leases.out)).to.be.an('array').with.length(5);
      const story = await said('explain', '10.20.0.100', '--json', '--store', 'leasehold.db');
      expect(JSON.parse(story.out)).to.include({ address: '10.20.0.100', revision: 2 });
    });

    it('leases of one network, and of one that has none', async () => {
      const rack1 = await said('leases', '--network', 'rack1', '--store', 'leasehold.db');
      expect(rack1.out.split('\n')).to.have.length(7);
      const rack2 = await said('leases', '--network', 'rack2', '--store', 'leasehold.db');
      expect(rack2).to.deep.equal({ code: 0, out: 'Nobody holds an address in network rack2.\n', err: '' });
    });

    it('leases with a configuration that has mistakes names the way out', async () => {
      writeFileSync(folder.at('broken.yaml'), 'networks: 3\n');
      const { code, err } = await said('leases', '--config', 'broken.yaml');
      expect(err).to.equal(
        'broken.yaml has mistakes (leasehold check broken.yaml lists them): name the store itself with --store FILE\n',
      );
      expect(code).to.equal(2);
    });
  });
});
