// The DHCPv6 options, one row an option: RFC 9915 where a row names no other source, and the IANA registry, whose names these are.
import type { Field } from './fields.js';

export interface Option6Row {
  readonly code: number;
  /** The one name that a configuration may use. */
  readonly name: string;
  readonly field: Field;
  /** Who writes it where it is not the operator: a configuration must not set it. */
  readonly by?: 'server' | 'client' | 'relay';
}

/** Every option with a name, by code. */
export const options6: readonly Option6Row[] = [
  { code: 1, name: 'clientid', field: 'duid', by: 'client' },
  { code: 2, name: 'serverid', field: 'duid', by: 'server' },
  { code: 3, name: 'ia-na', field: 'ia', by: 'server' },
  { code: 4, name: 'ia-ta', field: 'ia-ta', by: 'server' }, // RFC 8415 §21.5
  { code: 5, name: 'iaaddr', field: 'ia-address', by: 'server' },
  { code: 6, name: 'oro', field: 'uint16-list', by: 'client' },
  { code: 7, name: 'preference', field: 'uint8' },
  { code: 8, name: 'elapsed-time', field: 'uint16', by: 'client' },
  { code: 9, name: 'relay-msg', field: 'bytes', by: 'relay' },
  { code: 11, name: 'auth', field: 'bytes', by: 'server' },
  { code: 12, name: 'unicast', field: 'ip6', by: 'server' }, // RFC 8415 §21.12
  { code: 13, name: 'status-code', field: 'status', by: 'server' },
  { code: 14, name: 'rapid-commit', field: 'flag', by: 'server' },
  { code: 15, name: 'user-class', field: 'strings', by: 'client' },
  { code: 16, name: 'vendor-class', field: 'vendor-class' },
  { code: 17, name: 'vendor-opts', field: 'vendor-options' },
  { code: 18, name: 'interface-id', field: 'bytes', by: 'relay' },
  { code: 19, name: 'reconf-msg', field: 'uint8', by: 'server' },
  { code: 20, name: 'reconf-accept', field: 'flag', by: 'server' },
  { code: 21, name: 'sip-server-d', field: 'domain-names' }, // RFC 3319
  { code: 22, name: 'sip-server-a', field: 'ip6-list' }, // RFC 3319
  { code: 23, name: 'dns-servers', field: 'ip6-list' }, // RFC 3646
  { code: 24, name: 'domain-list', field: 'domain-names' }, // RFC 3646
  { code: 25, name: 'ia-pd', field: 'ia', by: 'server' },
  { code: 26, name: 'iaprefix', field: 'ia-prefix', by: 'server' },
  { code: 27, name: 'nis-servers', field: 'ip6-list' }, // RFC 3898
  { code: 28, name: 'nisp-servers', field: 'ip6-list' }, // RFC 3898
  { code: 29, name: 'nis-domain-name', field: 'domain-name' }, // RFC 3898
  { code: 30, name: 'nisp-domain-name', field: 'domain-name' }, // RFC 3898
  { code: 31, name: 'sntp-servers', field: 'ip6-list' }, // RFC 4075
  { code: 32, name: 'information-refresh-time', field: 'seconds' },
  { code: 33, name: 'bcmcs-server-d', field: 'domain-names' }, // RFC 4280
  { code: 34, name: 'bcmcs-server-a', field: 'ip6-list' }, // RFC 4280
  { code: 36, name: 'geoconf-civic', field: 'bytes' }, // RFC 4776
  { code: 37, name: 'remote-id', field: 'remote-id', by: 'relay' }, // RFC 4649
  { code: 38, name: 'subscriber-id', field: 'text', by: 'relay' }, // RFC 4580
  { code: 39, name: 'client-fqdn', field: 'client-name', by: 'server' }, // RFC 4704
  { code: 40, name: 'pana-agent', field: 'ip6-list' }, // RFC 5192
  { code: 41, name: 'new-posix-timezone', field: 'text' }, // RFC 4833
  { code: 42, name: 'new-tzdb-timezone', field: 'text' }, // RFC 4833
  { code: 43, name: 'ero', field: 'uint16-list', by: 'relay' }, // RFC 4994
  { code: 44, name: 'lq-query', field: 'bytes', by: 'client' }, // RFC 5007
  { code: 45, name: 'client-data', field: 'options-6', by: 'server' }, // RFC 5007
  { code: 46, name: 'clt-time', field: 'uint32', by: 'server' }, // RFC 5007
  { code: 47, name: 'lq-relay-data', field: 'bytes', by: 'server' }, // RFC 5007
  { code: 48, name: 'lq-client-link', field: 'ip6-list', by: 'server' }, // RFC 5007
  { code: 51, name: 'v6-lost', field: 'domain-name' }, // RFC 5223
  { code: 52, name: 'capwap-ac-v6', field: 'ip6-list' }, // RFC 5417
  { code: 53, name: 'relay-id', field: 'duid', by: 'relay' }, // RFC 5460
  { code: 56, name: 'ntp-server', field: 'ntp-servers' }, // RFC 5908
  { code: 57, name: 'v6-access-domain', field: 'domain-name' }, // RFC 5986
  { code: 58, name: 'sip-ua-cs-list', field: 'domain-names' }, // RFC 6011
  { code: 59, name: 'bootfile-url', field: 'text' }, // RFC 5970
  { code: 60, name: 'bootfile-param', field: 'strings' }, // RFC 5970
  { code: 61, name: 'client-arch-type', field: 'uint16-list', by: 'client' }, // RFC 5970
  { code: 62, name: 'nii', field: 'uint8-list', by: 'client' }, // RFC 5970
  { code: 63, name: 'geolocation', field: 'bytes' }, // RFC 6225
  { code: 64, name: 'aftr-name', field: 'domain-name' }, // RFC 6334
  { code: 65, name: 'erp-local-domain-name', field: 'domain-name' }, // RFC 6440
  { code: 66, name: 'rsoo', field: 'options-6', by: 'relay' }, // RFC 6422
  { code: 67, name: 'pd-exclude', field: 'bytes', by: 'server' }, // RFC 6603
  { code: 68, name: 'vss', field: 'bytes', by: 'relay' }, // RFC 6607
  { code: 74, name: 'rdnss-selection', field: 'bytes' }, // RFC 6731
  { code: 79, name: 'client-linklayer-addr', field: 'link-layer', by: 'relay' }, // RFC 6939
  { code: 80, name: 'link-address', field: 'ip6', by: 'relay' }, // RFC 6977
  { code: 82, name: 'sol-max-rt', field: 'seconds' },
  { code: 83, name: 'inf-max-rt', field: 'seconds' },
  { code: 84, name: 'addrsel', field: 'bytes' }, // RFC 7078
  { code: 86, name: 'v6-pcp-server', field: 'ip6-list' }, // RFC 7291
  { code: 87, name: 'dhcpv4-msg', field: 'bytes', by: 'server' }, // RFC 7341
  { code: 88, name: 'dhcp4-o-dhcp6-server', field: 'ip6-list' }, // RFC 7341
  { code: 94, name: 's46-cont-mape', field: 'options-6' }, // RFC 7598
  { code: 95, name: 's46-cont-mapt', field: 'options-6' }, // RFC 7598
  { code: 96, name: 's46-cont-lw', field: 'options-6' }, // RFC 7598
  { code: 103, name: 'v6-captive-portal', field: 'text' }, // RFC 8910
  { code: 111, name: 's46-priority', field: 'uint16-list' }, // RFC 8026
  { code: 112, name: 'mud-url-v6', field: 'text', by: 'client' }, // RFC 8520
  { code: 113, name: 'v6-prefix64', field: 'bytes' }, // RFC 8115
  { code: 135, name: 'relay-port', field: 'uint16', by: 'relay' }, // RFC 8357
  { code: 136, name: 'v6-sztp-redirect', field: 'strings' }, // RFC 8572
  { code: 141, name: 'v6-dots-ri', field: 'domain-name' }, // RFC 8973
  { code: 142, name: 'v6-dots-address', field: 'ip6-list' }, // RFC 8973
  { code: 143, name: 'ipv6-address-andsf', field: 'ip6-list' }, // RFC 6153
  { code: 144, name: 'v6-dnr', field: 'bytes' }, // RFC 9463
  { code: 148, name: 'addr-reg-enable', field: 'flag' }, // RFC 9686
];

const byCode = new Map(options6.map((row) => [row.code, row]));
const byName = new Map(options6.map((row) => [row.name, row]));
const numbered = /^option-([1-9]\d{0,4})$/;

/** The row of `name`; `option-N` gives a row of kind `bytes` where N, from 1 to 65535, has none of its own. */
export function option6ByName(name: string): Option6Row | undefined {
  const digits = numbered.exec(name)?.[1];
  if (digits === undefined) return byName.get(name);
  const number = Number(digits);
  if (number > 0xffff || byCode.has(number)) return undefined;
  return { code: number, name, field: 'bytes' };
}

export function option6ByCode(option: number): Option6Row | undefined {
  return byCode.get(option);
}

/** The name of the option, `option-N` where it has none. */
export function named6(option: number): string {
  return byCode.get(option)?.name ?? `option-${option}`;
}
