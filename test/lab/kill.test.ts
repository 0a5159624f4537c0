// A power cut while a thousand clients get their leases: nothing that was promised is forgotten, and nothing is given twice.
import { expect } from 'chai';
import { Daemon } from './daemon.js';
import { withLab } from './lab.js';
import { acked, ackedIn, manyClients, relayed, startStorm } from './storm.js';

const CLIENTS = 1000;
const AT_ONCE = 200;
/** So many clients have their lease when the power goes. */
const SERVED = 400;

describe('kill -9 while 1,000 clients get their leases', function () {
  this.timeout(60_000);

  it('every address that was acknowledged is in the store, until the promised end, and none twice', () =>
    withLab(async (lab) => {
      const { server, relay } = relayed(lab);
      const daemon = new Daemon(lab, server);
      daemon.write(manyClients);
      await daemon.start({ packets: false });
      const storm = startStorm(lab, relay, CLIENTS, AT_ONCE);
      await acked(storm, SERVED);
      await daemon.kill();
      await storm.end();
      const promised = ackedIn(storm);
      expect(promised.length).to.be.at.least(SERVED).and.below(CLIENTS);

      const rows = daemon.leases();
      const ends = new Map(rows.map(({ owner, address, ends: end }) => [`${owner} ${address}`, Date.parse(end ?? '')]));
      const broken = promised.filter(({ mac, address, asked, seconds }) => {
        const end = ends.get(`${mac} ${address}`);
        // The table shows whole seconds, rounded down.
        return !(end !== undefined && end + 999 >= asked + seconds * 1000);
      });
      expect(broken, 'promises that the store does not know of').to.deep.equal([]);
      expectDistinct(promised.map(({ address }) => address));
      expectDistinct(rows.map(({ address }) => address));

      await daemon.start({ packets: false });
      const again = startStorm(lab, relay, CLIENTS, AT_ONCE);
      await again.says(/^done$/);
      const kept = new Map(ackedIn(again).map(({ mac, address }) => [mac, address]));
      expect(kept.size).to.equal(CLIENTS);
      expectDistinct([...kept.values()]);
      const moved = promised.filter(({ mac, address }) => kept.get(mac) !== address);
      expect(moved, 'clients that got another address than before').to.deep.equal([]);
    }));
});

function expectDistinct(addresses: readonly string[]): void {
  const twice = addresses.filter((address, i) => addresses.indexOf(address) !== i);
  expect(twice, 'addresses given twice').to.deep.equal([]);
}
