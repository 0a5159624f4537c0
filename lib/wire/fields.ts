// Option values by kind: from a configuration to octets, and from octets to what people and JSON show.
import { toHex } from '../net/ids.js';
import type { Kind } from './kinds.js';
import * as plain from './kinds.js';
import * as structured from './kinds-structured.js';
import * as v6 from './kinds6.js';
import { relayInformation } from './relay-information.js';

const kinds = {
  flag: plain.flag,
  boolean: plain.boolean,
  uint8: plain.uint8,
  uint16: plain.uint16,
  uint32: plain.uint32,
  int32: plain.int32,
  'uint8-list': plain.uint8List,
  'uint16-list': plain.uint16List,
  seconds: plain.seconds,
  ip4: plain.ip4,
  'ip4-list': plain.ip4List,
  'ip4-pairs': plain.ip4Pairs,
  ip6: plain.ip6,
  'ip6-list': plain.ip6List,
  text: plain.text,
  bytes: plain.bytes,
  'domain-name': structured.domainName,
  'domain-names': structured.domainNames,
  'domain-search': structured.domainSearch,
  routes: structured.routes,
  'sip-servers': structured.sipServers,
  'user-classes': structured.userClasses,
  'sub-options': structured.subOptions,
  enterprises: structured.enterprises,
  'client-fqdn': structured.clientFqdn,
  'relay-information': relayInformation,
  duid: v6.duid,
  strings: v6.strings,
  'vendor-class': v6.vendorClass,
  'vendor-options': v6.vendorOptions,
  'ntp-servers': v6.ntpServers,
  ia: v6.ia,
  'ia-ta': v6.iaTa,
  'ia-address': v6.iaAddress,
  'ia-prefix': v6.iaPrefix,
  status: v6.status,
  'client-name': v6.clientName,
  'remote-id': v6.remoteId,
  'link-layer': v6.linkLayer,
  'options-6': v6.optionArea,
} as const satisfies Record<string, Kind>;

/** The kinds of value that an option can have. */
export type Field = keyof typeof kinds;

/** Every kind. */
export const fields = Object.keys(kinds) as readonly Field[];

/** Octets, or what would have been right, as the end of the sentence "it should be …". */
export type EncodedField =
  { readonly ok: true; readonly bytes: Uint8Array } | { readonly ok: false; readonly right: string };

/** Writes `value`, as YAML gives it (text, number, boolean or a list of them), as a value of kind `field`. */
export function encodeField(field: Field, value: unknown): EncodedField {
  const kind: Kind = kinds[field];
  const bytes = kind.encode(value);
  return bytes === undefined ? { ok: false, right: kind.right } : { ok: true, bytes };
}

/** What `bytes` say, on one line of printable ASCII; octets with colons where they are not of kind `field`. */
export function formatField(field: Field, bytes: Uint8Array): string {
  const kind: Kind = kinds[field];
  if (kind.text !== undefined) return kind.text(bytes) ?? toHex(bytes, ':');
  const shown = jsonField(field, bytes);
  return Array.isArray(shown) ? shown.join(', ') : String(shown);
}

/** The same as a value for JSON: text, number, boolean, a list, or an object with snake_case keys. */
export function jsonField(field: Field, bytes: Uint8Array): unknown {
  return kinds[field].json(bytes) ?? toHex(bytes, ':');
}
