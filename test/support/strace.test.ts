// The checker of durability must find every way to break the promise, and take every way to keep it.
import { expect } from 'chai';
import { encodeFrame } from '../../lib/wire/frame.js';
import { encode4 } from '../../lib/wire/message4.js';
import { code, messageType } from '../../lib/wire/options4.js';
import { ip4, messageOf } from './served.js';
import { callsIn, checkDurability } from './strace.js';

type Type = keyof typeof messageType;

function bytesOf(type: Type, xid: number): Uint8Array {
  const message = messageOf({ mac: '02:00:00:00:00:01' });
  const options = new Map([[code.messageType, Uint8Array.of(messageType[type])]]);
  const encoded = encode4({ ...message, op: type === 'request' || type === 'inform' ? 1 : 2, xid, options }, 1472);
  return encoded.ok ? encoded.value : expect.fail(encoded.reason);
}

function escaped(bytes: Uint8Array): string {
  return Array.from(bytes, (octet) => `\\x${octet.toString(16).padStart(2, '0')}`).join('');
}

function path(text: string): string {
  return escaped(new TextEncoder().encode(text));
}

/** A line at `at` microseconds that takes `took`. */
function line(at: number, call: string, result: string, took: number, thread = 100): string {
  return `${thread}  ${stamp(at)} ${call} = ${result} <${(took / 1e6).toFixed(6)}>`;
}

function stamp(at: number): string {
  return (1_700_000_000 + at / 1e6).toFixed(6);
}

const socket = '21<UDP:[10.20.0.1:67]>';
const wal = `19<${path('/var/lib/leasehold/leasehold.db-wal')}>`;

function received(at: number, type: Type, xid: number): string {
  const buffer = `msg_iov=[{iov_base="${escaped(bytesOf(type, xid))}", iov_len=65536}], msg_iovlen=1`;
  return line(at, `recvmsg(${socket}, {msg_name={sa_family=AF_INET}, ${buffer}, msg_flags=0}, 0)`, '300', 5);
}

function sent(at: number, type: Type, xid: number, result = '300'): string {
  const buffer = `msg_iov=[{iov_base="${escaped(bytesOf(type, xid))}", iov_len=300}], msg_iovlen=1`;
  return line(at, `sendmsg(${socket}, {msg_name={sa_family=AF_INET}, ${buffer}, msg_flags=0}, 0)`, result, 5);
}

function sentAsFrame(at: number, type: Type, xid: number): string {
  const mac = Uint8Array.of(2, 0, 0, 0, 0, 1);
  const [source, destination] = [ip4('10.20.0.1'), ip4('10.20.0.11')];
  const ends = { sourceMac: mac, destinationMac: mac, source, destination, sourcePort: 67, destinationPort: 68 };
  const frame = encodeFrame({ ...ends, payload: bytesOf(type, xid) });
  return line(at, `sendto(22<PACKET:[IP]>, "${escaped(frame)}", 342, 0, {sa_family=AF_PACKET}, 20)`, '342', 5);
}

function synced(at: number, took: number, { on = wal, name = 'fdatasync', result = '0' } = {}): string {
  return line(at, `${name}(${on})`, result, took);
}

const good: Record<string, { readonly lines: readonly string[]; readonly acks: number }> = {
  'a sync between REQUEST and ACK': {
    lines: [received(10, 'request', 1), synced(20, 30), sent(60, 'ack', 1)],
    acks: 1,
  },
  'an fsync as well as an fdatasync': {
    lines: [received(10, 'request', 1), synced(20, 30, { name: 'fsync' }), sent(60, 'ack', 1)],
    acks: 1,
  },
  'one sync for two that wait for it': {
    lines: [
      received(10, 'request', 1),
      received(12, 'request', 2),
      synced(20, 30),
      sent(60, 'ack', 1),
      sent(70, 'ack', 2),
    ],
    acks: 2,
  },
  'an ACK as a frame': { lines: [received(10, 'request', 1), synced(20, 30), sentAsFrame(60, 'ack', 1)], acks: 1 },
  'an OFFER and a NAK, which promise nothing': {
    lines: [sent(10, 'offer', 1), received(20, 'request', 1), sent(30, 'nak', 1)],
    acks: 0,
  },
  'an ACK to an INFORM, which promises no address': { lines: [received(10, 'inform', 1), sent(20, 'ack', 1)], acks: 0 },
  'an ACK that the kernel did not take': {
    lines: [received(10, 'request', 1), sent(20, 'ack', 1, '-1 ENOBUFS (No buffer)')],
    acks: 0,
  },
  'a sync that another thread interrupts in the text': {
    lines: [
      received(10, 'request', 1),
      `100  ${stamp(20)} fdatasync(${wal} <unfinished ...>`,
      line(25, 'write(5<pipe:[7]>, "\\x01", 1)', '1', 2, 101),
      `100  ${stamp(50)} <... fdatasync resumed>) = 0 <0.000030>`,
      sent(60, 'ack', 1),
    ],
    acks: 1,
  },
};

const bad: Record<string, readonly string[]> = {
  'no sync at all': [received(10, 'request', 1), sent(60, 'ack', 1)],
  'an ACK as a frame without a sync': [received(10, 'request', 1), sentAsFrame(60, 'ack', 1)],
  'a sync that began before the REQUEST was in': [synced(12, 30), received(10, 'request', 1), sent(60, 'ack', 1)],
  'a sync that ended after the ACK had left': [received(10, 'request', 1), synced(20, 45), sent(60, 'ack', 1)],
  'a sync that failed': [
    received(10, 'request', 1),
    synced(20, 30, { result: '-1 EIO (Input/output error)' }),
    sent(60, 'ack', 1),
  ],
  'a sync of another file': [
    received(10, 'request', 1),
    synced(20, 30, { on: `19<${path('/var/lib/leasehold/leasehold.db')}>` }),
    sent(60, 'ack', 1),
  ],
  'a sync that never came back': [
    received(10, 'request', 1),
    `100  ${stamp(20)} fdatasync(${wal} <unfinished ...>`,
    sent(60, 'ack', 1),
  ],
  'a second ACK that leans on the first one’s sync': [
    synced(5, 2),
    received(10, 'request', 1),
    synced(20, 30),
    received(55, 'request', 1),
    sent(60, 'ack', 1),
  ],
  'an ACK that nobody asked for': [synced(20, 30), sent(60, 'ack', 1)],
};

describe('the check that an ACK leaves only after its sync', () => {
  for (const [name, { lines, acks }] of Object.entries(good)) {
    it(`takes ${name}`, () => {
      expect(checkDurability(lines.join('\n'))).to.deep.equal({ acks, broken: [] });
    });
  }
  for (const [name, lines] of Object.entries(bad)) {
    it(`finds ${name}`, () => {
      const { acks, broken } = checkDurability(lines.join('\n'));
      expect(acks).to.equal(1);
      expect(broken).to.have.lengthOf(1);
      expect(broken[0]).to.match(/^ACK of 0\.0\.0\.0 at \d+: no /);
    });
  }

  it('reads names, descriptors, buffers, results and times', () => {
    const [call, ...more] = callsIn(`100  1700000000.000010 write(5<${path('/a b')}>, "\\x00\\x61", 2) = 2 <0.000003>`);
    expect(more).to.deep.equal([]);
    expect(call).to.deep.equal({
      name: 'write',
      on: '/a b',
      buffers: [Uint8Array.of(0, 0x61)],
      result: 2,
      began: 1_700_000_000_000_010,
      ended: 1_700_000_000_000_013,
    });
  });

  it('reads nothing where nothing is', () => {
    expect(callsIn('')).to.deep.equal([]);
    expect(callsIn('100  1700000000.000010 +++ exited with 0 +++\n\nstrace: attach')).to.deep.equal([]);
  });
});
