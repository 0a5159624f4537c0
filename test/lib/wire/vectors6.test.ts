// Every captured DHCPv6 frame is read as tshark reads it, and none of them, whole or damaged, makes decoding throw.
import { expect } from 'chai';
import fc from 'fast-check';
import { formatIp, parseIp } from '../../../lib/net/ip.js';
import { reasons } from '../../../lib/net/reason.js';
import type { Option6 } from '../../../lib/wire/areas6.js';
import { code6 } from '../../../lib/wire/codes6.js';
import { formatField } from '../../../lib/wire/fields.js';
import { decodeFrame } from '../../../lib/wire/frame.js';
import { decodeFrame6, encodeFrame6 } from '../../../lib/wire/frame6.js';
import { readIa, readIaAddress, readIaPrefix, readIaTa } from '../../../lib/wire/ia6.js';
import type { Message6 } from '../../../lib/wire/message6.js';
import { decode6, encode6, innermost } from '../../../lib/wire/message6.js';
import { option6ByCode } from '../../../lib/wire/options6.js';
import { readCapture } from '../../../lib/wire/pcap.js';
import { damaged, damagesAt } from './damage.js';
import { take, vector, vectors, vectorText } from './samples.js';

type OptionRow = readonly [code: number, length: number, inside?: readonly OptionRow[]];

interface LevelRow {
  readonly type: number;
  readonly xid?: number;
  readonly hops?: number;
  readonly link?: string;
  readonly peer?: string;
  readonly options: readonly OptionRow[];
}

interface Row {
  readonly file: string;
  readonly frame: number;
  readonly broken: boolean;
  readonly levels: readonly LevelRow[];
}

const rows = JSON.parse(vectorText('v6.json')) as Row[];
const files = [...new Set(rows.map((row) => row.file))];
const captures = new Map(files.map((file) => [file, take(readCapture(vector(file)))]));

function frameOf(row: Row): Uint8Array {
  return captures.get(row.file)!.frames[row.frame - 1]!.bytes;
}

/** Two octets that are no option follow the last one: tshark does not mind them, and we refuse the message. */
const trailing = 'insomniacslk-dhcp/relayforw-duid-uuid.pcap';
const broken = rows.filter((row) => row.broken || row.file === trailing);
const whole = rows.filter((row) => !broken.includes(row));
const payloads = whole.map((row) => take(decodeFrame6(frameOf(row), 'ignore')).payload);

/** What has options inside, and how they are read. */
const inside = new Map<number, (value: Uint8Array) => { readonly options: readonly Option6[] } | undefined>([
  [code6.iaNa, readIa],
  [code6.iaPd, readIa],
  [code6.iaTa, readIaTa],
  [code6.iaAddress, readIaAddress],
  [code6.iaPrefix, readIaPrefix],
]);

function optionRows(options: readonly Option6[]): readonly OptionRow[] {
  return options.map(({ code, value }) => {
    const within = optionRows(inside.get(code)?.(value)?.options ?? []);
    return within.length === 0 ? [code, value.length] : [code, value.length, within];
  });
}

/** Our reading, in the form of tshark's, but for the options that hold a relayed message. */
function levelRows(message: Message6): readonly LevelRow[] {
  const options = optionRows(message.options);
  if (message.kind === 'message') return [{ type: message.type, xid: message.xid, options }];
  const { type, hopCount: hops, linkAddress, peerAddress, inner } = message;
  const level = { type, hops, link: formatIp(linkAddress), peer: formatIp(peerAddress), options };
  return [level, ...levelRows(inner)];
}

/** tshark's reading, without what {@link levelRows} has not: it looks into more options than we do. */
function theirs(levels: readonly LevelRow[]): readonly LevelRow[] {
  const some = (options: readonly OptionRow[]): readonly OptionRow[] =>
    options
      .filter(([code]) => code !== code6.relayMessage)
      .map(([code, length, within]) => {
        return within !== undefined && inside.has(code) ? [code, length, some(within)] : [code, length];
      });
  const same = (text: string) => formatIp(parseIp(text)!);
  return levels.map((level) => ({
    ...level,
    ...(level.link === undefined ? {} : { link: same(level.link) }),
    ...(level.peer === undefined ? {} : { peer: same(level.peer) }),
    options: some(level.options),
  }));
}

describe('captured DHCPv6 frames', () => {
  it('are as many as tshark found, of nearly every message type, in up to two relays', () => {
    expect([rows.length, whole.length]).to.deep.equal([390, 386]);
    const types = new Set(whole.flatMap(({ levels }) => levels.map(({ type }) => type)));
    expect([...types]).to.include.members([1, 2, 3, 4, 5, 7, 8, 9, 11, 12, 13]);
    expect(Math.max(...whole.map(({ levels }) => levels.length))).to.equal(3);
  });

  for (const file of new Set(whole.map((row) => row.file))) {
    it(`${file}: types, relays and options as tshark has them`, () => {
      for (const [i, row] of whole.entries()) {
        if (row.file !== file) continue;
        const decoded = decode6(payloads[i]!);
        expect(decoded, `frame ${row.frame}`).to.deep.include({ ok: true, dropped: [] });
        expect(levelRows(take(decoded)), `frame ${row.frame}`).to.deep.equal(theirs(row.levels));
      }
    });
  }

  it('that are broken give a reason, or a message with what is broken left out', () => {
    const outcomes = broken.map((row) => {
      const six = decodeFrame6(frameOf(row), 'ignore');
      const frame = six.ok ? six : decodeFrame(frameOf(row), 'ignore');
      const message = frame.ok ? decode6(frame.value.payload) : frame;
      return [row.file, row.frame, message.ok ? message.dropped : message.reason];
    });
    expect(outcomes).to.deep.equal([
      // A user class without lengths is not broken for us (F28).
      ['PcapPlusPlus/dhcpv6.pcap', 1, []],
      [trailing, 1, 'option-overrun'],
      ['kea-pkt-captures/v6_captureSolicitWithTruncatedVIVSO.pcap', 1, 'option-overrun'],
      // Not even a frame: its IPv4 header says more than was captured.
      ['tcpdump/dhcp6_reconf_asan.pcap', 1, 'bad-frame'],
    ]);
  });

  it('are written again octet for octet where no relay is around them, and so that they read the same where one is', () => {
    for (const payload of payloads) {
      const message = take(decode6(payload));
      const written = take(encode6(message));
      expect(written).to.have.length(payload.length);
      expect(take(decode6(written))).to.deep.equal(message);
      if (message.kind === 'message') expect(written).to.deep.equal(payload);
    }
  });

  it('are framed again octet for octet, but for what IPv6 leaves to the sender', () => {
    for (const row of whole) {
      const frame = take(decodeFrame6(frameOf(row), 'ignore'));
      expect(take(decodeFrame6(encodeFrame6(frame)))).to.deep.equal(frame);
    }
  });

  it('are read alike with any checksum, but for those that were captured before the NIC filled it in', () => {
    const wrong = whole.filter((row) => !decodeFrame6(frameOf(row)).ok);
    for (const row of wrong) expect(decodeFrame6(frameOf(row))).to.include({ reason: 'bad-checksum' });
    expect(wrong.length).to.be.lessThan(whole.length / 10);
  });

  it('hold nothing but options of the table, of the kind that it gives them', () => {
    const unknown = new Set<number>();
    const unlike = new Set<string>();
    for (const payload of payloads) {
      for (const { code, value } of innermost(take(decode6(payload))).options) {
        const row = option6ByCode(code);
        if (row === undefined) unknown.add(code);
        else if (
          row.field !== 'bytes' &&
          /^([0-9a-f]{2}:)+[0-9a-f]{2}$/.test(formatField(row.field, value)) &&
          row.field !== 'duid'
        )
          unlike.add(row.name);
      }
    }
    expect([[...unknown], [...unlike]]).to.deep.equal([[], []]);
  });
});

describe('fuzz inputs of others, for DHCPv6', () => {
  for (const file of vectors(/\.(pkt6|hex)$/)) {
    it(`${file} is read or refused`, () => {
      const text = vectorText(file).trim();
      const bytes = Uint8Array.from(Buffer.from(text, 'hex'));
      const frame = decodeFrame6(bytes, 'ignore');
      for (const result of [decode6(bytes), frame.ok ? decode6(frame.value.payload) : frame]) {
        if (!result.ok) expect(reasons).to.include(result.reason);
      }
    });
  }

  it("perfdhcp's example messages are read", () => {
    const read = ['kea-perfdhcp/solicit-example.hex', 'kea-perfdhcp/request6-example.hex'].map((file) => {
      return take(decode6(Uint8Array.from(Buffer.from(vectorText(file).trim(), 'hex')))).type;
    });
    expect(read).to.deep.equal([1, 3]);
  });
});

describe('damaged DHCPv6 captures', () => {
  const damages = damagesAt(fc.nat(12), fc.nat(120), fc.nat(600));

  it('of messages give a message or a reason of decoding', () => {
    const seen = new Set<string>();
    let left = 0;
    fc.assert(
      fc.property(fc.constantFrom(...payloads), damages, (payload, changes) => {
        const result = decode6(damaged(payload, changes));
        seen.add(result.ok ? 'ok' : result.reason);
        if (!result.ok) return;
        left += result.dropped.length;
        // Whatever is read can be shown, and is written so that it reads the same again.
        for (const { code, value } of innermost(result.value).options) {
          expect(formatField(option6ByCode(code)?.field ?? 'bytes', value)).to.match(/^[ -~]*$/);
        }
        expect(take(decode6(take(encode6(result.value))))).to.deep.equal(result.value);
      }),
      { numRuns: 4000 },
    );
    expect(['ok', 'too-short', 'option-overrun', 'bad-relay']).to.include.members([...seen]);
    expect([...seen]).to.include.members(['ok', 'option-overrun']);
    expect(left).to.be.greaterThan(0);
  });

  it('of frames give a frame, bad-frame or bad-checksum', () => {
    fc.assert(
      fc.property(fc.constantFrom(...whole), damages, (row, changes) => {
        const bytes = damaged(frameOf(row), changes);
        for (const checksums of ['verify', 'ignore'] as const) {
          const result = decodeFrame6(bytes, checksums);
          if (!result.ok) expect(result.reason).to.be.oneOf(['bad-frame', 'bad-checksum']);
        }
      }),
      { numRuns: 2000 },
    );
  });
});
