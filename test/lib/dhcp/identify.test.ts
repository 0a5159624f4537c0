// Who is asking: the owner key of a DHCPv4 client.
import { expect } from 'chai';
import { m1, m2, m3, file } from '../../support/scenario.js';
import { option } from '../../support/octets.js';
import type { Sent } from '../../support/served.js';
import { Served } from '../../support/served.js';

const MAC_ID = '01020000000003';
const DUID_ID = 'ff00000001000300010a0b0c0d0e0f';
const none = Uint8Array.from([0, 0, 0, 0, 0, 0]);

type Row = readonly [title: string, identity: 'mac' | 'client-id', sent: Sent, owner: string];

const rows: readonly Row[] = [
  ['the MAC', 'mac', { mac: m3 }, m3],
  ['the MAC, whatever the client identifier says', 'mac', { mac: m3, clientId: DUID_ID }, m3],
  ['the declared owner, by its own MAC', 'mac', { mac: m1 }, m1],
  ['the declared owner, by an alias', 'mac', { mac: m2 }, m1],
  ['client-id network: the identifier', 'client-id', { mac: m3, clientId: DUID_ID }, `client-id:${DUID_ID}`],
  ['client-id network: type 1 with the MAC is an identifier too', 'client-id', { mac: m3, clientId: MAC_ID }, `client-id:${MAC_ID}`],
  ['client-id network: the MAC of who sends none', 'client-id', { mac: m3 }, m3],
  ['client-id network: a declared MAC names its owner (F13)', 'client-id', { mac: m2, clientId: DUID_ID }, m1],
  ['F55: an identifier of one octet is none', 'client-id', { mac: m3, options: option(61, 7) }, m3],
  ['hlen 0: the identifier', 'mac', { mac: m3, clientId: DUID_ID, header: { hlen: 0, chaddr: none.subarray(6) } }, `client-id:${DUID_ID}`],
  ['chaddr of zeros: the identifier', 'mac', { mac: m3, clientId: DUID_ID, header: { chaddr: none } }, `client-id:${DUID_ID}`],
  ['hlen 0 without identifier', 'mac', { mac: m3, header: { hlen: 0, chaddr: none.subarray(6) } }, 'no-identity'],
  ['chaddr of zeros without identifier', 'mac', { mac: m3, header: { chaddr: none } }, 'no-identity'],
  ['other hardware: its type and address', 'mac', { mac: m3, header: { htype: 32, hlen: 8, chaddr: Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8) } }, 'hw:32:0102030405060708'],
  ['Ethernet with eight octets is no MAC', 'mac', { mac: m3, header: { hlen: 8, chaddr: Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8) } }, 'hw:1:0102030405060708'],
]; // prettier-ignore

async function open(identity: 'mac' | 'client-id'): Promise<Served> {
  return Served.open({ text: file([{ mac: [m1, m2] }], { a: { identity } }) });
}

describe('identify', () => {
  for (const [title, identity, sent, owner] of rows)
    it(title, async () => {
      const server = await open(identity);
      const { verdict } = server.send({ type: 'inform', ...sent });
      expect(verdict.owner ?? verdict.reason).to.equal(owner);
      server.close();
    });

  it('F12: one machine with another client identifier at each boot stage has one address', async () => {
    const server = await open('mac');
    const addresses = [{}, { clientId: MAC_ID }, { clientId: DUID_ID }].map((more) => server.dora(m3, more));
    expect(new Set(addresses).size).to.equal(1);
    server.close();
  });

  it('a change to client-id leaves the interfaces that are there, and names new ones by it', async () => {
    const server = await open('mac');
    const held = server.dora(m3, { clientId: DUID_ID });
    await server.edit(file([{ mac: [m1, m2] }], { a: { identity: 'client-id' } }));
    expect(server.renew(m3, held, { clientId: DUID_ID })).to.include({ type: 'ACK', address: held });
    const other = `${DUID_ID}77`;
    expect(server.discover('02:00:00:00:00:09', { clientId: other }).verdict.owner).to.equal(`client-id:${other}`);
    server.close();
  });

  it('and so does a change to mac', async () => {
    const server = await open('client-id');
    const held = server.dora(m3, { clientId: DUID_ID });
    await server.edit(file([{ mac: [m1, m2] }], { a: { identity: 'mac' } }));
    expect(server.renew(m3, held, { clientId: DUID_ID })).to.include({ type: 'ACK', address: held });
    expect(server.discover('02:00:00:00:00:09', { clientId: `${DUID_ID}77` }).verdict.owner).to.equal(
      '02:00:00:00:00:09',
    );
    server.close();
  });
});
