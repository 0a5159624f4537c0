// Names of those who ask: MAC addresses, client identifiers, and the owner key that either of them gives.

declare const brandMac: unique symbol;
declare const brandOwner: unique symbol;

/** A 48-bit MAC as lower-case text with colons, the one spelling that is compared and stored. */
export type Mac = string & { readonly [brandMac]: true };

/**
 * The key of who holds an address: a {@link Mac} as it is, `client-id:HEX` where there is no usable chaddr or the network says
 * so, `hw:TYPE:HEX` for hardware other than Ethernet. Text, so that logs, tables and the shell show the same word.
 */
export type Owner = (Mac | string) & { readonly [brandOwner]: true };

const hexes = Array.from({ length: 256 }, (_, i) => i.toString(16).padStart(2, '0'));

/** Lower-case hexadecimal, two digits an octet, with `separator` between octets. */
export function toHex(bytes: Uint8Array, separator = ''): string {
  let text = '';
  for (let i = 0; i < bytes.length; i++) text += i === 0 ? hexes[bytes[i]!]! : separator + hexes[bytes[i]!]!;
  return text;
}

/** Octets from hexadecimal digits, colons or dashes between octets allowed; undefined where it is not that. */
export function fromHex(text: string): Uint8Array | undefined {
  const digits = text.replace(/[:-]/g, '');
  if (digits.length % 2 !== 0 || /[^0-9a-fA-F]/.test(digits)) return undefined;
  return Uint8Array.from({ length: digits.length / 2 }, (_, i) => parseInt(digits.slice(2 * i, 2 * i + 2), 16));
}

/** Reads a MAC written with colons, dashes, Cisco dots or nothing between the octets. */
export function parseMac(text: string): Mac | undefined {
  const six = /^([0-9a-f]{2}([:-])[0-9a-f]{2}(\2[0-9a-f]{2}){4}|[0-9a-f]{4}(\.[0-9a-f]{4}){2}|[0-9a-f]{12})$/i;
  if (!six.test(text)) return undefined;
  return (text.toLowerCase().replace(/[:.-]/g, '').match(/../g) ?? []).join(':') as Mac;
}

/** The MAC in the first six octets of `chaddr`. */
export function macFromBytes(chaddr: Uint8Array): Mac {
  return `${hexes[chaddr[0]!]!}:${hexes[chaddr[1]!]!}:${hexes[chaddr[2]!]!}:${hexes[chaddr[3]!]!}:${hexes[chaddr[4]!]!}:${hexes[chaddr[5]!]!}` as Mac;
}

/** The six octets of `mac`, behind those of `head` where there are any. */
export function macToBytes(mac: Mac, head: readonly number[] = []): Uint8Array {
  const bytes = new Uint8Array(head.length + 6);
  bytes.set(head);
  for (let i = 0; i < 6; i++) {
    bytes[head.length + i] = digit(mac.charCodeAt(3 * i)) * 16 + digit(mac.charCodeAt(3 * i + 1));
  }
  return bytes;
}

/** The value of a lower-case hexadecimal digit. */
function digit(code: number): number {
  return code < 58 ? code - 48 : code - 87;
}

export function ownerOfMac(mac: Mac): Owner {
  return mac as string as Owner;
}

export function ownerOfClientId(id: Uint8Array): Owner {
  return `client-id:${toHex(id)}` as Owner;
}

/** Hardware that is not 6-octet Ethernet (htype as IANA's ARP registry numbers it). */
export function ownerOfHardware(htype: number, address: Uint8Array): Owner {
  return `hw:${htype}:${toHex(address)}` as Owner;
}

/** The MAC that `owner` is, where it is one. */
export function macOfOwner(owner: Owner): Mac | undefined {
  return owner.length === 17 && owner[2] === ':' ? (owner as string as Mac) : undefined;
}
