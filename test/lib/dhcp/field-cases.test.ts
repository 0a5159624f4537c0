// Packets and sequences that broke servers in the field, by the numbers of the list; those that the conformance rows do not hold already.
import { expect } from 'chai';
import type { Owner } from '../../../lib/net/ids.js';
import { encode4 } from '../../../lib/wire/message4.js';
import { codesOf, octetsOf, option, relayInformation } from '../../support/octets.js';
import { m1, m2, m3, file } from '../../support/scenario.js';
import { HOUR, ip4, messageOf, MINUTE, SECOND, Served } from '../../support/served.js';

const m9 = '02:00:00:00:00:09';
const relayed = { giaddr: '10.20.0.254', source: '10.20.0.254' } as const;

describe('field cases (DHCPv4)', () => {
  let server: Served;
  const opened = async (...args: Parameters<typeof file>): Promise<Served> =>
    (server = await Served.open({ text: file(...args) }));
  afterEach(() => {
    server.close();
  });

  it('F02, F03: a lease, then a reservation elsewhere, without `reset` → the lease goes on, by every kind of REQUEST', async () => {
    await opened([]);
    const held = server.dora(m1);
    await server.edit(file([{ mac: m1, ipv4: '10.20.0.50' }]));
    const gots = [
      server.send({ type: 'request', mac: m1, requested: held }),
      server.renew(m1, held),
      server.renew(m1, held, { unicast: false }),
    ];
    for (const got of gots) expect(got).to.include({ type: 'ACK', address: held });
    expect(server.dora(m1)).to.equal(held);
    expect(server.send({ type: 'request', mac: m1, requested: '10.20.0.50' }).type).to.equal('NAK');
  });

  it('F04: a RENEW of another address than the static one → NAK, never an ACK of another address', async () => {
    await opened([{ mac: m1, ipv4: '10.20.0.207' }]);
    const got = server.renew(m1, '10.20.0.107');
    expect(got).to.include({ type: 'NAK', address: undefined });
    expect(got.verdict.answer?.to.kind).to.equal('broadcast');
  });

  it('F05: a NAK has none of 1, 3, 51, 58, 59, 66, 67, though the client asks for them', async () => {
    await opened([], { options: { 'tftp-server-name': 'tftp.example', 'bootfile-name': 'boot' } });
    server.dora(m3);
    const asks = option(55, 1, 3, 51, 58, 59, 66, 67);
    const nak = server.send({ type: 'request', mac: m3, requested: '10.20.0.111', options: asks });
    expect(codesOf(nak)).to.deep.equal([53, 54, 56]);
    expect([...(nak.reply?.chaddr ?? [])]).to.deep.equal([2, 0, 0, 0, 0, 3]);
  });

  it('F08: a stranger’s REQUEST for an address of ours, of somebody’s, of the gateway → silence', async () => {
    await opened([{ mac: m1, ipv4: '10.20.0.7' }]);
    for (const requested of ['10.20.0.100', '10.20.0.7', '10.20.0.254'])
      expect(server.send({ type: 'request', mac: m3, requested }), requested).to.include({ type: 'silent' });
  });

  it('F10: an offer outlives an edit that gives the address to another; the declarer is reported and gets it later', async () => {
    await opened([]);
    const offered = server.discover(m3).address ?? '';
    await server.edit(file([{ mac: m1, ipv4: offered }]));
    expect(server.told.at(-1)?.facts).to.include({ owner: m1, reason: 'address-taken' });
    expect(server.select(m3, offered)).to.include({ type: 'ACK', address: offered });
    expect(server.discover(m1)).to.include({ type: 'silent', reason: 'address-taken' });
    server.release(m3, offered);
    expect(server.dora(m1)).to.equal(offered);
  });

  it('F11: a REQUEST for another server without any DISCOVER → silence, nothing kept', async () => {
    await opened([]);
    expect(server.select(m3, '192.0.2.7', { server: '192.0.2.1' })).to.include({ type: 'silent' });
    expect(server.store.list()).to.deep.equal([]);
  });

  it('F15: an offer is held for a minute, for who only takes the OFFER', async () => {
    await opened([]);
    const offered = server.discover(m3).address;
    server.now += 59 * SECOND;
    expect(server.discover(m9).address).not.to.equal(offered);
    expect(server.discover(m3).address).to.equal(offered);
  });

  it('F16: several clients with one xid → each its own address', async () => {
    await opened([]);
    const header = { xid: 0x26f30339 };
    const macs = [m1, m2, m3];
    expect(macs.map((mac) => server.dora(mac, { header }))).to.deep.equal([
      '10.20.0.100',
      '10.20.0.101',
      '10.20.0.102',
    ]);
  });

  it('F31: options of length zero count as absent', async () => {
    await opened([], { a: { identity: 'client-id' } });
    const encoded = encode4(messageOf({ type: 'discover', mac: m3 }), 576);
    if (!encoded.ok) return expect.fail(encoded.reason);
    const bytes = encoded.value;
    bytes.set([12, 0, 61, 0, 50, 0, 55, 0, 53, 1, 1, 255], 240);
    const verdict = server.sendBytes(bytes);
    expect(verdict).to.include({ reason: 'offered', owner: m3 });
  });

  it('F33: pads before the message type', async () => {
    await opened([]);
    const encoded = encode4(messageOf({ type: 'discover', mac: m3 }), 576);
    if (!encoded.ok) return expect.fail(encoded.reason);
    encoded.value.set([0, 0, 0, 53, 1, 1, 255], 240);
    expect(server.sendBytes(encoded.value)).to.include({ reason: 'offered' });
  });

  it('F40: an empty option 82 is not echoed', async () => {
    await opened([]);
    const encoded = encode4(messageOf({ type: 'discover', mac: m3, ...relayed }), 576);
    if (!encoded.ok) return expect.fail(encoded.reason);
    encoded.value.set([53, 1, 1, 82, 0, 255], 240);
    const { answer } = server.sendBytes(encoded.value);
    expect(answer && [...answer.bytes.subarray(240)]).not.to.include(82);
  });

  it('F40: option 82 in the answer to INIT-REBOOT, ACK or NAK', async () => {
    await opened([]);
    const options = new Map([[82, relayInformation([1, [1, 2]])]]);
    const address = server.dora(m3, { ...relayed, options });
    for (const requested of [address, '10.20.0.111'])
      expect(codesOf(server.send({ type: 'request', mac: m3, requested, ...relayed, options })).at(-1)).to.equal(82);
  });

  it('F41: a small relayed reply has 300 octets', async () => {
    await opened([], { a: { gateway: [] } });
    expect(octetsOf(server.discover(m3, { ...relayed, options: option(55, 1) })).length).to.equal(300);
  });

  it('F43: DECLINE of an ended lease or of another’s address changes nothing and counts for nothing', async () => {
    await opened([]);
    const held = server.dora(m3);
    for (let i = 0; i < 5; i++) expect(server.decline(m9, held).reason).to.equal('not-holder');
    server.now += HOUR;
    expect(server.decline(m3, held).reason).to.equal('not-holder');
    await server.expire();
    expect(server.decline(m3, held).reason).to.equal('not-holder');
    expect(server.store.holds()).to.deep.equal([]);
    expect(server.dora(m3), 'and it is had again').to.equal(held);
    expect(server.decline(m3, held).reason).to.equal('declined');
  });

  it('F44: a fixed address that was declined is its owner’s again half a minute later', async () => {
    await opened([{ mac: m1, ipv4: '10.20.0.7' }]);
    server.dora(m1);
    server.decline(m1, '10.20.0.7');
    server.now += 30 * SECOND;
    expect(server.dora(m1)).to.equal('10.20.0.7');
  });

  it('F45: RELEASE twice → the second changes nothing', async () => {
    await opened([]);
    const held = server.dora(m3);
    expect(server.release(m3, held).reason).to.equal('released');
    const rows = server.store.history({ owner: m3 as Owner });
    expect(server.release(m3, held).reason).to.equal('not-holder');
    expect(server.store.history({ owner: m3 as Owner }), 'nothing is journaled').to.deep.equal(rows);
    expect(server.dora(m9, { requested: held })).to.equal(held);
    expect(server.release(m3, held).reason, 'nor for the next holder').to.equal('not-holder');
    expect(server.standing(m9)).to.equal(`lease ${held} dynamic@1`);
  });

  it('F49: a link without an address and no server-id → nothing is answered and nothing bound; with one → served', async () => {
    await opened([]);
    const encoded = encode4(
      messageOf({ type: 'request', mac: m3, requested: '10.20.0.100', server: '10.20.0.1', ...relayed }),
      576,
    );
    if (!encoded.ok) return expect.fail(encoded.reason);
    const bare = { link: { name: 'eth9', addresses: [] }, source: ip4('10.20.0.254'), broadcast: false };
    expect(server.sendBytes(encoded.value, bare)).to.include({ reason: 'no-network', answer: undefined });
    expect(server.store.list()).to.deep.equal([]);
    await server.edit(file([], { server: { 'server-id': '10.20.0.1' } }));
    expect(server.sendBytes(encoded.value, bare)).to.include({ reason: 'granted', answered: 'ACK' });
  });

  it('F50: lease times of one second and of eternity are kept within bounds', async () => {
    await opened([]);
    const ends = (...seconds: readonly number[]): number => {
      const held = server.dora(m3, { options: option(51, ...seconds) });
      expect(held).to.equal('10.20.0.100');
      const end = server.store.list()[0]?.binding?.end ?? expect.fail('no end');
      return end - server.now;
    };
    expect(ends(0, 0, 0, 1)).to.equal(5 * MINUTE);
    expect(ends(255, 255, 255, 255)).to.equal(24 * HOUR);
  });

  it('F51: whatever stands in secs → the same', async () => {
    await opened([]);
    for (const secs of [0, 4, 0x0400, 0xffff]) expect(server.discover(m3, { header: { secs } }).type).to.equal('OFFER');
  });

  it('F52: a REQUEST with neither option 50 nor ciaddr → NAK', async () => {
    await opened([]);
    expect(server.send({ type: 'request', mac: m3 })).to.include({ type: 'NAK', reason: 'wrong-address' });
  });

  it('F59: a client that moves to another network and back resumes its lease', async () => {
    server = await Served.open({ text: file([], { b: {} }), links: { eth0: '10.20.0.1', eth1: '10.30.0.1' } });
    const held = server.dora(m3);
    server.dora(m3, { link: 'eth1' });
    expect(server.send({ type: 'request', mac: m3, requested: held })).to.include({ type: 'ACK', address: held });
  });
});
