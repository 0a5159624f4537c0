// The lab leaves nothing behind, however a test ends, and never touches the machine's own links.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { withLab } from './lab.js';
import type { Lab } from './lab.js';
import { isAlive, namespacesLike, run } from './namespace.js';
import { Program } from './program.js';

const interrupted = fileURLToPath(new URL('programs/interrupted.js', import.meta.url));

/** Fills a lab with a wire, a host and a program on it. */
function fill(lab: Lab): Program {
  const host = lab.namespace('host');
  lab.wire('wire').plug(host, 'eth0', { address: '10.20.0.1/24' });
  return lab.start(host, 'sleep', ['1000']);
}

/** The error that `work` ends with. */
async function errorOf(work: Promise<void>): Promise<string> {
  return work.then(
    () => 'none',
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
}

describe('a lab', () => {
  it('has its links in its own namespaces only', () =>
    withLab((lab) => {
      const before = run('ip', '-brief', 'link');
      fill(lab);
      expect(run('ip', '-brief', 'link')).to.equal(before);
      return Promise.resolve();
    }));

  it('is gone when its test has passed', async () => {
    let used: Lab | undefined;
    await withLab((lab) => {
      used = lab;
      fill(lab);
      expect(lab.leftovers()).to.have.lengthOf(4);
      return Promise.resolve();
    });
    expect(used?.leftovers()).to.deep.equal([]);
  });

  it('is gone when its test has failed, and the failure is told', async () => {
    let used: Lab | undefined;
    const failing = withLab((lab) => {
      used = lab;
      fill(lab);
      return Promise.reject(new Error('on purpose'));
    });
    expect(await errorOf(failing)).to.equal('on purpose');
    expect(used?.leftovers()).to.deep.equal([]);
  });

  it('tells of a process that outlives its program, and ends it', async () => {
    let pid = 0;
    const leaking = withLab(async (lab) => {
      const host = lab.namespace('host');
      const program = lab.start(host, 'sh', ['-c', 'sleep 1000 < /dev/null > /dev/null 2>&1 & echo $!']);
      pid = Number((await program.says(/^\d+$/))[0]);
      expect(isAlive(pid)).to.equal(true);
    });
    expect(await errorOf(leaking)).to.match(/^processes that outlived the programs of the test/);
    expect(isAlive(pid)).to.equal(false);
  });

  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    it(`is gone when its test is interrupted by ${signal}`, async () => {
      const program = new Program(process.execPath, [interrupted]);
      const said = await program.line((line) => line);
      const { namespace, folder, pid } = JSON.parse(said) as { namespace: string; folder: string; pid: number };
      expect([namespacesLike(namespace).length, existsSync(folder), isAlive(pid)]).to.deep.equal([1, true, true]);
      const { code } = await program.end(signal);
      expect(code).to.equal(signal === 'SIGINT' ? 130 : 143);
      expect([namespacesLike(namespace).length, existsSync(folder), isAlive(pid)]).to.deep.equal([0, false, false]);
    });
  }
});
