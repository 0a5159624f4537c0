// 100,000 damaged packets through the whole server: it stands, serves, and keeps no memory of them.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import { chance, mutate, realPackets } from '../support/mutate.js';
import { Served } from '../support/served.js';

const text = `
listen: [eth0]
networks:
  - {name: a, prefixes: 10.20.0.0/24, gateway: 10.20.0.1, pools: 10.20.0.100-10.20.0.199}
machines:
  - name: node1
    interfaces: [{mac: "02:00:00:00:00:01", ipv4: 10.20.0.11}]
`;

describe('damaged packets', () => {
  it('100,000 of them: every one has a reason, a declared machine is served, the heap stays as it was at 20,000', async function () {
    this.timeout(300_000);
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const heap = (): number => {
      collect();
      return process.memoryUsage().heapUsed;
    };
    const real = realPackets();
    expect(real.length).to.be.greaterThan(300);
    const pick = chance(20_261_201);
    const served = await Served.open({ text });
    const seen = new Map<string, number>();
    let before = 0;
    for (let sent = 0; sent < 100_000; sent++) {
      if (sent === 20_000) before = heap();
      const packet = mutate(real[pick(real.length)]!, pick);
      served.now += pick(50);
      const { reason } = served.sendBytes(packet, { broadcast: pick(2) === 0 });
      seen.set(reason, (seen.get(reason) ?? 0) + 1);
    }
    const after = heap();
    expect(seen.get('decision-failed'), 'defects of ours').to.equal(undefined);
    expect(seen.size, [...seen.keys()].join(' ')).to.be.greaterThan(10);
    expect(after / before).to.be.lessThan(1.05);
    expect(served.dora('02:00:00:00:00:01')).to.equal('10.20.0.11');
    served.close();
  });

  it('a DISCOVER with every parameter asked for twice, and one with none, are answered', async () => {
    const served = await Served.open({ text });
    const all = Uint8Array.from({ length: 510 }, (_, i) => i % 255);
    for (const list of [all, new Uint8Array(0), Uint8Array.of(0), Uint8Array.of(255, 0, 1, 1)]) {
      const got = served.discover('02:00:00:00:00:01', { options: new Map([[55, list]]) });
      expect(got.type).to.equal('OFFER');
      expect(got.address).to.equal('10.20.0.11');
    }
    served.close();
  });
});
