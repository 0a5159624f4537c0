// Numbers in network order, at a place in octets; the caller has checked the bounds.

export function read16(bytes: Uint8Array, at: number): number {
  return (bytes[at]! << 8) | bytes[at + 1]!;
}

export function write16(bytes: Uint8Array, at: number, value: number): void {
  bytes[at] = value >>> 8;
  bytes[at + 1] = value;
}

export function read24(bytes: Uint8Array, at: number): number {
  return (bytes[at]! << 16) | read16(bytes, at + 1);
}

export function write24(bytes: Uint8Array, at: number, value: number): void {
  bytes[at] = value >>> 16;
  write16(bytes, at + 1, value);
}

export function read32(bytes: Uint8Array, at: number): number {
  return read16(bytes, at) * 0x10000 + read16(bytes, at + 2);
}

export function write32(bytes: Uint8Array, at: number, value: number): void {
  write16(bytes, at, value >>> 16);
  write16(bytes, at + 2, value);
}
