// The whole server without sockets: packets as octets into `exchange`, through the one door, into a real SQLite store, under a clock that
// the test turns.
import { expect } from 'chai';
import type { Store } from '../../db/store.js';
import { exchange } from '../../lib/dhcp/exchange.js';
import type { Link, Packet, Verdict } from '../../lib/dhcp/packet.js';
import type { Change, Decision, Declaration } from '../../lib/ipam/model.js';
import type { Site } from '../../lib/ipam/site.js';
import type { Ip, Ip4 } from '../../lib/net/ip.js';
import { ANY4, formatIp, ipToBytes, parseIp4 } from '../../lib/net/ip.js';
import { fromHex, macToBytes, parseMac } from '../../lib/net/ids.js';
import type { Reason, Result } from '../../lib/net/reason.js';
import type { Message4 } from '../../lib/wire/message4.js';
import { BOOTREQUEST, decode4, encode4 } from '../../lib/wire/message4.js';
import { code, messageType } from '../../lib/wire/options4.js';
import { apply, compile } from '../../server/apply.js';
import type { Facts } from '../../server/events/events.js';
import { Events } from '../../server/events/events.js';
import { Expiry } from '../../server/expiry.js';
import { openStore } from '../../server/open.js';
import { reconcile } from '../../server/reconcile.js';
import { Writer } from '../../server/writer.js';

/** 2026-01-01T00:00:00Z. */
export const START = 1_767_225_600_000;
export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;

export function ip4(text: string): Ip4 {
  return parseIp4(text) ?? expect.fail(`${text} is not an IPv4 address`);
}

/** What a client puts into a message; texts as people write them. */
export interface Sent {
  readonly type?: keyof typeof messageType;
  readonly mac: string;
  readonly ciaddr?: string;
  readonly giaddr?: string;
  readonly flags?: number;
  readonly options?: ReadonlyMap<number, Uint8Array>;
  readonly requested?: string;
  readonly server?: string;
  readonly clientId?: string;
  /** Header fields that are unusual. */
  readonly header?: Partial<Message4>;
  /** Circumstances. */
  readonly link?: string;
  readonly source?: string;
  readonly sourcePort?: number;
  readonly unicast?: boolean;
}

/** What came back, decoded. */
export interface Got {
  readonly type: 'OFFER' | 'ACK' | 'NAK' | 'BOOTREPLY' | 'silent';
  readonly address: string | undefined;
  readonly reason: Reason;
  readonly reply: Message4 | undefined;
  readonly verdict: Verdict;
}

export function messageOf(sent: Sent): Message4 {
  const options = new Map<number, Uint8Array>();
  if (sent.type !== undefined) options.set(code.messageType, Uint8Array.of(messageType[sent.type]));
  if (sent.requested !== undefined) options.set(code.requestedAddress, ipToBytes(ip4(sent.requested)));
  if (sent.server !== undefined) options.set(code.serverIdentifier, ipToBytes(ip4(sent.server)));
  if (sent.clientId !== undefined)
    options.set(code.clientIdentifier, fromHex(sent.clientId) ?? expect.fail('client-id'));
  for (const [option, value] of sent.options ?? []) options.set(option, value);
  return {
    op: BOOTREQUEST,
    htype: 1,
    hlen: 6,
    hops: 0,
    xid: 0x12345678,
    secs: 0,
    flags: sent.flags ?? 0,
    ciaddr: sent.ciaddr === undefined ? ANY4 : ip4(sent.ciaddr),
    yiaddr: ANY4,
    siaddr: ANY4,
    giaddr: sent.giaddr === undefined ? ANY4 : ip4(sent.giaddr),
    chaddr: macToBytes(parseMac(sent.mac) ?? expect.fail(`${sent.mac} is not a MAC`)),
    sname: new Uint8Array(0),
    file: new Uint8Array(0),
    options,
    cookie: true,
    ...sent.header,
  };
}

export interface Opening {
  readonly text: string;
  /** Default: in memory. */
  readonly path?: string;
  readonly now?: number;
  /** Links by name with the server's address on each; the default is `eth0` with 10.20.0.1. */
  readonly links?: Readonly<Record<string, string>>;
}

export class Served {
  now: number;
  store: Store;
  readonly #links: Readonly<Record<string, string>>;
  readonly #path: string;
  #writer: Writer;
  #site: Site;
  #expiry: Expiry;
  /** What was reported to the operator, in order. */
  readonly told: { readonly event: string; readonly facts: Facts }[] = [];
  /** Decisions that hit a defect of ours, with what was thrown. */
  readonly defects: string[] = [];
  readonly #events: Events;

  private constructor(opening: Opening, site: Site, store: Store) {
    this.now = opening.now ?? START;
    this.#path = opening.path ?? ':memory:';
    this.#links = opening.links ?? { eth0: '10.20.0.1' };
    this.#site = site;
    this.store = store;
    const write = (_level: string, event: string, facts: Facts): void => {
      this.told.push({ event, facts });
      if (facts.reason === 'decision-failed') this.defects.push(String(facts.detail));
    };
    this.#events = new Events({ write, close: () => Promise.resolve() }, () => this.now);
    [this.#writer, this.#expiry] = this.#start();
  }

  static async open(opening: Opening): Promise<Served> {
    const compiled = compile(new Map([['dhcpd.yaml', opening.text]]));
    if (!compiled.ok) return expect.fail(compiled.mistakes.map(({ text, line }) => `${line}: ${text}`).join('\n'));
    const now = opening.now ?? START;
    const store = openStore({ path: opening.path ?? ':memory:', now });
    const served = new Served(opening, compiled.config.site, store);
    await served.edit(opening.text);
    return served;
  }

  #start(): [Writer, Expiry] {
    const clock = { now: () => this.now };
    const own: readonly Ip[] = Object.values(this.#links).map(ip4);
    const writer = new Writer(this.store, clock, { site: this.#site, own }, (error) => {
      throw error;
    });
    return [writer, new Expiry(this.store, writer, clock, this.#events)];
  }

  /** Applies a file and reconciles, as a start or a reload does. */
  async edit(text: string): Promise<Result<number>> {
    const compiled = compile(new Map([['dhcpd.yaml', text]]));
    if (!compiled.ok) return expect.fail(compiled.mistakes.map((note) => `${note.line}: ${note.text}`).join('\n'));
    const done = await apply(this.#writer, this.store, compiled.config, 'test');
    this.#site = compiled.config.site;
    await this.reconcile();
    return done;
  }

  /** One reconcile pass; how many fixed addresses it bound. */
  reconcile(): Promise<number> {
    return reconcile(this.store, this.#writer, this.#events);
  }

  /** Writes through the one door what no message and no file can bring about. */
  write(...changes: readonly Change[]): Result<unknown> {
    let settled: Result<unknown> | undefined;
    this.#writer.put(
      () => ({ changes, value: undefined }),
      (result) => {
        settled = result;
      },
    );
    this.#writer.flush();
    return settled ?? expect.fail('the writer settled nothing');
  }

  /** Both decide in one batch, hence in one transaction, and neither sees the other's answer. */
  together(...all: readonly Sent[]): readonly Got[] {
    const gots: Got[] = [];
    for (const sent of all) this.#put(this.#packet(sent), (result) => void gots.push(gotFrom(verdictOf(result))));
    this.#writer.flush();
    return gots;
  }

  /** What a timer does: ends what has ended. */
  async expire(): Promise<number> {
    return this.#expiry.pass();
  }

  /** The process ends and starts again: memory is lost, the store is opened anew where it is a file. */
  async restart(): Promise<void> {
    if (this.#path !== ':memory:') {
      this.store.close();
      this.store = openStore({ path: this.#path, now: this.now });
    }
    [this.#writer, this.#expiry] = this.#start();
    await this.reconcile();
  }

  close(): void {
    this.store.close();
  }

  link(name = Object.keys(this.#links)[0] ?? 'eth0'): Link {
    return { name, addresses: [{ ip: ip4(this.#links[name] ?? '0.0.0.0'), length: 24 }] };
  }

  #put(packet: Packet, settled: (result: Result<Verdict>) => void): void {
    this.#writer.put(
      (scene) => exchange(packet, { ...scene, ports: { server: 67, client: 68 } }),
      (result) => {
        if (!result.ok && result.reason === 'decision-failed') this.defects.push(result.detail ?? '');
        settled(result);
      },
    );
  }

  /** Sends octets as they are. */
  sendBytes(bytes: Uint8Array, around: Partial<Packet> = {}): Verdict {
    const packet: Packet = { link: this.link(), bytes, source: ANY4, sourcePort: 68, broadcast: true, ...around };
    let settled: Result<Verdict> | undefined;
    this.#put(packet, (result) => {
      settled = result;
    });
    this.#writer.flush();
    return settled === undefined ? expect.fail('the writer settled nothing') : verdictOf(settled);
  }

  #packet(sent: Sent): Packet {
    const encoded = encode4(messageOf(sent), 1472);
    if (!encoded.ok) return expect.fail(encoded.reason);
    return {
      bytes: encoded.value,
      link: this.link(sent.link),
      source: sent.source === undefined ? ANY4 : ip4(sent.source),
      sourcePort: sent.sourcePort ?? 68,
      broadcast: sent.unicast !== true,
    };
  }

  /** What the server would answer and write now, without doing it. */
  wouldDo(sent: Sent): { readonly got: Got; readonly changes: readonly Change[] } {
    const packet = this.#packet(sent);
    let decided: Decision<Verdict> | undefined;
    this.#writer.put(
      (scene) => {
        decided = exchange(packet, { ...scene, ports: { server: 67, client: 68 } });
        return { changes: [], value: undefined };
      },
      () => undefined,
    );
    this.#writer.flush();
    return decided === undefined
      ? expect.fail('the exchange decided nothing')
      : { got: gotFrom(decided.value), changes: decided.changes };
  }

  send(sent: Sent): Got {
    const { bytes, ...around } = this.#packet(sent);
    return gotFrom(this.sendBytes(bytes, around));
  }

  discover(mac: string, more: Partial<Sent> = {}): Got {
    return this.send({ type: 'discover', mac, ...more });
  }

  /** A REQUEST that answers an OFFER of ours. */
  select(mac: string, requested: string, more: Partial<Sent> = {}): Got {
    return this.send({
      type: 'request',
      mac,
      requested,
      server: this.#links[more.link ?? 'eth0'] ?? '10.20.0.1',
      ...more,
    });
  }

  /** DISCOVER, OFFER, REQUEST, ACK; the address. */
  dora(mac: string, more: Partial<Sent> = {}): string {
    const offer = this.discover(mac, more);
    expect(offer.type, `OFFER to ${mac} (${offer.reason})`).to.equal('OFFER');
    const ack = this.select(mac, offer.address ?? '', more);
    expect(ack.type, `ACK to ${mac} (${ack.reason})`).to.equal('ACK');
    expect(ack.address).to.equal(offer.address);
    return ack.address ?? '';
  }

  renew(mac: string, ciaddr: string, more: Partial<Sent> = {}): Got {
    return this.send({ type: 'request', mac, ciaddr, source: ciaddr, unicast: true, ...more });
  }

  release(mac: string, ciaddr: string, more: Partial<Sent> = {}): Got {
    return this.send({ type: 'release', mac, ciaddr, source: ciaddr, unicast: true, ...more });
  }

  decline(mac: string, requested: string, more: Partial<Sent> = {}): Got {
    return this.send({ type: 'decline', mac, requested, ...more });
  }

  /** What stands for `mac` in `network`, in words: `static 10.20.0.11 fixed@1`, `none dynamic@1`, or undefined. */
  standing(mac: string, network = 'a'): string | undefined {
    const row = this.store.list((one) => one.owner === mac && one.network === network)[0];
    if (row === undefined) return undefined;
    const { binding, pin } = row;
    const bound = binding === undefined ? 'none' : `${binding.kind} ${formatIp(binding.address)}`;
    return `${bound} ${pin?.policy ?? 'unpinned'}@${pin?.revision ?? 0}`;
  }

  declarations(): readonly Declaration[] {
    return this.store.declarations();
  }
}

function verdictOf(result: Result<Verdict>): Verdict {
  if (result.ok) return result.value;
  return { reason: result.reason, detail: result.detail ?? '', answer: undefined };
}

function gotFrom(verdict: Verdict): Got {
  const reply = verdict.answer && decode4(verdict.answer.bytes);
  if (reply?.ok === false) return expect.fail(reply.reason);
  const message = reply?.value;
  return {
    type: (verdict.answered as Got['type'] | undefined) ?? 'silent',
    address: message === undefined || message.yiaddr === 0 ? undefined : formatIp(message.yiaddr),
    reason: verdict.reason,
    reply: message,
    verdict,
  };
}
