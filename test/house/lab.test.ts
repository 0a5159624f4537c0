// How the lab is made ready or left out: the packages and their guard against daemons, and what LEASEHOLD_LAB asks for.
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import type { Machine } from '../../scripts/dev/debian.js';
import { install } from '../../scripts/dev/debian.js';
import { runLab } from '../../scripts/dev/lab.js';
import type { Tally } from '../../scripts/dev/tally.js';

describe('the packages of the lab', () => {
  let folder: string;
  let policyFile: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'leasehold-lab-'));
    policyFile = path.join(folder, 'policy-rc.d');
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  /** A machine on which `missing` is not installed and the n-th call of apt-get ends as `ends[n]` says. */
  const machine = (missing: string[], ends: boolean[]) => {
    const calls: string[] = [];
    const guards: string[] = [];
    const told: string[] = [];
    const it: Machine = {
      policyFile,
      say: (text) => {
        told.push(text);
      },
      missing: () => missing,
      aptGet: (args) => {
        calls.push(args.join(' '));
        guards.push(existsSync(policyFile) ? readFileSync(policyFile, 'utf8') : 'none');
        return Promise.resolve({ ok: ends[calls.length - 1] === true, output: 'E: it went wrong\n' });
      },
    };
    return { it, calls, guards, told };
  };
  const installing = 'install --yes --no-install-recommends udhcpc strace';

  it('are left alone where all are there', async () => {
    const { it: all, calls } = machine([], []);
    expect(await install(['udhcpc'], all)).to.deep.equal({ ok: true });
    expect(calls).to.deep.equal([]);
  });

  it('are installed where missing, without fetching lists, under a guard that is gone afterwards', async () => {
    const { it: bare, calls, guards } = machine(['udhcpc', 'strace'], [true]);
    expect(await install(['udhcpc', 'strace', 'iproute2'], bare)).to.deep.equal({ ok: true });
    expect(calls).to.deep.equal([installing]);
    expect(guards[0]).to.match(/^#!\/bin\/sh\n[^]*\nexit 101\n$/);
    expect(existsSync(policyFile)).to.equal(false);
  });

  it('are tried again after the lists were fetched', async () => {
    const { it: old, calls } = machine(['udhcpc', 'strace'], [false, true, true]);
    expect(await install(['udhcpc', 'strace'], old)).to.deep.equal({ ok: true });
    expect(calls).to.deep.equal([installing, 'update', installing]);
  });

  for (const ends of [
    [false, false],
    [false, true, false],
  ]) {
    it(`fail with a reason where apt-get ends ${ends.join(', ')}, and the guard is gone`, async () => {
      const { it: broken, calls, told } = machine(['udhcpc', 'strace'], ends);
      const reason = 'apt-get could not install udhcpc strace';
      expect(await install(['udhcpc', 'strace'], broken)).to.deep.equal({ ok: false, reason });
      expect(calls).to.have.length(ends.length);
      expect(told).to.deep.equal(['Installing for the lab: udhcpc strace', 'E: it went wrong']);
      expect(existsSync(policyFile)).to.equal(false);
    });
  }

  it('leave a guard alone that was there before', async () => {
    writeFileSync(policyFile, '#!/bin/sh\nexit 0\n', { mode: 0o700 });
    const { it: guarded, guards } = machine(['udhcpc'], [true]);
    await install(['udhcpc'], guarded);
    expect(guards).to.deep.equal(['#!/bin/sh\nexit 0\n']);
    expect(readFileSync(policyFile, 'utf8')).to.equal('#!/bin/sh\nexit 0\n');
    expect(statSync(policyFile).mode & 0o777).to.equal(0o700);
  });

  it('take away the guard of an earlier run that was killed', async () => {
    const killed = machine(['udhcpc'], [true]);
    await install(['udhcpc'], killed.it);
    writeFileSync(policyFile, killed.guards[0]!);
    await install(['udhcpc'], machine(['udhcpc'], [true]).it);
    expect(existsSync(policyFile)).to.equal(false);
  });
});

describe('LEASEHOLD_LAB', function () {
  this.timeout(20_000);
  let folder: string;
  before(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'leasehold-lab-'));
  });
  after(() => {
    rmSync(folder, { recursive: true });
  });

  /** What the lab comes to with `files` and `setting`, and what it prints. */
  const lab = async (setting: string, files: string[] = []): Promise<{ tally: Tally; told: string }> => {
    const told: string[] = [];
    const print = console.log;
    console.log = (text: string) => told.push(text);
    try {
      const tally = await runLab({ name: 'lab', files, timeout: 1000, limit: 20_000 }, setting);
      return { tally, told: told.join('\n') };
    } finally {
      console.log = print;
    }
  };

  for (const setting of ['', 'Auto', 'yes', '1']) {
    it(`'${setting}' is refused, naming what it may be`, async () => {
      const { tally, told } = await lab(setting);
      expect(tally).to.deep.equal({ passed: 0, failed: 1, skipped: 0 });
      expect(told).to.include(`LEASEHOLD_LAB is '${setting}'; it may be auto, skip, required.`);
    });
  }

  it('required fails where there are no lab tests; auto and skip say so', async () => {
    const row = async (setting: string): Promise<number> => (await lab(setting)).tally.failed;
    expect([await row('required'), await row('auto'), await row('skip')]).to.deep.equal([1, 0, 0]);
    expect((await lab('auto')).told).to.include('There are no lab tests here.');
  });

  it('skip runs none, and says how many and why', async () => {
    const two = path.join(folder, 'two.test.js');
    writeFileSync(two, "it('a', () => { throw new Error('ran'); }); it('b', () => {});");
    const { tally, told } = await lab('skip', [two]);
    expect(tally).to.deep.equal({ passed: 0, failed: 0, skipped: 2 });
    expect(told).to.include('SKIPPED: the 2 tests of the lab, because LEASEHOLD_LAB=skip asks for it.');
  });
});
