// What relays add and do: the server identifier of theirs, two of option 82 in one message, and the copies that they make.
import { expect } from 'chai';
import { optionsInOrder, octetsOf, option, relayInformation } from '../../support/octets.js';
import { m1, m3, file, links } from '../../support/scenario.js';
import type { Got, Sent } from '../../support/served.js';
import { ip4, messageOf, Served } from '../../support/served.js';
import { encode4 } from '../../../lib/wire/message4.js';

const [CIRCUIT, OVERRIDE] = [1, 11];
const SERVER = 54;
const RELAY = 82;

const text = file([{ mac: m1, ipv4: '10.20.0.7' }], { a: { relays: ['10.20.0.254', '192.0.2.254'] }, b: {} });

/** From a listed relay that wants to be taken for the server. */
const asServer: Partial<Sent> = {
  giaddr: '10.20.0.254',
  source: '10.20.0.254',
  sourcePort: 67,
  options: overriding(10, 20, 0, 254),
};

function overriding(...address: readonly number[]): ReadonlyMap<number, Uint8Array> {
  return new Map([[RELAY, relayInformation([CIRCUIT, [7]], [OVERRIDE, address])]]);
}

function serverIn(got: Got): string {
  return [...(got.reply?.options.get(SERVER) ?? [])].join('.');
}

describe('relays', () => {
  let server: Served;
  beforeEach(async () => {
    server = await Served.open({ text, links });
  });
  afterEach(() => {
    server.close();
  });

  it('conformance 36: the relay’s server identifier is the one in every reply, and a REQUEST that names it is granted', () => {
    const offer = server.discover(m3, asServer);
    expect(serverIn(offer)).to.equal('10.20.0.254');
    const ack = server.select(m3, offer.address ?? '', { ...asServer, server: '10.20.0.254' });
    expect(ack).to.include({ type: 'ACK', address: offer.address });
    const inform = server.send({ type: 'inform', mac: m3, ...asServer });
    const nak = server.send({ type: 'request', mac: m3, requested: '10.20.0.111', ...asServer });
    expect([ack, inform, nak].map((got) => [got.type, serverIn(got)])).to.deep.equal([
      ['ACK', '10.20.0.254'],
      ['ACK', '10.20.0.254'],
      ['NAK', '10.20.0.254'],
    ]);
  });

  it('conformance 36: also where the file names a server identifier, which a client may still use', async () => {
    await server.edit(`server: {server-id: 192.0.2.1}\n${text}`);
    const offer = server.discover(m3, asServer);
    expect(serverIn(offer)).to.equal('10.20.0.254');
    const ack = server.select(m3, offer.address ?? '', { ...asServer, server: '192.0.2.1' });
    expect([ack.type, serverIn(ack)]).to.deep.equal(['ACK', '10.20.0.254']);
  });

  it('conformance 36: RENEW, RELEASE and DECLINE come by the relay and count', () => {
    const told = { ...asServer, server: '10.20.0.254' };
    const address = server.dora(m3, told);
    const renewed = server.send({ type: 'request', mac: m3, ciaddr: address, ...asServer });
    expect(renewed).to.include({ type: 'ACK', address, reason: 'renewed' });
    expect(serverIn(renewed)).to.equal('10.20.0.254');
    expect(renewed.verdict.answer?.to).to.deep.equal({ kind: 'unicast', address: ip4('10.20.0.254'), port: 67 });
    expect(server.send({ type: 'release', mac: m3, ciaddr: address, ...told }).reason).to.equal('released');
    const again = server.dora(m3, told);
    expect(server.decline(m3, again, told).reason).to.equal('declined');
  });

  it('conformance 36: a REQUEST that names the relay without the sub-option, or another than it says, is not for us', () => {
    const { address = '' } = server.discover(m3, asServer);
    const options = option(RELAY, CIRCUIT, 1, 7);
    for (const more of [
      { ...asServer, server: '10.20.0.254', options },
      { ...asServer, server: '10.20.0.253' },
    ])
      expect(server.select(m3, address, more)).to.include({ type: 'silent', reason: 'not-for-us' });
  });

  it('conformance 36: a REQUEST that names the relay may be for another server behind it: no NAK to a stranger', async () => {
    const told = { ...asServer, server: '10.20.0.254' };
    expect(server.select(m3, '10.20.0.222', told)).to.include({ type: 'silent', reason: 'unknown-client' });
    expect(server.select(m3, '10.20.0.222', asServer).type, 'it names us').to.equal('NAK');
    const { address = '' } = server.discover(m3, asServer);
    expect(server.select(m3, '10.20.0.222', told).type, 'it has an offer of ours').to.equal('NAK');
    await server.restart();
    expect(server.select(m3, address, told), 'our offer, which we forgot').to.include({ type: 'ACK', address });
    expect(server.select(m3, '10.20.0.222', told).type, 'it is known').to.equal('NAK');
  });

  /** What the OFFER names as its server, or why there is none; and what becomes of a REQUEST that names the relay. */
  const ignored: readonly (readonly [title: string, more: Partial<Sent>, offered: string, requested: string])[] = [
    ['from an unlisted source', { source: '10.20.0.9' }, 'untrusted-relay', 'untrusted-relay'],
    [
      'from a relay of a network that lists none',
      { giaddr: '10.30.0.254', source: '10.30.0.254' },
      '10.20.0.1',
      'not-for-us',
    ],
    ['without giaddr', { giaddr: '0.0.0.0' }, '10.20.0.1', 'not-for-us'],
    ['of three octets', { options: overriding(10, 20, 0) }, '10.20.0.1', 'not-for-us'],
    ['of 0.0.0.0', { options: overriding(0, 0, 0, 0) }, '10.20.0.1', 'not-for-us'],
  ];
  for (const [title, more, offered, requested] of ignored)
    it(`a server identifier ${title} counts for nothing`, () => {
      const got = server.discover(m3, { ...asServer, ...more });
      expect(got.reply === undefined ? got.reason : serverIn(got)).to.equal(offered);
      const named = server.select(m3, got.address ?? '10.20.0.100', { ...asServer, ...more, server: '10.20.0.254' });
      expect(named).to.include({ type: 'silent', reason: requested });
    });

  it('from loopback it counts', () => {
    const got = server.discover(m3, { ...asServer, source: '127.0.0.1' });
    expect(serverIn(got)).to.equal('10.20.0.254');
  });

  it('conformance 29: two of option 82 in one message are echoed as they came, and the first of a kind counts', () => {
    const near = relayInformation([CIRCUIT, [1, 2, 3]], [OVERRIDE, [10, 20, 0, 254]]);
    const far = relayInformation([CIRCUIT, [9]], [OVERRIDE, [192, 0, 2, 254]]);
    const encoded = encode4(
      messageOf({ type: 'discover', mac: m3, ...asServer, options: new Map([[RELAY, near]]) }),
      1472,
    );
    if (!encoded.ok) return expect.fail(encoded.reason);
    const end = encoded.value.indexOf(255, 240);
    const bytes = Uint8Array.from([...encoded.value.subarray(0, end), RELAY, far.length, ...far, 255]);
    const verdict = server.sendBytes(bytes, { source: ip4('192.0.2.254'), sourcePort: 67, broadcast: false });
    const reply = verdict.answer?.bytes ?? expect.fail(verdict.reason);
    const options = optionsInOrder(reply);
    expect(options.slice(-2)).to.deep.equal([
      [RELAY, [...near]],
      [RELAY, [...far]],
    ]);
    expect(options.find(([code]) => code === SERVER)).to.deep.equal([SERVER, [10, 20, 0, 254]]);
  });

  it('hops are of no interest: a message that passed many relays is answered with none', () => {
    const got = server.discover(m3, { ...asServer, header: { hops: 255 } });
    expect(got.type).to.equal('OFFER');
    expect(octetsOf(got)[3]).to.equal(0);
  });

  it('F45: a routed RELEASE comes again by the relays that saw it pass: the first counts', () => {
    const address = server.dora(m3, asServer);
    const copies = [
      server.release(m3, address, { server: '10.20.0.1' }),
      server.release(m3, address, { ...asServer, unicast: false }),
      server.release(m3, address, { ...asServer, unicast: false, header: { hops: 2 } }),
    ];
    expect(copies.map(({ reason }) => reason)).to.deep.equal(['released', 'not-holder', 'not-holder']);
    expect(server.standing(m3)).to.equal('none dynamic@1');
    const fixed = server.dora(m1, asServer);
    for (let i = 0; i < 3; i++) expect(server.release(m1, fixed, asServer).reason).to.equal('static-kept');
    expect(server.standing(m1)).to.equal('static 10.20.0.7 fixed@1');
  });

  it('F45: a copy of a RELEASE that comes late takes nothing from who got the address next', () => {
    const address = server.dora(m3, asServer);
    server.release(m3, address);
    const next = '02:00:00:00:00:09';
    expect(server.dora(next, { ...asServer, requested: address })).to.equal(address);
    expect(server.release(m3, address, { ...asServer, unicast: false }).reason).to.equal('not-holder');
    expect(server.standing(next)).to.equal(`lease ${address} dynamic@1`);
  });

  it('a routed RENEW and its copy by the relay get the same answer, each by its own way', () => {
    const address = server.dora(m3, asServer);
    const [routed, relayed] = [server.renew(m3, address), server.renew(m3, address, asServer)];
    expect([routed, relayed].map(({ type, address: given }) => [type, given])).to.deep.equal([
      ['ACK', address],
      ['ACK', address],
    ]);
    expect([routed, relayed].map(({ verdict }) => verdict.answer?.to)).to.deep.equal([
      { kind: 'unicast', address: ip4(address), port: 68 },
      { kind: 'unicast', address: ip4('10.20.0.254'), port: 67 },
    ]);
  });
});
