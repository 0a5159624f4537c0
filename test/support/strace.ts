// Reads what strace wrote of a DHCP server, and checks its promise: no ACK leaves before what it grants is on the disk.
import { formatIp } from '../../lib/net/ip.js';
import { decodeFrame } from '../../lib/wire/frame.js';
import type { Message4 } from '../../lib/wire/message4.js';
import { decode4 } from '../../lib/wire/message4.js';
import { code, messageType } from '../../lib/wire/options4.js';

/** The options that make strace write what is read here, without `-o FILE` and the program. */
export const straceOptions: readonly string[] = [
  ...['-f', '-ttt', '-T', '-yy', '-xx', '-s', '1600', '--seccomp-bpf'],
  ...['-e', 'trace=recvmsg,recvmmsg,recvfrom,sendmsg,sendmmsg,sendto,write,writev,fsync,fdatasync'],
];

/** One system call; times in microseconds since 1970. */
export interface Call {
  readonly name: string;
  /** The file or socket that the descriptor stands for. */
  readonly on: string;
  /** The octets of every buffer that it names. */
  readonly buffers: readonly Uint8Array[];
  /** Negative where it failed. */
  readonly result: number;
  readonly began: number;
  readonly ended: number;
}

/** What {@link checkDurability} found. */
export interface Durability {
  /** How many ACKs to a REQUEST left. */
  readonly acks: number;
  /** A sentence for each that left too early. */
  readonly broken: readonly string[];
}

/**
 * The calls in `text`, as `strace` writes it with {@link straceOptions}. A call that was interrupted by another thread's is put together
 * again; one that never came back is left out.
 */
export function callsIn(text: string): readonly Call[] {
  const unfinished = new Map<string, { readonly began: number; readonly text: string }>();
  const calls: Call[] = [];
  for (const line of text.split('\n')) {
    const [, thread = '', seconds = '', said = ''] = /^(\d+) +(\d+\.\d+) (.*)$/.exec(line) ?? [];
    const now = microseconds(seconds);
    const left = /^(.*)<unfinished \.\.\.>$/.exec(said)?.[1];
    if (left !== undefined) {
      unfinished.set(thread, { began: now, text: left });
      continue;
    }
    const rest = /^<\.\.\. \w+ resumed>(.*)$/.exec(said)?.[1];
    const before = rest === undefined ? undefined : unfinished.get(thread);
    const call = before === undefined ? readCall(said, now) : readCall(before.text + (rest ?? ''), before.began);
    if (call !== undefined) calls.push(call);
  }
  return calls;
}

function readCall(text: string, began: number): Call | undefined {
  const [, name, args = '', result, took] = /^(\w+)\((.*)\) += (-?\d+).*? <(\d+\.\d+)>$/.exec(text) ?? [];
  if (name === undefined) return undefined;
  const on = unescape(/^\d+<(.*?)>(?=\s*(?:,|$))/.exec(args)?.[1] ?? '');
  // The buffers of the msghdrs, or else the second argument.
  const named = [...args.matchAll(/iov_base="([^"]*)"/g)].map(([, hex]) => hex ?? '');
  const second = /^[^"]*>, "([^"]*)"/.exec(args)?.[1];
  const buffers = named.length === 0 && second !== undefined ? [second] : named;
  return {
    name,
    on,
    buffers: buffers.map(octets),
    result: Number(result),
    began,
    ended: began + microseconds(took ?? '0'),
  };
}

function microseconds(seconds: string): number {
  return Math.round(Number(seconds) * 1e6);
}

/** `\x61\x62` as octets. */
function octets(hex: string): Uint8Array {
  return Uint8Array.from(hex.split('\\x').slice(1), (digits) => Number.parseInt(digits, 16));
}

function unescape(text: string): string {
  return text.replace(/\\x([0-9a-f]{2})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
}

/** The DHCP messages in the buffers of `call`, as datagrams or as whole frames. */
function messagesIn({ buffers }: Call): readonly Message4[] {
  return buffers.flatMap((bytes) => {
    const frame = decodeFrame(bytes);
    const decoded = decode4(frame.ok ? frame.value.payload : bytes);
    return decoded.ok && decoded.value.cookie ? [decoded.value] : [];
  });
}

function typeOf(message: Message4): number | undefined {
  return message.options.get(code.messageType)?.[0];
}

/**
 * Whether each ACK to a REQUEST was preceded by an fsync or fdatasync of a write-ahead log that succeeded, that began after the REQUEST
 * had been received, and that had ended before the ACK was handed to the kernel. An ACK to an INFORM promises no address and needs none.
 */
export function checkDurability(text: string): Durability {
  const calls = callsIn(text).filter(({ result }) => result >= 0);
  const syncs = calls.filter(({ name, on }) => (name === 'fsync' || name === 'fdatasync') && on.endsWith('-wal'));
  const asked = new Map<number, { readonly type: number | undefined; readonly at: number }>();
  const broken: string[] = [];
  let acks = 0;
  for (const call of calls) {
    const received = call.name.startsWith('recv');
    for (const message of received || sends.has(call.name) ? messagesIn(call) : []) {
      const type = typeOf(message);
      if (received) asked.set(message.xid, { type, at: call.ended });
      if (received || type !== messageType.ack) continue;
      const request = asked.get(message.xid);
      if (request?.type === messageType.inform) continue;
      acks++;
      const at = request?.at ?? Number.POSITIVE_INFINITY;
      if (syncs.some(({ began, ended }) => began >= at && ended <= call.began)) continue;
      const why =
        request === undefined ? 'no REQUEST came before it' : 'no sync of the log lies between it and its REQUEST';
      broken.push(`ACK of ${formatIp(message.yiaddr)} at ${call.began}: ${why}`);
    }
  }
  return { acks, broken };
}

const sends: ReadonlySet<string> = new Set(['sendmsg', 'sendmmsg', 'sendto', 'write', 'writev']);
