// The thinnest path: one real client gets its declared address from the real daemon.
import { expect } from 'chai';
import { Udhcpc } from './clients/udhcpc.js';
import { Daemon } from './daemon.js';
import { withLab } from './lab.js';

const text = `listen: [eth0]
options: { domain-name-servers: [10.20.0.2, 10.20.0.3] }
networks:
  - { name: rack1, prefixes: 10.20.0.0/24, gateway: 10.20.0.1, pools: 10.20.0.100-10.20.0.199 }
machines:
  - name: node1
    interfaces:
      - { mac: '02:00:00:00:00:01', role: host, primary: true, ipv4: 10.20.0.11 }
`;
describe('the thin path', () => {
  it('gives udhcpc its declared address', () =>
    withLab(async (lab) => {
      const host = lab.namespace('server');
      lab.wire('rack1').plug(host, 'eth0', { address: '10.20.0.1/24' });
      const daemon = new Daemon(lab, host);
      daemon.write(text);
      await daemon.start();
      const client = new Udhcpc(lab, 'rack1', '02:00:00:00:00:01');
      expect(await client.bind()).to.deep.equal({
        address: '10.20.0.11',
        mask: '255.255.255.0',
        routers: ['10.20.0.1'],
        dns: ['10.20.0.2', '10.20.0.3'],
        seconds: 3600,
      });
      expect(await client.renew()).to.include({ address: '10.20.0.11' });
      await client.release();
      await daemon.event(({ asked, reason }) => asked === 'RELEASE' && reason === 'static-kept');
      expect(daemon.leases()).to.have.lengthOf(1);
    }));
});
