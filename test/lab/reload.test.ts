// The file is edited while real packets flow: taken up at SIGHUP, or not at all; and a start with a broken one serves the last good.
import { expect } from 'chai';
import { Daemon } from './daemon.js';
import { withLab } from './lab.js';
import { ackedIn, manyClients, relayed, startStorm } from './storm.js';

const CLIENTS = 20;
const DECLARED = `  - { name: node2, interfaces: [{ mac: '02:aa:00:00:00:01', role: host, ipv4: 10.20.0.12 }] }
`;

describe('a daemon whose file is edited', function () {
  this.timeout(60_000);

  it('takes the edit up at SIGHUP, leaves everything as it is for a broken one, and starts with the last good one', () =>
    withLab(async (lab) => {
      const { server, relay } = relayed(lab);
      const daemon = new Daemon(lab, server);
      const hangUp = async (...events: readonly string[]): Promise<Readonly<Record<string, unknown>>> => {
        const from = daemon.program.lines.length;
        process.kill(daemon.program.pid, 'SIGHUP');
        return daemon.event(({ event }) => events.includes(event), from);
      };
      const addresses = async (): Promise<ReadonlyMap<string, string>> => {
        const storm = startStorm(lab, relay, CLIENTS, CLIENTS);
        await storm.says(/^done$/);
        return new Map(ackedIn(storm).map(({ mac, address }) => [mac, address]));
      };
      daemon.write(manyClients);
      await daemon.start();
      const before = await addresses();
      expect(before.size).to.equal(CLIENTS);

      daemon.write(manyClients + DECLARED);
      expect(await hangUp('reloaded', 'config-refused')).to.include({ event: 'reloaded', revision: 2, bound: 1 });
      expect(daemon.leases().map(({ address }) => address)).to.include('10.20.0.12');
      expect(await addresses()).to.deep.equal(before);

      daemon.write(`${manyClients}${DECLARED}oops: [`);
      expect(await hangUp('reloaded', 'config-refused')).to.include({ event: 'config-refused' });
      expect(await addresses()).to.deep.equal(before);

      await daemon.stop();
      await daemon.start();
      const loud = await daemon.event(({ event }) => event === 'last-good-revision');
      expect(loud).to.include({ revision: 2 });
      expect(await addresses()).to.deep.equal(before);
    }));
});
