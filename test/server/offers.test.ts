// Offers: one an owner and resource, each with an end, bounded in number.
import { expect } from 'chai';
import type { Offer } from '../../lib/ipam/model.js';
import type { Owner } from '../../lib/net/ids.js';
import type { Ip4 } from '../../lib/net/ip.js';
import { MOST_OFFERS, Offers } from '../../server/offers.js';

const offer = (n: number, more: Partial<Offer> = {}): Offer => ({
  vrf: 'default',
  network: 'a',
  owner: `owner ${n}` as Owner,
  resource: 'ipv4',
  address: n as Ip4,
  until: 1000 + n,
  ...more,
});

describe('Offers', () => {
  it('are found by owner and by address', () => {
    const offers = new Offers();
    offers.add(offer(1));
    expect(offers.to('a', 'owner 1' as Owner, 'ipv4')).to.deep.equal(offer(1));
    expect(offers.of('default', 1 as Ip4)).to.deep.equal(offer(1));
    expect(offers.to('b', 'owner 1' as Owner, 'ipv4'), 'another network').to.equal(undefined);
    expect(offers.to('a', 'owner 1' as Owner, 'ipv6'), 'another resource').to.equal(undefined);
    expect(offers.of('blue', 1 as Ip4), 'another VRF').to.equal(undefined);
  });

  it('a newer one replaces the older, whose address is told to be free', () => {
    const offers = new Offers();
    offers.add(offer(1));
    expect(offers.add(offer(1, { address: 9 as Ip4 }))).to.deep.equal([offer(1)]);
    expect(offers.of('default', 1 as Ip4)).to.equal(undefined);
    expect(offers.of('default', 9 as Ip4)?.owner).to.equal('owner 1');
    expect(offers.size).to.equal(1);
  });

  it('end at their time, to the millisecond, in the order of their ends', () => {
    const offers = new Offers();
    for (const n of [1, 2, 3]) offers.add(offer(n));
    expect(offers.ended(1000)).to.deep.equal([]);
    expect(offers.ended(1002)).to.deep.equal([offer(1), offer(2)]);
    expect([...offers.all()]).to.deep.equal([offer(3)]);
    expect(offers.of('default', 1 as Ip4)).to.equal(undefined);
  });

  it('one that was renewed ends by its new time', () => {
    const offers = new Offers();
    offers.add(offer(1));
    offers.add(offer(2));
    offers.add(offer(1, { until: 2000 }));
    expect(offers.ended(1500).map(({ owner }) => owner)).to.deep.equal(['owner 2']);
    expect(offers.ended(2000).map(({ owner }) => owner)).to.deep.equal(['owner 1']);
  });

  it('are so many at most: the oldest goes, and its address is told to be free', () => {
    const offers = new Offers();
    for (let n = 0; n < MOST_OFFERS; n++) offers.add(offer(n));
    expect(offers.add(offer(MOST_OFFERS))).to.deep.equal([offer(0)]);
    expect(offers.size).to.equal(MOST_OFFERS);
    expect(offers.add(offer(5, { until: 9999 })), 'a replacement costs nobody else').to.deep.equal([offer(5)]);
  });

  it('removing one leaves another owner’s offer of the same address in another VRF', () => {
    const offers = new Offers();
    offers.add(offer(1));
    offers.add(offer(2, { vrf: 'blue', network: 'b', address: 1 as Ip4 }));
    offers.remove(offer(1));
    expect(offers.of('blue', 1 as Ip4)?.owner).to.equal('owner 2');
    expect(offers.size).to.equal(1);
  });
});
