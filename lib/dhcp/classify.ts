// What a DHCPv4 client asks for, told from the message alone (RFC 2131 §4.3.2 and table 4).
import type { Ip4 } from '../net/ip.js';
import { readIp4 } from '../net/ip.js';
import type { Failure } from '../net/reason.js';
import { fail } from '../net/reason.js';
import type { Message4 } from '../wire/message4.js';
import { BOOTREQUEST } from '../wire/message4.js';
import { code, messageType } from '../wire/options4.js';

/**
 * `selecting` answers an OFFER, `reboot` verifies an address from before, `extend` is RENEW and REBIND (they differ only in how they
 * are sent), `empty` names no address at all.
 */
export type Asked =
  | { readonly kind: 'discover'; readonly wanted: Ip4 | undefined }
  | { readonly kind: 'selecting'; readonly wanted: Ip4 }
  | { readonly kind: 'reboot'; readonly wanted: Ip4 }
  | { readonly kind: 'extend'; readonly wanted: Ip4 }
  | { readonly kind: 'empty' }
  | { readonly kind: 'release'; readonly address: Ip4 }
  | { readonly kind: 'decline'; readonly address: Ip4 }
  | { readonly kind: 'inform' }
  | { readonly kind: 'bootp' };

export interface Classified {
  readonly ok: true;
  readonly asked: Asked;
  /** Option 54, where the client names a server. */
  readonly server: Ip4 | undefined;
}

/** Reads the IPv4 address in option `option`; undefined where it is absent, not four octets long, or 0.0.0.0. */
export function addressOption(message: Message4, option: number): Ip4 | undefined {
  const value = message.options.get(option);
  if (value?.length !== 4) return undefined;
  const address = readIp4(value, 0);
  return address === 0 ? undefined : address;
}

/** Fails with `bad-op` for what a server sends, `unknown-message` for types that a server does not answer. */
export function classify(message: Message4): Classified | Failure {
  if (message.op !== BOOTREQUEST) return fail('bad-op');
  const server = addressOption(message, code.serverIdentifier);
  const asked = askedBy(message, server);
  return asked === undefined ? fail('unknown-message', typeName(message)) : { ok: true, asked, server };
}

function askedBy(message: Message4, server: Ip4 | undefined): Asked | undefined {
  const wanted = addressOption(message, code.requestedAddress);
  const { ciaddr } = message;
  switch (typeOf(message)) {
    case undefined:
      return message.options.has(code.messageType) ? undefined : { kind: 'bootp' };
    case messageType.discover:
      return { kind: 'discover', wanted };
    case messageType.request:
      // An address in use comes first: some clients send options 50 and 54 beside ciaddr.
      if (ciaddr !== 0) return { kind: 'extend', wanted: ciaddr };
      if (wanted === undefined) return { kind: 'empty' };
      return { kind: server === undefined ? 'reboot' : 'selecting', wanted };
    case messageType.decline:
      return { kind: 'decline', address: wanted ?? ciaddr };
    case messageType.release:
      return { kind: 'release', address: ciaddr };
    case messageType.inform:
      return { kind: 'inform' };
    default:
      return undefined;
  }
}

function typeOf(message: Message4): number | undefined {
  const value = message.options.get(code.messageType);
  return value?.length === 1 ? value[0] : undefined;
}

const names: Readonly<Record<number, string>> = Object.fromEntries(
  Object.entries(messageType).map(([name, number]) => [number, name.toUpperCase()]),
);

/** DISCOVER, OFFER, …; `BOOTP` without option 53, `type N` for others. */
export function typeName(message: Message4): string {
  if (!message.options.has(code.messageType)) return 'BOOTP';
  const type = typeOf(message);
  return type === undefined ? 'type ?' : (names[type] ?? `type ${type}`);
}
