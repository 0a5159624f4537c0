// The way from a clone to a running program: which Node is taken, when dependencies are installed, and what is said when that fails.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

interface Bootstrap {
  readonly bootstrap: (root: string, say: (text: string) => void) => string | undefined;
  readonly diagnose: (output: string, searchPath: string) => string | undefined;
  readonly missingTools: (searchPath: string) => string[];
  readonly stampOf: (lock: Uint8Array) => string;
}
interface Launch {
  readonly startArguments: (args: readonly string[]) => string[];
}

const root = fileURLToPath(new URL('../../..', import.meta.url));
const require = createRequire(path.join(root, 'scripts/dev/'));
const { bootstrap: bootstrapIn, diagnose, missingTools, stampOf } = require('./bootstrap.cjs') as Bootstrap;
const { startArguments } = require('./launch.cjs') as Launch;

describe('the first steps of a clone', function () {
  this.timeout(20_000);
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'leasehold-bootstrap-'));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  /** Puts programs called `names` into a folder and returns it, as a search path. */
  const programs = (...names: string[]): string => {
    const bin = path.join(folder, 'bin');
    mkdirSync(bin);
    for (const name of names) writeFileSync(path.join(bin, name), '', { mode: 0o755 });
    return bin;
  };

  describe('a Node that is too old', () => {
    const versions: readonly [string, boolean][] = [
      ['8.17.0', false],
      ['18.20.4', false],
      ['20.18.3', false],
      ['20.19.0', true],
      ['22.0.0', true],
      ['100.0.0', true],
    ];
    for (const [version, taken] of versions) {
      it(`${version} is ${taken ? 'taken' : 'refused in one sentence'}`, () => {
        // The gate itself runs, in a Node that claims to be another; what comes behind it is replaced.
        const gate = path.join(folder, 'run.cjs');
        writeFileSync(gate, readFileSync(path.join(root, 'scripts/dev/run.cjs')));
        writeFileSync(path.join(folder, 'launch.cjs'), "exports.launch = (name) => console.log('launch', name);");
        const claim = `Object.defineProperty(process.versions, 'node', { value: '${version}' });`;
        const program = `${claim} process.argv[2] = 'start'; require(${JSON.stringify(gate)});`;
        const { status, stdout, stderr } = spawnSync(process.execPath, ['-e', program, 'gate'], { encoding: 'utf8' });
        const sentence = `Leasehold needs Node 20.19 or newer; this is Node ${version}.\n`;
        expect({ status, stdout, stderr }).to.deep.equal(
          taken ? { status: 0, stdout: 'launch start\n', stderr: '' } : { status: 1, stdout: '', stderr: sentence },
        );
      });
    }
  });

  describe('installing', () => {
    /** A clone whose npm is a script that notes its arguments and then does what `then` says. */
    const cloneWithNpm = (then: string): (() => string[]) => {
      writeFileSync(path.join(folder, 'package-lock.json'), '{}');
      const calls = path.join(folder, 'calls');
      const npm = path.join(folder, 'npm.cjs');
      const note = `require('fs').appendFileSync(${JSON.stringify(calls)}, process.argv.slice(2).join(' ') + '\\n');`;
      writeFileSync(npm, `${note}\n${then}\n`);
      process.env.npm_execpath = npm;
      return () => readFileSync(calls, 'utf8').trimEnd().split('\n');
    };
    /** A better-sqlite3 that loads, or does not, in place of the real one. */
    const store = (works: boolean): string => {
      const text = works ? 'module.exports = class { close() {} };' : "throw new Error('not built');";
      const file = path.join(folder, 'node_modules/better-sqlite3/index.js');
      return `require('fs').mkdirSync(require('path').dirname(${JSON.stringify(file)}), { recursive: true });
        require('fs').writeFileSync(${JSON.stringify(file)}, ${JSON.stringify(text)});`;
    };
    const told = process.env.npm_execpath;
    afterEach(() => {
      if (told === undefined) delete process.env.npm_execpath;
      else process.env.npm_execpath = told;
    });
    const said: string[] = [];
    beforeEach(() => {
      said.length = 0;
    });
    const bootstrap = (): string | undefined => bootstrapIn(folder, (text) => said.push(text));
    const ci = 'ci --include=dev --no-audit --no-fund';

    it('happens once for one lock file, and again for another', () => {
      const calls = cloneWithNpm(store(true));
      expect(bootstrap()).to.equal(undefined);
      expect(bootstrap()).to.equal(undefined);
      expect(calls()).to.deep.equal([ci]);
      expect(said).to.deep.equal(['Installing the dependencies; the first time this takes a minute or two.']);
      writeFileSync(path.join(folder, 'package-lock.json'), '{"changed": true}');
      expect(bootstrap()).to.equal(undefined);
      expect(calls()).to.deep.equal([ci, ci]);
    });

    it('happens again for another ABI of Node', () => {
      const calls = cloneWithNpm(store(true));
      bootstrap();
      const stamp = path.join(folder, 'node_modules/.leasehold-stamp');
      expect(readFileSync(stamp, 'utf8')).to.include(`abi-${process.versions.modules} `);
      writeFileSync(stamp, readFileSync(stamp, 'utf8').replace(/abi-\d+/, 'abi-1'));
      bootstrap();
      expect(calls()).to.have.length(2);
    });

    it('builds the native part itself where npm ran no install scripts', () => {
      const calls = cloneWithNpm(`if (process.argv[2] === 'ci') { ${store(false)} } else { ${store(true)} }`);
      expect(bootstrap()).to.equal(undefined);
      expect(calls()).to.deep.equal([ci, 'rebuild better-sqlite3 --ignore-scripts=false']);
    });

    it('is not taken for done when the native part does not load', () => {
      const calls = cloneWithNpm(store(false));
      expect(bootstrap()).to.match(/^better-sqlite3 was built but does not load on Node /);
      bootstrap();
      expect(calls()).to.have.length(4);
    });

    it('fails with what npm said and the reason in plain words', () => {
      cloneWithNpm("console.error('npm error code EAI_AGAIN'); process.exit(1);");
      expect(bootstrap()).to.match(/^npm error code EAI_AGAIN\n\nThe dependencies could not be fetched: /);
    });

    it('fails with what npm said alone where the reason is another', () => {
      cloneWithNpm("console.error('npm error code ENOSPC'); process.exit(1);");
      const words = 'npm could not install the dependencies; what it said stands above.';
      expect(bootstrap()).to.equal(`npm error code ENOSPC\n\n${words}`);
    });
  });

  it('tells lock files and machines apart by the stamp', () => {
    const of = (text: string): string => stampOf(new TextEncoder().encode(text));
    expect(of('a')).to.equal(of('a')).and.not.equal(of('b'));
  });

  const tools: readonly [string[], string[]][] = [
    [['python3', 'make', 'g++'], []],
    [['python3', 'gmake', 'clang++'], []],
    [['python3', 'make', 'c++'], []],
    [['python3', 'g++'], ['make']],
    [['make'], ['python3', 'g++']],
    [[], ['python3', 'make', 'g++']],
  ];
  for (const [there, missing] of tools) {
    it(`with ${there.join(', ') || 'nothing'} there, misses ${missing.join(', ') || 'nothing'}`, () => {
      expect(missingTools(programs(...there))).to.deep.equal(missing);
    });
  }

  const gyp = 'npm error gyp ERR! stack Error: not found: make';
  const offline = 'npm error request to failed, reason: getaddrinfo ENOTFOUND';
  const diagnoses: readonly [string, string[], string, RegExp | undefined][] = [
    ['a missing tool', ['python3', 'make'], gyp, /: g\+\+ missing\. Install with: sudo apt-get install -y g\+\+$/],
    ['two missing tools', ['python3'], gyp, /: make, g\+\+ missing\. .* sudo apt-get install -y make g\+\+$/],
    ['a missing tool, offline', ['make', 'g++'], `${gyp}\n${offline}`, /sudo apt-get install -y python3$/],
    ['headers out of reach', ['python3', 'make', 'g++'], `gyp ERR! stack\n${offline}`, /headers could not be fetched/],
    ['a compiler error', ['python3', 'make', 'g++'], 'gyp ERR! build error', /the compiler says why above/],
    ['no network', [], offline, /registry does not answer\. Connect to the network/],
    ['something else', [], 'npm error code EUSAGE', undefined],
  ];
  for (const [name, there, output, expected] of diagnoses) {
    it(`explains ${name}`, () => {
      const words = diagnose(output, programs(...there));
      if (expected === undefined) expect(words).to.equal(undefined);
      else expect(words).to.match(expected);
    });
  }

  const demo = ['serve', '--demo', '--config', 'dhcpd.example.yaml'];
  const starts: readonly [string[], string[]][] = [
    [[], demo],
    [['--log-packets'], [...demo, '--log-packets']],
    [
      ['check', 'site.yaml'],
      ['check', 'site.yaml'],
    ],
    [
      ['serve', '--config', 'site.yaml'],
      ['serve', '--config', 'site.yaml'],
    ],
  ];
  for (const [args, runs] of starts) {
    it(`npm start -- ${args.join(' ')} runs leasehold ${runs.join(' ')}`, () => {
      expect(startArguments(args)).to.deep.equal(runs);
    });
  }
});
