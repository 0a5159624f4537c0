// Option 82, the relay agent information: its sub-options by name (RFC 3046, IANA Relay Agent Sub-Option Codes).
import { toHex } from '../net/ids.js';
import type { Kind } from './kinds.js';
import { bytes, flag, ip4, text, uint32, uint8 } from './kinds.js';
import { readOnly } from './kinds-structured.js';
import { decodeSubOptions } from './suboptions.js';

/** The sub-options of option 82 that the server and the probe have to do with. */
export const relaySub = {
  circuitId: 1,
  remoteId: 2,
  linkSelection: 5,
  subscriberId: 6,
  relayFlags: 10,
  serverIdOverride: 11,
  relayId: 12,
  relayPort: 19,
} as const;

interface RelaySubOption {
  readonly code: number;
  readonly name: string;
  readonly kind: Kind;
}

const rows: readonly RelaySubOption[] = [
  { code: relaySub.circuitId, name: 'circuit-id', kind: bytes }, // RFC 3046 §3.1
  { code: relaySub.remoteId, name: 'remote-id', kind: bytes }, // RFC 3046 §3.2
  { code: 4, name: 'docsis-device-class', kind: uint32 }, // RFC 3256
  { code: relaySub.linkSelection, name: 'link-selection', kind: ip4 }, // RFC 3527
  { code: relaySub.subscriberId, name: 'subscriber-id', kind: text }, // RFC 3993
  { code: 7, name: 'radius-attributes', kind: bytes }, // RFC 4014
  { code: 8, name: 'authentication', kind: bytes }, // RFC 4030
  { code: 9, name: 'vendor-specific-information', kind: bytes }, // RFC 4243
  { code: relaySub.relayFlags, name: 'relay-flags', kind: uint8 }, // RFC 5010
  { code: relaySub.serverIdOverride, name: 'server-id-override', kind: ip4 }, // RFC 5107
  { code: relaySub.relayId, name: 'relay-id', kind: bytes }, // RFC 6925
  { code: 13, name: 'access-technology-type', kind: bytes }, // RFC 7839
  { code: 14, name: 'access-network-name', kind: text }, // RFC 7839
  { code: 15, name: 'access-point-name', kind: text }, // RFC 7839
  { code: 16, name: 'access-point-bssid', kind: bytes }, // RFC 7839
  { code: 17, name: 'operator-id', kind: bytes }, // RFC 7839
  { code: 18, name: 'operator-realm', kind: text }, // RFC 7839
  { code: relaySub.relayPort, name: 'relay-port', kind: flag }, // RFC 8357 §5: present or not
  { code: 151, name: 'virtual-subnet-selection', kind: bytes }, // RFC 6607
  { code: 152, name: 'virtual-subnet-selection-control', kind: flag }, // RFC 6607
];

const byCode = new Map(rows.map((row) => [row.code, row]));

/** The value of option 82 for people: every sub-option by its name, or `sub_N`. */
export const relayInformation = readOnly((octets) => {
  const subs = decodeSubOptions(octets, false);
  if (subs === undefined || subs.size === 0) return undefined;
  return Object.fromEntries(
    [...subs].map(([sub, value]) => {
      const row = byCode.get(sub);
      if (row === undefined) return [`sub_${sub}`, toHex(value, ':')];
      return [row.name.replaceAll('-', '_'), row.kind.json(value) ?? toHex(value, ':')];
    }),
  );
});
