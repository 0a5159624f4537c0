// What every client must see of the server: one body of rows, run with real clients in namespaces and with simulated ones.
import { expect } from 'chai';
import type { Bench, Surroundings, WithBench } from './bench.js';
import type { Client, Got } from './clients/client.js';

/** MACs of the machines in {@link file}, and of one that is not declared. */
const macs = {
  fixed: '02:00:00:00:00:01',
  retained: '02:00:00:00:00:02',
  dynamic: '02:00:00:00:00:03',
  later: '02:00:00:00:00:04',
  elsewhere: '02:00:00:00:00:05',
  undeclared: '02:00:00:00:0f:ff',
} as const;
type Machine = keyof typeof macs;

const HOUR = 3600;

/** What the file says of a machine; `dynamic`, say, or `ipv4: 10.20.0.11`. */
type Said = Readonly<Partial<Record<Machine, string>>>;

const usual: Said = {
  fixed: 'ipv4: 10.20.0.11',
  retained: 'policy: retained',
  dynamic: 'policy: dynamic',
  later: 'policy: dynamic',
  elsewhere: 'ipv4: 10.30.0.15, network: rack2',
};

/** The server's file: two networks, and machines with one interface each; the line of each is found by {@link lineOf}. */
function file({ links, relays }: Surroundings, said: Said, seconds: number): string {
  const machines = Object.entries(said).map(
    ([name, text]) =>
      `  - { name: ${name}, interfaces: [{ mac: '${macs[name as Machine]}', role: host, primary: true, ${text} }] }`,
  );
  const listed = relays.length === 0 ? '' : `, relays: [${relays.join(', ')}]`;
  return `listen: [${links.join(', ')}]
lease: { default: ${seconds}s, min: 2s, max: 24h }
options: { domain-name-servers: [10.20.0.2, 10.20.0.3] }
networks:
  - { name: rack1, prefixes: 10.20.0.0/24, gateway: 10.20.0.1, pools: 10.20.0.100-10.20.0.199${listed} }
  - { name: rack2, prefixes: 10.30.0.0/24, gateway: 10.30.0.1, pools: 10.30.0.100-10.30.0.199${listed} }
machines:
${machines.join('\n')}
`;
}

function lineOf(text: string, machine: Machine): number {
  return text.split('\n').findIndex((line) => line.includes(macs[machine])) + 1;
}

/** Expects that `got` is an address of `rack` (10.20 or 10.30), and all that goes with it. */
function expectLease(got: Got, rack: '10.20' | '10.30', address: string | RegExp, seconds: number): void {
  const { address: given, ...rest } = got;
  if (typeof address === 'string') expect(given).to.equal(address);
  else expect(given).to.match(address);
  const dns = ['10.20.0.2', '10.20.0.3'];
  expect(rest).to.deep.equal({ mask: '255.255.255.0', routers: [`${rack}.0.1`], dns, seconds });
}

const pool1 = /^10\.20\.0\.1\d\d$/;
const pool2 = /^10\.30\.0\.1\d\d$/;

/** What `leases` says of each owner that holds something: `10.20.0.11 static fixed`. */
function leasesOf(bench: Bench): Readonly<Partial<Record<Machine, string>>> {
  const machines = Object.keys(macs) as Machine[];
  const rows = bench.leases().map(({ owner, address, state, policy }) => {
    const machine = machines.find((name) => macs[name] === owner) ?? owner;
    return [machine, `${address} ${state} ${policy ?? '-'}`] as const;
  });
  return Object.fromEntries(rows);
}

async function bindAll<M extends Machine>(
  bench: Bench,
  machines: readonly M[],
): Promise<Record<M, { client: Client; got: Got }>> {
  const bound = machines.map(async (machine) => {
    const client = bench.client('rack1', macs[machine]);
    return [machine, { client, got: await client.bind() }] as const;
  });
  return Object.fromEntries(await Promise.all(bound)) as Record<M, { client: Client; got: Got }>;
}

/** The rows, on benches that `withBench` makes. */
export function rows(withBench: WithBench): void {
  it('gets what its file says: fixed, retained, dynamic, and undeclared', () =>
    withBench(async (bench) => {
      bench.write(file(bench.around, usual, HOUR));
      await bench.start();
      const { fixed, retained, dynamic, undeclared } = await bindAll(bench, [
        'fixed',
        'retained',
        'dynamic',
        'undeclared',
      ]);
      expectLease(fixed.got, '10.20', '10.20.0.11', HOUR);
      for (const { got } of [retained, dynamic, undeclared]) expectLease(got, '10.20', pool1, HOUR);
      expect(leasesOf(bench)).to.deep.equal({
        fixed: '10.20.0.11 static fixed',
        retained: `${retained.got.address} static retained`,
        dynamic: `${dynamic.got.address} lease dynamic`,
        undeclared: `${undeclared.got.address} lease dynamic`,
        // Nobody has asked for it yet; what is declared as fixed is held at once.
        elsewhere: '10.30.0.15 static fixed',
      });
      const given = [fixed, retained, dynamic, undeclared].map(({ got }) => got.address);
      expect(new Set(given).size, 'nobody shares an address').to.equal(given.length);
    }));

  it('renews and gives back: a lease is over, a fixed address stays', () =>
    withBench(async (bench) => {
      bench.write(file(bench.around, usual, 6));
      await bench.start();
      const { fixed, dynamic } = await bindAll(bench, ['fixed', 'dynamic']);
      const renewed = await Promise.all([fixed.client.renew(), dynamic.client.renew()]);
      expect(renewed).to.deep.equal([fixed.got, dynamic.got]);
      await fixed.client.release();
      expect((await bench.heard('RELEASE', macs.fixed)).reason).to.equal('static-kept');
      await dynamic.client.release();
      expect((await bench.heard('RELEASE', macs.dynamic)).reason).to.equal('released');
      expect(leasesOf(bench)).to.include({ fixed: '10.20.0.11 static fixed' }).and.not.have.property('dynamic');
      expectLease(await fixed.client.bind(), '10.20', '10.20.0.11', 6);
      expectLease(await dynamic.client.bind(), '10.20', pool1, 6);
    }));

  it('keeps its address when the server is killed and started again', () =>
    withBench(async (bench) => {
      bench.write(file(bench.around, usual, 8));
      await bench.start();
      const { retained, undeclared } = await bindAll(bench, ['retained', 'undeclared']);
      await bench.kill();
      await bench.start();
      const again = async ({ client, got }: { client: Client; got: Got }): Promise<void> => {
        if (client.remembers) expect(await client.reboot(), 'come back with what it remembers').to.deep.equal(got);
        expect(await client.renew(), 'renewed').to.deep.equal(got);
        expect(await client.bind(), 'come back without a memory').to.deep.equal(got);
      };
      await Promise.all([again(retained), again(undeclared)]);
    }));

  it('gets an address of its wire, also where the same MAC is on another', () =>
    withBench(async (bench) => {
      bench.write(file(bench.around, usual, HOUR));
      await bench.start();
      const here = bench.client('rack1', macs.undeclared);
      const there = bench.client('rack2', macs.undeclared);
      const [first, second] = await Promise.all([here.bind(), there.bind()]);
      expectLease(first, '10.20', pool1, HOUR);
      expectLease(second, '10.30', pool2, HOUR);
      expectLease(await bench.client('rack2', macs.elsewhere).bind(), '10.30', '10.30.0.15', HOUR);
      const held = bench.leases().filter(({ owner }) => owner === macs.undeclared);
      expect(held.map(({ network, address }) => [network, address])).to.deep.equal([
        ['rack1', first.address],
        ['rack2', second.address],
      ]);
    }));

  it('is not moved by an edit from dynamic and retained to fixed, and explain says why', () =>
    withBench(async (bench) => {
      const before = file(bench.around, usual, 6);
      bench.write(before);
      await bench.start();
      const { dynamic, retained } = await bindAll(bench, ['dynamic', 'retained']);
      await bench.stop();
      const edited = { dynamic: 'ipv4: 10.20.0.53', retained: 'ipv4: 10.20.0.52', later: 'ipv4: 10.20.0.54' };
      // A line more above them, so that the two revisions cannot be mistaken for each other.
      const after = `# edited\n${file(bench.around, { ...usual, ...edited }, 6)}`;
      bench.write(after);
      await bench.start();
      const later = bench.client('rack1', macs.later);
      const again = await Promise.all([dynamic, retained, { client: later }].map(({ client }) => client.bind()));
      expect(again.slice(0, 2)).to.deep.equal([dynamic.got, retained.got]);
      expectLease(again[2]!, '10.20', '10.20.0.54', 6);

      for (const machine of ['dynamic', 'retained'] as const) {
        const { address } = { dynamic, retained }[machine].got;
        // Found by its address as well as by its MAC.
        const { revision, resources } = bench.explain(machine === 'dynamic' ? address : macs[machine]);
        expect(revision).to.equal(2);
        expect(resources).to.have.lengthOf(1);
        const [{ binding, pin, declared, explanation } = {}] = resources;
        expect(binding).to.include({ address, kind: machine === 'dynamic' ? 'lease' : 'static' });
        const line = lineOf(before, machine);
        expect(pin).to.include({ policy: machine, revision: 1, file: 'dhcpd.yaml', line });
        expect(declared?.ipv4.policy).to.equal('fixed');
        expect(declared?.line).to.equal(lineOf(after, machine)).and.not.equal(line);
        expect(explanation).to.include(`revision 2, dhcpd.yaml:${lineOf(after, machine)}, says fixed 10.20.0.5`);
        expect(explanation).to.include(`does not apply: this ipv4 was pinned as ${machine} under revision 1`);
      }
      expect(leasesOf(bench)).to.include({ later: '10.20.0.54 static fixed' });
    }));
}
