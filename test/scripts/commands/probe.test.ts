// The command line of `leasehold probe`, through yargs.
import { expect } from 'chai';
import yargs from 'yargs';
import { probe } from '../../../scripts/commands/probe.js';
import { FakeServer, wellBehaved } from '../probe/fake-server.js';

describe('leasehold probe', () => {
  const real = { log: console.log, error: console.error };
  let out: string[];
  let err: string[];

  /** Runs the command; gives the exit code that it left, and leaves the test runner's own alone. */
  async function run(...args: string[]): Promise<unknown> {
    const before = process.exitCode;
    process.exitCode = undefined;
    out = [];
    err = [];
    console.log = (line: string) => out.push(line);
    console.error = (line: string) => err.push(line);
    try {
      await yargs(['probe', ...args])
        .command(probe)
        .strict()
        .exitProcess(false)
        .parseAsync();
      return process.exitCode;
    } finally {
      Object.assign(console, real);
      process.exitCode = before;
    }
  }

  it('asks, and prints JSON', async () => {
    const server = await FakeServer.open(wellBehaved);
    const code = await run(
      ...['--mac', '02:00:00:00:00:0b', '--server', `127.0.0.1:${server.endpoint.port}`, '--link', '10.20.0.0/24'],
      ...['--vendor-class', 'PXEClient', '--option', 'host-name=a', '--option', 'client-system=7', '--json'],
    );
    await server.close();
    expect(code).to.equal(0);
    expect(err).to.deep.equal([]);
    expect(JSON.parse(out.join('\n'))).to.include({ bound: 1, link: '10.20.0.0' });
    expect([12, 60, 93].map((option) => server.got[0]?.options.has(option))).to.deep.equal([true, true, true]);
  });

  it('ends with 2 and a sentence for each mistake', async () => {
    expect(await run('--mac', '1', '--server', '127.0.0.1', '--count', '0')).to.equal(2);
    expect(out).to.deep.equal([]);
    expect(err.map((line) => line.split(':')[0])).to.deep.equal(['--mac 1', '--count 0', '--link is missing']);
  });

  it('takes digits for the text that they are', async () => {
    // yargs would make a number of it, and drop the zeros.
    expect(await run('--mac', '020000000001', '--server', '127.0.0.1')).to.equal(2);
    expect(err.map((line) => line.split(':')[0])).to.deep.equal(['--link is missing']);
  });
});
