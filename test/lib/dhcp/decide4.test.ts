// What a DHCPv4 client gets in each state: rows of what came before, the message, and the answer with what is written.
import { expect } from 'chai';
import type { Change } from '../../../lib/ipam/model.js';
import { formatIp } from '../../../lib/net/ip.js';
import { m1, m2, m3, file, links } from '../../support/scenario.js';
import { option } from '../../support/octets.js';
import type { Sent } from '../../support/served.js';
import { HOUR, MINUTE, SECOND, Served } from '../../support/served.js';

/** m1 is fixed, m2 retained, m3 undeclared; the pool of a begins at .100, that of b likewise. */
const text = file(
  [
    { mac: m1, ipv4: '10.20.0.7' },
    { mac: m2, policy: 'retained' },
  ],
  { b: {} },
);
const FOREIGN = '10.20.0.99';

interface Row {
  readonly title: string;
  readonly given?: (server: Served) => void;
  readonly sent: Sent;
  /** Type and address, or silence with its reason. */
  readonly then: string;
  /** What is written: kinds of change, with address, kind of binding or of hold. */
  readonly changes?: readonly string[];
}

function shown(change: Change): string {
  switch (change.kind) {
    case 'bind':
      return `bind ${change.binding} ${formatIp(change.address)}, ${change.pin} pin`;
    case 'unbind':
    case 'idle':
      return `${change.kind} ${change.event}`;
    case 'hold':
      return `${change.hold.kind} ${formatIp(change.hold.address)}`;
    case 'offer':
    case 'withdraw':
      return `${change.kind} ${formatIp(change.offer.address)}`;
    default:
      return change.kind;
  }
}

const discover = (mac: string, more: Partial<Sent> = {}): Sent => ({ type: 'discover', mac, ...more });
const request = (mac: string, more: Partial<Sent>): Sent => ({ type: 'request', mac, ...more });
const selecting = (mac: string, requested: string, server = '10.20.0.1'): Sent => request(mac, { requested, server });
const renew = (mac: string, ciaddr: string): Sent => request(mac, { ciaddr, source: ciaddr, unicast: true });

const doraM3 = (server: Served): void => void server.dora(m3);

const tables: Readonly<Record<string, readonly Row[]>> = {
  'DISCOVER (RFC 2131 §4.3.1)': [
    { title: 'a stranger', sent: discover(m3), then: 'OFFER 10.20.0.100', changes: ['offer 10.20.0.100'] },
    { title: 'again', given: (s) => void s.discover(m3), sent: discover(m3), then: 'OFFER 10.20.0.100', changes: ['offer 10.20.0.100'] },
    { title: 'another one meanwhile', given: (s) => void s.discover(m3), sent: discover('02:00:00:00:00:09'), then: 'OFFER 10.20.0.101', changes: ['offer 10.20.0.101'] },
    { title: 'another one when the offer is over', given: (s) => { s.discover(m3); s.now += MINUTE; }, sent: discover('02:00:00:00:00:09'), then: 'OFFER 10.20.0.100', changes: ['offer 10.20.0.100'] },
    { title: 'with a wish that is free', sent: discover(m3, { requested: '10.20.0.150' }), then: 'OFFER 10.20.0.150', changes: ['offer 10.20.0.150'] },
    { title: 'with a wish outside the pool', sent: discover(m3, { requested: '10.20.0.50' }), then: 'OFFER 10.20.0.100', changes: ['offer 10.20.0.100'] },
    { title: 'with a wish in another network', sent: discover(m3, { requested: '10.30.0.100' }), then: 'OFFER 10.20.0.100', changes: ['offer 10.20.0.100'] },
    { title: 'who holds a lease', given: doraM3, sent: discover(m3, { requested: '10.20.0.150' }), then: 'OFFER 10.20.0.100', changes: [] },
    { title: 'whose lease is over: the previous address', given: (s) => { s.dora(m3, { requested: '10.20.0.150' }); s.now += HOUR; }, sent: discover(m3), then: 'OFFER 10.20.0.150', changes: ['offer 10.20.0.150'] },
    { title: 'whose fixed address was bound before', sent: discover(m1), then: 'OFFER 10.20.0.7', changes: [] },
  ],
  'REQUEST that answers an OFFER': [
    { title: 'ours, as offered', given: (s) => void s.discover(m3), sent: selecting(m3, '10.20.0.100'), then: 'ACK 10.20.0.100', changes: ['bind lease 10.20.0.100, make pin'] },
    { title: 'retained', given: (s) => void s.discover(m2), sent: selecting(m2, '10.20.0.100'), then: 'ACK 10.20.0.100', changes: ['bind static 10.20.0.100, make pin'] },
    { title: 'ours, another address than offered', given: (s) => void s.discover(m3), sent: selecting(m3, '10.20.0.101'), then: 'NAK wrong-address', changes: [] },
    { title: 'ours, without an OFFER that we remember', sent: selecting(m3, '10.20.0.150'), then: 'ACK 10.20.0.150', changes: ['bind lease 10.20.0.150, make pin'] },
    { title: 'ours, of another network', sent: selecting(m3, '10.30.0.100'), then: 'NAK wrong-network', changes: [] },
    { title: 'by another address of ours', given: (s) => void s.discover(m3), sent: selecting(m3, '10.20.0.100', '10.30.0.1'), then: 'ACK 10.20.0.100', changes: ['bind lease 10.20.0.100, make pin'] },
    { title: 'of another server: our offer is dropped', given: (s) => void s.discover(m3), sent: selecting(m3, '10.20.0.180', FOREIGN), then: 'silent not-for-us', changes: ['withdraw 10.20.0.100'] },
    { title: 'of another server, without an OFFER of ours', sent: selecting(m3, '10.20.0.180', FOREIGN), then: 'silent not-for-us', changes: [] },
    { title: 'of another server, from who holds an address of ours', given: doraM3, sent: selecting(m3, '10.20.0.180', FOREIGN), then: 'silent not-for-us', changes: [] },
    { title: 'the same REQUEST twice', given: doraM3, sent: selecting(m3, '10.20.0.100'), then: 'ACK 10.20.0.100', changes: ['extend'] },
  ],
  'INIT-REBOOT': [
    { title: 'the right address', given: doraM3, sent: request(m3, { requested: '10.20.0.100' }), then: 'ACK 10.20.0.100', changes: ['extend'] },
    { title: 'a wrong address', given: doraM3, sent: request(m3, { requested: '10.20.0.101' }), then: 'NAK wrong-address', changes: [] },
    { title: 'an address of another network', given: doraM3, sent: request(m3, { requested: '10.30.0.100' }), then: 'NAK wrong-network', changes: [] },
    { title: 'a stranger', sent: request(m3, { requested: '10.20.0.100' }), then: 'silent unknown-client', changes: [] },
    { title: 'a stranger with an address of another network', sent: request(m3, { requested: '10.30.0.100' }), then: 'NAK wrong-network', changes: [] },
    { title: 'an address that ended and is free', given: (s) => { s.dora(m3); s.now += HOUR; }, sent: request(m3, { requested: '10.20.0.100' }), then: 'ACK 10.20.0.100', changes: ['unbind end', 'bind lease 10.20.0.100, keep pin'] },
    { title: 'an address that ended and is another’s', given: (s) => { s.dora(m3); s.now += HOUR; s.dora('02:00:00:00:00:09', { requested: '10.20.0.100' }); }, sent: request(m3, { requested: '10.20.0.100' }), then: 'NAK wrong-address', changes: [] },
  ],
  'RENEW and REBIND': [
    { title: 'RENEW', given: doraM3, sent: renew(m3, '10.20.0.100'), then: 'ACK 10.20.0.100', changes: ['extend'] },
    { title: 'REBIND', given: doraM3, sent: request(m3, { ciaddr: '10.20.0.100', source: '10.20.0.100' }), then: 'ACK 10.20.0.100', changes: ['extend'] },
    { title: 'of a static', sent: renew(m1, '10.20.0.7'), then: 'ACK 10.20.0.7', changes: ['extend'] },
    { title: 'F04: of another address than the one held', sent: renew(m1, '10.20.0.107'), then: 'NAK wrong-address', changes: [] },
    { title: 'of somebody else’s address', given: doraM3, sent: renew('02:00:00:00:00:09', '10.20.0.100'), then: 'silent unknown-client', changes: [] },
    { title: 'of a lease of another server, by a stranger', sent: renew(m3, '10.20.0.180'), then: 'silent unknown-client', changes: [] },
    { title: 'beside 50 and 54', given: doraM3, sent: request(m3, { ciaddr: '10.20.0.100', requested: '10.20.0.100', server: '10.20.0.1' }), then: 'ACK 10.20.0.100', changes: ['extend'] },
    { title: 'that names another server', given: doraM3, sent: request(m3, { ciaddr: '10.20.0.100', server: FOREIGN }), then: 'silent not-for-us', changes: [] },
    { title: 'after its end, before expiry came to it', given: (s) => { s.dora(m3); s.now += HOUR; }, sent: renew(m3, '10.20.0.100'), then: 'ACK 10.20.0.100', changes: ['unbind end', 'bind lease 10.20.0.100, keep pin'] },
  ],
  'REQUEST with nothing (F52)': [
    { title: 'from a stranger', sent: request(m3, {}), then: 'NAK wrong-address', changes: [] },
    { title: 'from a holder', given: doraM3, sent: request(m3, {}), then: 'NAK wrong-address', changes: [] },
    { title: 'for another server', sent: request(m3, { server: FOREIGN }), then: 'silent not-for-us', changes: [] },
  ],
  'RELEASE (RFC 2131 §4.3.4)': [
    { title: 'of a lease', given: doraM3, sent: { type: 'release', mac: m3, ciaddr: '10.20.0.100' }, then: 'silent released', changes: ['unbind release'] },
    { title: 'F45: twice', given: (s) => { s.dora(m3); s.release(m3, '10.20.0.100'); }, sent: { type: 'release', mac: m3, ciaddr: '10.20.0.100' }, then: 'silent not-holder', changes: [] },
    { title: 'of a lease whose end has passed', given: (s) => { s.dora(m3); s.now += HOUR; }, sent: { type: 'release', mac: m3, ciaddr: '10.20.0.100' }, then: 'silent not-holder', changes: [] },
    { title: 'of a static', given: (s) => void s.dora(m1), sent: { type: 'release', mac: m1, ciaddr: '10.20.0.7' }, then: 'silent static-kept', changes: ['idle release'] },
    { title: 'F45: of a static, twice', given: (s) => { s.dora(m1); s.release(m1, '10.20.0.7'); }, sent: { type: 'release', mac: m1, ciaddr: '10.20.0.7' }, then: 'silent static-kept', changes: [] },
    { title: 'of somebody else’s address', given: doraM3, sent: { type: 'release', mac: m2, ciaddr: '10.20.0.100' }, then: 'silent not-holder', changes: [] },
    { title: 'of another address than the one held', given: doraM3, sent: { type: 'release', mac: m3, ciaddr: '10.20.0.101' }, then: 'silent not-holder', changes: [] },
    { title: 'by another link, broadcast', given: doraM3, sent: { type: 'release', mac: m3, ciaddr: '10.20.0.100', link: 'eth1' }, then: 'silent not-holder', changes: [] },
    { title: 'to another server', given: doraM3, sent: { type: 'release', mac: m3, ciaddr: '10.20.0.100', server: FOREIGN }, then: 'silent not-for-us', changes: [] },
    { title: 'that names no address', given: doraM3, sent: { type: 'release', mac: m3 }, then: 'silent not-holder', changes: [] },
  ],
  'DECLINE (RFC 2131 §4.3.3)': [
    { title: 'of a lease', given: doraM3, sent: { type: 'decline', mac: m3, requested: '10.20.0.100' }, then: 'silent declined', changes: ['unbind decline', 'quarantine 10.20.0.100'] },
    { title: 'of a fixed address', given: (s) => void s.dora(m1), sent: { type: 'decline', mac: m1, requested: '10.20.0.7' }, then: 'silent declined', changes: ['idle decline', 'quarantine 10.20.0.7'] },
    { title: 'of a retained address: another under the same pin', given: (s) => void s.dora(m2), sent: { type: 'decline', mac: m2, requested: '10.20.0.100' }, then: 'silent declined', changes: ['unbind decline', 'quarantine 10.20.0.100', 'bind static 10.20.0.101, keep pin'] },
    { title: 'F43: of somebody else’s address', given: doraM3, sent: { type: 'decline', mac: m2, requested: '10.20.0.100' }, then: 'silent not-holder', changes: [] },
    { title: 'F43: of an address that nobody holds', sent: { type: 'decline', mac: m3, requested: '10.20.0.100' }, then: 'silent not-holder', changes: [] },
    { title: 'F43: of a lease whose end has passed', given: (s) => { s.dora(m3); s.now += HOUR; }, sent: { type: 'decline', mac: m3, requested: '10.20.0.100' }, then: 'silent not-holder', changes: [] },
    { title: 'of an offer', given: (s) => void s.discover(m3), sent: { type: 'decline', mac: m3, requested: '10.20.0.100' }, then: 'silent not-holder', changes: [] },
    { title: 'by another link', given: doraM3, sent: { type: 'decline', mac: m3, requested: '10.20.0.100', link: 'eth1' }, then: 'silent not-holder', changes: [] },
    { title: 'to another server', given: doraM3, sent: { type: 'decline', mac: m3, requested: '10.20.0.100', server: FOREIGN }, then: 'silent not-for-us', changes: [] },
    { title: 'the fourth within an hour', given: (s) => { for (let i = 0; i < 3; i++) s.decline(m3, s.dora(m3)); s.dora(m3); }, sent: { type: 'decline', mac: m3, requested: '10.20.0.103' }, then: 'silent decline-limit', changes: [] },
    { title: 'the fourth, an hour after the first', given: (s) => { for (let i = 0; i < 3; i++) s.decline(m3, s.dora(m3)); s.now += HOUR; s.dora(m3, { requested: '10.20.0.103' }); }, sent: { type: 'decline', mac: m3, requested: '10.20.0.103' }, then: 'silent declined', changes: ['unbind decline', 'quarantine 10.20.0.103'] },
  ],
  INFORM: [
    { title: 'with an address of its own', sent: { type: 'inform', mac: m3, ciaddr: '10.20.0.50' }, then: 'ACK', changes: [] },
    { title: 'from a holder', given: doraM3, sent: { type: 'inform', mac: m3, ciaddr: '10.20.0.100' }, then: 'ACK', changes: [] },
  ],
  'BOOTP (RFC 1534)': [
    { title: 'with a fixed address', sent: { mac: m1 }, then: 'BOOTREPLY 10.20.0.7', changes: ['extend'] },
    { title: 'retained: static from now on', sent: { mac: m2 }, then: 'BOOTREPLY 10.20.0.100', changes: ['bind static 10.20.0.100, make pin'] },
    { title: 'a stranger', sent: { mac: m3 }, then: 'silent bootp-dynamic', changes: [] },
    { title: 'who holds a lease', given: doraM3, sent: { mac: m3 }, then: 'silent bootp-dynamic', changes: [] },
  ],
}; // prettier-ignore

describe('decide4', () => {
  for (const [section, rows] of Object.entries(tables))
    describe(section, () => {
      for (const { title, given, sent, then, changes } of rows)
        it(`${title} → ${then}`, async () => {
          const server = await Served.open({ text, links });
          given?.(server);
          const { got, changes: written } = server.wouldDo(sent);
          const said = got.type === 'silent' || got.type === 'NAK' ? got.reason : got.address;
          expect(said === undefined ? got.type : `${got.type} ${said}`).to.equal(then);
          expect(written.map(shown)).to.deep.equal(changes);
          server.close();
        });
    });

  it('F50: the lease time asked for is kept within the network’s bounds', async () => {
    const server = await Served.open({ text: file([], { lease: { default: '1h', min: '10m', max: '2h' } }) });
    const seconds = (...asked: readonly number[]): number => {
      const got = server.discover(m3, { options: option(51, ...asked) });
      const value = got.reply?.options.get(51) ?? expect.fail('no lease time');
      return new DataView(value.buffer, value.byteOffset).getUint32(0);
    };
    expect(seconds(0, 0, 0, 1), '1 s').to.equal(600);
    expect(seconds(0, 0, 0, 0), '0 s').to.equal(600);
    expect(seconds(0xff, 0xff, 0xff, 0xff), 'infinity').to.equal(7200);
    expect(seconds(0, 0, 0x0e, 0x11), '3601 s').to.equal(3601);
    expect(seconds(0, 0, 1), 'three octets').to.equal(3600);
    server.close();
  });

  it('an offer ends after a minute, to the millisecond', async () => {
    const server = await Served.open({ text });
    server.discover(m3);
    server.now += MINUTE - 1;
    expect(server.discover('02:00:00:00:00:09').address).to.equal('10.20.0.101');
    server.now += 1;
    expect(server.discover('02:00:00:00:00:0a').address).to.equal('10.20.0.100');
    server.close();
  });

  it('a declined lease rests for ten minutes, a declined fixed address for half a minute', async () => {
    const server = await Served.open({ text });
    server.decline(m3, server.dora(m3));
    server.decline(m1, server.dora(m1));
    const until = server.store.holds().map((hold) => (hold.until ?? 0) - server.now);
    expect(until).to.deep.equal([30 * SECOND, 10 * MINUTE]);
    server.close();
  });
});
