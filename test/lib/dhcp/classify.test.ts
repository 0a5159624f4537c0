// What a DHCPv4 client asks for, told from the message alone (RFC 2131 §4.3.2, table 4).
import { expect } from 'chai';
import type { Asked } from '../../../lib/dhcp/classify.js';
import { classify, typeName } from '../../../lib/dhcp/classify.js';
import { formatIp } from '../../../lib/net/ip.js';
import type { Sent } from '../../support/served.js';
import { messageOf } from '../../support/served.js';
import { option } from '../../support/octets.js';

const mac = '02:00:00:00:00:01';

/** The kind and the address that it names. */
function said(asked: Asked): string {
  const named = 'wanted' in asked ? asked.wanted : 'address' in asked ? asked.address : undefined;
  return named === undefined ? asked.kind : `${asked.kind} ${formatIp(named)}`;
}

const rows: readonly (readonly [title: string, sent: Omit<Sent, 'mac'>, asked: string])[] = [
  ['DISCOVER', { type: 'discover' }, 'discover'],
  ['DISCOVER with a wish', { type: 'discover', requested: '10.20.0.5' }, 'discover 10.20.0.5'],
  ['DISCOVER that wishes for 0.0.0.0', { type: 'discover', requested: '0.0.0.0' }, 'discover'],
  ['SELECTING: 50 and 54', { type: 'request', requested: '10.20.0.5', server: '10.20.0.1' }, 'selecting 10.20.0.5'],
  ['INIT-REBOOT: 50 alone', { type: 'request', requested: '10.20.0.5' }, 'reboot 10.20.0.5'],
  ['RENEW, REBIND: ciaddr alone', { type: 'request', ciaddr: '10.20.0.5' }, 'extend 10.20.0.5'],
  [
    'ciaddr beside 50 and 54: the address in use comes first',
    { type: 'request', ciaddr: '10.20.0.5', requested: '10.20.0.6', server: '10.20.0.1' },
    'extend 10.20.0.5',
  ],
  ['F52: a REQUEST that names nothing', { type: 'request' }, 'empty'],
  ['a REQUEST that names a server only', { type: 'request', server: '10.20.0.1' }, 'empty'],
  ['a REQUEST whose option 50 has three octets', { type: 'request', options: option(50, 10, 20, 0) }, 'empty'],
  ['DECLINE', { type: 'decline', requested: '10.20.0.5' }, 'decline 10.20.0.5'],
  ['DECLINE that names it in ciaddr only', { type: 'decline', ciaddr: '10.20.0.5' }, 'decline 10.20.0.5'],
  ['RELEASE', { type: 'release', ciaddr: '10.20.0.5' }, 'release 10.20.0.5'],
  ['INFORM', { type: 'inform', ciaddr: '10.20.0.5' }, 'inform'],
  ['no option 53: BOOTP', {}, 'bootp'],
];

describe('classify', () => {
  for (const [title, sent, asked] of rows)
    it(title, () => {
      const found = classify(messageOf({ mac, ...sent }));
      expect(found.ok && said(found.asked)).to.equal(asked);
    });

  it('gives the server that the client names', () => {
    const found = classify(messageOf({ mac, type: 'release', server: '10.20.0.1' }));
    expect(found.ok && found.server && formatIp(found.server)).to.equal('10.20.0.1');
    const none = classify(messageOf({ mac, type: 'release', server: '0.0.0.0' }));
    expect(none.ok && none.server).to.equal(undefined);
  });

  const refused = [
    ['an OFFER', { type: 'offer' }, 'unknown-message', 'OFFER'],
    ['an ACK', { type: 'ack' }, 'unknown-message', 'ACK'],
    ['a NAK', { type: 'nak' }, 'unknown-message', 'NAK'],
    ['LEASEQUERY and what else we do not serve', { options: option(53, 10) }, 'unknown-message', 'type 10'],
    ['type 0', { options: option(53, 0) }, 'unknown-message', 'type 0'],
    ['option 53 of two octets', { options: option(53, 1, 1) }, 'unknown-message', 'type ?'],
    ['what a server sends', { type: 'discover', header: { op: 2 } }, 'bad-op', 'DISCOVER'],
  ] as const;
  for (const [title, sent, reason, name] of refused)
    it(`refuses ${title}`, () => {
      const message = messageOf({ mac, ...sent });
      expect(classify(message)).to.include({ ok: false, reason });
      expect(typeName(message)).to.equal(name);
    });
});
