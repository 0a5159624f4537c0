// The sockets that node:dgram cannot make: bound to a link, with forced buffers, or for whole Ethernet frames. The only user of FFI.
import { getSystemErrorName } from 'node:util';
import koffi from 'koffi';
import type { Ip4 } from '../../lib/net/ip.js';
import { writeIp4 } from '../../lib/net/ip.js';

// Numbers of Linux's headers, the same on x86-64 and arm64 (asm-generic/socket.h, bits/socket.h, if_packet.h).
const AF_INET = 2;
const AF_PACKET = 17;
const SOCK_DGRAM = 2;
const SOCK_RAW = 3;
const SOCK_NONBLOCK = 0o4000;
const SOCK_CLOEXEC = 0o2000000;
const SOL_SOCKET = 1;
const SO_BROADCAST = 6;
const SO_SNDBUF = 7;
const SO_RCVBUF = 8;
const SO_BINDTODEVICE = 25;
const SO_SNDBUFFORCE = 32;
const SO_RCVBUFFORCE = 33;
const ETH_P_IP = 0x0800;

type Call<A extends unknown[]> = (...args: A) => number;

/** The symbols of the C library that the process already runs on, whichever that is. */
const libc = koffi.load(null);
const socket = libc.func('int socket(int domain, int type, int protocol)') as Call<[number, number, number]>;
const bind = libc.func('int bind(int fd, const void *address, uint32_t length)') as Call<[number, Uint8Array, number]>;
const close = libc.func('int close(int fd)') as Call<[number]>;
const setsockopt = libc.func('int setsockopt(int fd, int level, int name, const void *value, uint32_t length)') as Call<
  [number, number, number, Uint8Array, number]
>;
const sendto = libc.func(
  'long sendto(int fd, const void *bytes, size_t size, int flags, const void *address, uint32_t length)',
) as Call<[number, Uint8Array, number, number, Uint8Array, number]>;

/** A descriptor, or the call that failed and the name of its errno, such as `EADDRINUSE`. */
export type Opened =
  | { readonly ok: true; readonly fd: number }
  | { readonly ok: false; readonly call: 'socket' | 'setsockopt' | 'bind'; readonly code: string };

/**
 * A UDP socket bound to `address`:`port`, and to the link `device` where one is named. Bound to 255.255.255.255 and a link it receives the
 * limited broadcasts of that link and nothing else. Buffers of `buffer` octets are asked for in both directions, beyond the system's limit
 * where CAP_NET_ADMIN allows it; less is no failure. The caller owns the descriptor.
 */
export function openUdp4(address: Ip4, port: number, device: string | undefined, buffer: number): Opened {
  const fd = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (fd < 0) return failed('socket');
  if (device !== undefined) {
    const name = new TextEncoder().encode(`${device}\0`);
    if (setsockopt(fd, SOL_SOCKET, SO_BINDTODEVICE, name, name.length) < 0) return failed('setsockopt', fd);
  }
  const size = int32(buffer);
  if (setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, size, 4) < 0) setsockopt(fd, SOL_SOCKET, SO_RCVBUF, size, 4);
  if (setsockopt(fd, SOL_SOCKET, SO_SNDBUFFORCE, size, 4) < 0) setsockopt(fd, SOL_SOCKET, SO_SNDBUF, size, 4);
  if (setsockopt(fd, SOL_SOCKET, SO_BROADCAST, int32(1), 4) < 0) return failed('setsockopt', fd);

  // struct sockaddr_in: family in the machine's order, port and address in the network's, eight octets of nothing.
  const name = new Uint8Array(16);
  const view = new DataView(name.buffer);
  new Uint16Array(name.buffer, 0, 1)[0] = AF_INET;
  view.setUint16(2, port);
  writeIp4(name, 4, address);
  return bind(fd, name, name.length) < 0 ? failed('bind', fd) : { ok: true, fd };
}

/** A socket that sends whole Ethernet frames and receives none (protocol 0). Needs CAP_NET_RAW. The caller owns the descriptor. */
export function openPacketSocket(): Opened {
  const fd = socket(AF_PACKET, SOCK_RAW | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  return fd < 0 ? failed('socket') : { ok: true, fd };
}

/** Where {@link sendFrame} sends: struct sockaddr_ll, made once for a link, of which only the index counts for a raw frame. */
export function linkAddress(index: number): Uint8Array {
  const address = new Uint8Array(20);
  new Uint16Array(address.buffer, 0, 1)[0] = AF_PACKET;
  new DataView(address.buffer).setUint16(2, ETH_P_IP);
  new Int32Array(address.buffer, 4, 1)[0] = index;
  return address;
}

/** Sends one Ethernet frame by the link of `address`; the name of the errno where the kernel did not take it. */
export function sendFrame(fd: number, address: Uint8Array, frame: Uint8Array): string | undefined {
  return sendto(fd, frame, frame.length, 0, address, address.length) < 0 ? errorName() : undefined;
}

export function closeDescriptor(fd: number): void {
  close(fd);
}

function failed(call: 'socket' | 'setsockopt' | 'bind', fd?: number): Opened {
  const code = errorName();
  if (fd !== undefined) close(fd);
  return { ok: false, call, code };
}

function errorName(): string {
  return getSystemErrorName(-koffi.errno());
}

function int32(value: number): Uint8Array {
  return new Uint8Array(Int32Array.of(value).buffer);
}
