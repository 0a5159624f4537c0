// What the RFCs say of a reply, row by row with the numbers of the conformance list.
import { expect } from 'chai';
import { formatIp } from '../../../lib/net/ip.js';
import { codesOf, octetsOf, option, optionsInOrder, relayInformation } from '../../support/octets.js';
import { m1, m2, m3, file, links } from '../../support/scenario.js';
import type { Got, Sent } from '../../support/served.js';
import { ip4, Served } from '../../support/served.js';

const m9 = '02:00:00:00:00:09';
const [MASK, ROUTER, DNS, HOST, DOMAIN, BROADCAST, NTP] = [1, 3, 6, 12, 15, 28, 42];
const [REQUESTED, TIME, TYPE, SERVER, LIST, T1, T2, ID, RELAY] = [50, 51, 53, 54, 55, 58, 59, 61, 82];

/** m1 is fixed, m2 retained; everybody gets names, network a has a router, and node1 a domain of its own. */
const text = `${file([], {
  a: { relays: ['10.20.0.254'], options: { 'ntp-servers': '10.20.0.3' } },
  b: {},
  options: { 'domain-name-servers': '10.20.0.2', 'domain-name': 'rack1.example' },
})}machines:
  - {name: node1, options: {domain-name: one.example}, interfaces: [{mac: "${m1}", ipv4: 10.20.0.7}]}
  - {name: node2, interfaces: [{mac: "${m2}", policy: retained}]}
`;

const relayed: Partial<Sent> = { giaddr: '10.20.0.254', source: '10.20.0.254', sourcePort: 67 };
const asks = (...codes: readonly number[]): Partial<Sent> => ({ options: option(LIST, ...codes) });
const ascii = (value: readonly number[] | Uint8Array | undefined): string => String.fromCharCode(...(value ?? []));

/** One of each kind of reply to m3, who holds 10.20.0.100. */
function replies(server: Served, more: Partial<Sent> = {}): Readonly<Record<'offer' | 'ack' | 'inform' | 'nak', Got>> {
  const offer = server.discover(m3, more);
  const ack = server.select(m3, offer.address ?? '', more);
  const inform = server.send({ type: 'inform', mac: m3, ...more });
  const nak = server.send({ type: 'request', mac: m3, requested: '10.20.0.111', ...more });
  expect([offer, ack, inform, nak].map(({ type }) => type)).to.deep.equal(['OFFER', 'ACK', 'ACK', 'NAK']);
  return { offer, ack, inform, nak };
}

function destination(got: Got): string {
  const to = got.verdict.answer?.to ?? expect.fail(`no answer: ${got.reason}`);
  return 'address' in to ? `${to.kind} ${formatIp(to.address)}:${to.port}` : `${to.kind}:${to.port}`;
}

describe('conformance (DHCPv4)', () => {
  let server: Served;
  beforeEach(async () => {
    server = await Served.open({ text, links });
  });
  afterEach(() => {
    server.close();
  });

  it('conformance 2: giaddr set → every reply to giaddr port 67', () => {
    for (const got of Object.values(replies(server, relayed)))
      expect(destination(got)).to.equal('unicast 10.20.0.254:67');
  });

  it('conformance 3: giaddr 0, ciaddr set → unicast to ciaddr', () => {
    const address = server.dora(m3);
    expect(destination(server.renew(m3, address))).to.equal('unicast 10.20.0.100:68');
    const rebind = server.renew(m3, address, { unicast: false, flags: 0x8000 });
    expect(destination(rebind), 'REBIND too, whatever B says').to.equal('unicast 10.20.0.100:68');
  });

  it('conformance 4: both 0, B set → broadcast; B clear → a frame to yiaddr and chaddr', () => {
    expect(destination(server.discover(m3, { flags: 0x8000 }))).to.equal('broadcast:68');
    const clear = server.discover(m3);
    expect(destination(clear)).to.equal('frame 10.20.0.100:68');
    expect(clear.verdict.answer?.to).to.include({ mac: m3 });
    const noMac = { hlen: 0, chaddr: new Uint8Array(0) };
    const id = server.discover(m3, { clientId: 'ff0102030405', header: noMac });
    expect(destination(id), 'no Ethernet address to send to').to.equal('broadcast:68');
  });

  it('conformance 5, F05: a NAK with giaddr 0 always to everybody', () => {
    const { nak } = replies(server);
    expect(destination(nak)).to.equal('broadcast:68');
    expect(destination(server.renew(m3, '10.20.0.111')), 'also to a RENEW').to.equal('broadcast:68');
  });

  it('conformance 6, F06: a relayed NAK has the B bit, whatever the request had', () => {
    expect(replies(server, relayed).nak.reply?.flags).to.equal(0x8000);
    expect(server.send({ type: 'request', mac: m3, requested: '10.20.0.111' }).reply?.flags, 'not relayed').to.equal(0);
  });

  it('conformance 7: the lease time in OFFER and ACK, not in the ACK of an INFORM nor in a NAK', () => {
    const { offer, ack, inform, nak } = replies(server);
    for (const got of [offer, ack])
      expect([TIME, T1, T2].map((code) => [...(got.reply?.options.get(code) ?? [])])).to.deep.equal([
        [0, 0, 0x0e, 0x10],
        [0, 0, 0x07, 0x08],
        [0, 0, 0x0c, 0x4e],
      ]);
    for (const got of [inform, nak]) expect(codesOf(got)).not.to.include(TIME);
  });

  it('conformance 8: no reply has options 50 or 55', () => {
    const more = asks(MASK, REQUESTED, LIST, TIME);
    for (const got of Object.values(replies(server, more))) {
      expect(codesOf(got)).not.to.include(REQUESTED);
      expect(codesOf(got)).not.to.include(LIST);
    }
  });

  it('conformance 9, F07: every reply names the server by option 54, early', () => {
    for (const got of Object.values(replies(server))) {
      expect(codesOf(got).slice(0, 2)).to.deep.equal([TYPE, SERVER]);
      expect([...(got.reply?.options.get(SERVER) ?? [])]).to.deep.equal([10, 20, 0, 1]);
    }
  });

  it('a configured server-id is the one in option 54, on any link', async () => {
    await server.edit(`server: {server-id: 192.0.2.1}\n${text}`);
    const got = server.discover(m3, { link: 'eth1' });
    expect([...(got.reply?.options.get(SERVER) ?? [])]).to.deep.equal([192, 0, 2, 1]);
    expect(server.select(m3, got.address ?? '', { link: 'eth1', server: '192.0.2.1' }).type).to.equal('ACK');
  });

  it('conformance 10, F17: xid, flags, giaddr and chaddr come from the request; a NAK has no addresses', () => {
    const header = { xid: 0xdeadbeef, secs: 9, hops: 1 };
    const { offer, ack, inform, nak } = replies(server, { ...relayed, flags: 0x8000, header });
    for (const { reply } of [offer, ack, inform, nak]) {
      expect(reply).to.include({ op: 2, htype: 1, hlen: 6, hops: 0, xid: 0xdeadbeef, secs: 0, flags: 0x8000 });
      expect(reply).to.include({ giaddr: ip4('10.20.0.254'), siaddr: 0 });
      expect([...(reply?.chaddr ?? [])]).to.deep.equal([2, 0, 0, 0, 0, 3]);
    }
    expect(nak.reply).to.include({ yiaddr: 0, ciaddr: 0, siaddr: 0 });
    const address = server.discover(m3).address ?? '';
    expect(server.renew(m3, address).reply, 'an ACK copies ciaddr').to.include({ ciaddr: ip4(address) });
    expect(server.renew(m3, '10.20.0.111').reply, 'a NAK does not').to.include({ yiaddr: 0, ciaddr: 0 });
  });

  it('conformance 11, F05: a NAK has nothing in sname and file, and only the protocol’s options', () => {
    const { nak } = replies(server, asks(MASK, ROUTER, DNS, 66, 67));
    expect(
      octetsOf(nak)
        .subarray(44, 236)
        .every((octet) => octet === 0),
    ).to.be.true;
    expect(codesOf(nak)).to.deep.equal([TYPE, SERVER, 56]);
    expect(ascii(nak.reply?.options.get(56))).to.equal('10.20.0.111 is not your address');
  });

  it('conformance 12: what is asked for and configured is given, once; the rest is left out', () => {
    const got = server.discover(m1, asks(DNS, DOMAIN, DNS, HOST, 66, NTP));
    expect(codesOf(got)).to.deep.equal([TYPE, SERVER, TIME, T1, T2, MASK, DNS, DOMAIN, NTP]);
    expect(ascii(got.reply?.options.get(DOMAIN)), 'the machine’s own').to.equal('one.example');
    expect(ascii(server.discover(m2, asks(DOMAIN)).reply?.options.get(DOMAIN))).to.equal('rack1.example');
  });

  it('conformance 12: all that is configured, where the client asks for nothing in particular', () => {
    const codes = codesOf(server.discover(m1));
    expect(codes.slice(5)).to.have.members([MASK, ROUTER, BROADCAST, DNS, DOMAIN, NTP]);
    expect(new Set(codes).size).to.equal(codes.length);
  });

  it('conformance 13, F08: INIT-REBOOT without a record of the client → silence', () => {
    expect(server.send({ type: 'request', mac: m3, requested: '10.20.0.100' })).to.include({
      type: 'silent',
      reason: 'unknown-client',
    });
    expect(server.standing(m3)).to.equal(undefined);
  });

  it('conformance 14, F07: INIT-REBOOT with a wrong address, or one of another network → NAK', () => {
    server.dora(m3);
    for (const requested of ['10.20.0.111', '10.30.0.100', '192.0.2.1'])
      expect(server.send({ type: 'request', mac: m3, requested }).type, requested).to.equal('NAK');
    const stranger = server.send({ type: 'request', mac: m9, requested: '192.0.2.1' });
    expect(stranger, 'also to a stranger, where the network is wrong').to.include({ type: 'NAK' });
  });

  it('conformance 15, F11: another server was chosen → silence, and our offer is free again', () => {
    const { address } = server.discover(m3);
    expect(server.select(m3, '10.20.0.200', { server: '10.20.0.66' }).type).to.equal('silent');
    expect(server.discover(m9).address).to.equal(address);
  });

  it('conformance 16: RENEW and REBIND by ciaddr alone', () => {
    const address = server.dora(m3);
    for (const unicast of [true, false])
      expect(server.renew(m3, address, { unicast })).to.include({ type: 'ACK', address });
  });

  it('conformance 17: a declined address is given to nobody', () => {
    const address = server.dora(m3);
    server.decline(m3, address);
    expect(server.dora(m3)).to.equal('10.20.0.101');
    expect(server.discover(m9, { requested: address }).address).to.equal('10.20.0.102');
    expect(server.select(m9, address).type).to.equal('NAK');
  });

  it('conformance 18, F42: INFORM → ACK to ciaddr, without lease time and yiaddr', () => {
    const got = server.send({ type: 'inform', mac: m3, ciaddr: '10.20.0.50', ...asks(DNS, TIME) });
    expect(destination(got)).to.equal('unicast 10.20.0.50:68');
    expect(got.reply).to.include({ yiaddr: 0, ciaddr: ip4('10.20.0.50') });
    expect(codesOf(got)).to.deep.equal([TYPE, SERVER, MASK, DNS]);
  });

  it('F42: a relayed INFORM without ciaddr → ACK to the relay', () => {
    const got = server.send({ type: 'inform', mac: m3, ...relayed, ...asks(DNS) });
    expect(destination(got)).to.equal('unicast 10.20.0.254:67');
    expect(codesOf(got)).to.deep.equal([TYPE, SERVER, DNS]);
  });

  it('conformance 19: INFORM looks no lease up: the same for who has one', () => {
    const informed = (): readonly number[] => codesOf(server.send({ type: 'inform', mac: m3, ciaddr: '10.20.0.50' }));
    const before = informed();
    server.dora(m3);
    expect(informed()).to.deep.equal(before);
    expect(server.standing(m3)).to.equal('lease 10.20.0.100 dynamic@1');
  });

  it('conformance 20: any own address is taken as server identifier', () => {
    const address = server.discover(m3).address ?? '';
    expect(server.select(m3, address, { server: '10.30.0.1' }).type).to.equal('ACK');
    expect(server.release(m3, address, { server: '10.30.0.1' }).reason).to.equal('released');
  });

  it('conformance 23: the subnet mask before the router, also where the client asks the other way round', () => {
    for (const more of [asks(ROUTER, MASK), asks(ROUTER), {}]) {
      const codes = codesOf(server.discover(m3, more));
      expect(codes.indexOf(MASK)).to.be.greaterThan(0).and.lessThan(codes.indexOf(ROUTER));
    }
  });

  it('conformance 24: otherwise in the order in which the client asks', () => {
    expect(codesOf(server.discover(m3, asks(NTP, DOMAIN, ROUTER, DNS))).slice(5)).to.deep.equal([
      MASK,
      NTP,
      DOMAIN,
      ROUTER,
      DNS,
    ]);
  });

  it('conformance 26, F41: at least 300 octets, pads after END; reserved flag bits are zero', () => {
    const { offer, ack, inform, nak } = replies(server, { ...relayed, flags: 0xffff });
    for (const got of [offer, ack, inform, nak]) {
      const bytes = octetsOf(got);
      expect(bytes.length).to.be.at.least(300);
      expect(afterEndIsPadding(bytes)).to.be.true;
      expect(got.reply?.flags).to.equal(0x8000);
    }
    expect(octetsOf(nak).length, 'the shortest is padded').to.equal(300);
  });

  it('conformance 27, F53: BOOTP with cookie and END → a BOOTP reply without options of DHCP', () => {
    const got = server.send({ mac: m1 });
    expect(got).to.include({ type: 'BOOTREPLY', address: '10.20.0.7' });
    expect(codesOf(got)).to.have.members([MASK, ROUTER, BROADCAST, DNS, DOMAIN, NTP]);
    expect(octetsOf(got).length).to.be.at.least(300);
  });

  it('conformance 27: BOOTP without cookie → a reply without options', () => {
    const got = server.send({ mac: m1, header: { cookie: false } });
    expect(got).to.include({ type: 'BOOTREPLY', address: '10.20.0.7' });
    expect(
      octetsOf(got)
        .subarray(236)
        .every((octet) => octet === 0),
    ).to.be.true;
  });

  it('conformance 28: the client identifier comes back unaltered', () => {
    const clientId = 'ff0102030400030001020000000003';
    for (const got of Object.values(replies(server, { clientId }))) {
      expect(optionsInOrder(octetsOf(got)).filter(([code]) => code === ID)).to.deep.equal([
        [ID, [...Buffer.from(clientId, 'hex')]],
      ]);
    }
    for (const got of Object.values(replies(server))) expect(codesOf(got), 'none for none').not.to.include(ID);
  });

  const circuit = relayInformation([1, [1, 2, 3]], [2, [...Buffer.from('switch-7')]]);

  it('conformance 29, 30, F40: option 82 comes back whole in every reply, last before END', () => {
    const more = { ...relayed, options: new Map([[RELAY, circuit]]) };
    const reboot = { type: 'request', mac: m3, requested: '10.20.0.100', ...more } as const;
    for (const got of [
      ...Object.values(replies(server, more)),
      server.send(reboot),
      server.send({ mac: m1, ...more }),
    ]) {
      expect(optionsInOrder(octetsOf(got)).at(-1)).to.deep.equal([RELAY, [...circuit]]);
      expect(afterEndIsPadding(octetsOf(got))).to.be.true;
    }
  });

  it('conformance 30: and never in sname or file, however full the message is', async () => {
    const long = ['tftp-server-name', 'root-path', 'merit-dump', 'nis-domain'].map(
      (name) => `${name}: ${'x'.repeat(60)}`,
    );
    await server.edit(text.replace('domain-name: one.example', long.join(', ')));
    const got = server.discover(m1, { ...relayed, options: new Map([[RELAY, circuit]]) });
    expect(codesOf(got), 'options moved into file').to.include(52);
    expect(optionsInOrder(octetsOf(got)).at(-1)).to.deep.equal([RELAY, [...circuit]]);
  });

  it('conformance 31: what does not fit is left out whole, and said', () => {
    server.dora(m3, relayed);
    const options = new Map([[RELAY, relayInformation([1, Array<number>(251).fill(7)])]]);
    const sent = { type: 'request', mac: m3, requested: '10.20.0.111', clientId: `ff${'00'.repeat(20)}` } as const;
    const got = server.send({ ...sent, ...relayed, options });
    expect(got.type).to.equal('NAK');
    expect(codesOf(got)).to.deep.equal([TYPE, SERVER, 56, ID]);
    expect(got.verdict.beside).to.equal('relay-info-omitted');
  });

  it('conformance 32: who was bound by a relay with option 82 renews without it', () => {
    const address = server.dora(m3, { ...relayed, options: new Map([[RELAY, circuit]]) });
    const got = server.renew(m3, address);
    expect(got).to.include({ type: 'ACK', address });
    expect(codesOf(got)).not.to.include(RELAY);
  });

  it('conformance 37: the relay’s own port, where it says so', () => {
    const port = (value: Uint8Array): string =>
      destination(server.discover(m3, { ...relayed, sourcePort: 40_001, options: new Map([[RELAY, value]]) }));
    expect(port(relayInformation([1, [7]], [19, []]))).to.equal('unicast 10.20.0.254:40001');
    expect(port(relayInformation([1, [7]]))).to.equal('unicast 10.20.0.254:67');
  });

  it('conformance 37: it counts from a listed relay only', () => {
    const options = new Map([[RELAY, relayInformation([19, []])]]);
    const unlisted = { giaddr: '10.30.0.254', source: '10.30.0.254', sourcePort: 40_001, options };
    expect(destination(server.discover(m3, unlisted))).to.equal('unicast 10.30.0.254:67');
  });
});

function afterEndIsPadding(bytes: Uint8Array): boolean {
  const used = optionsInOrder(bytes).reduce((sum, [, value]) => sum + 2 + value.length, 240);
  return bytes[used] === 255 && bytes.subarray(used + 1).every((octet) => octet === 0);
}
