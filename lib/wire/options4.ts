// The DHCPv4 options, one row an option: RFC 2132 where a row names no other source, and the IANA registry.
import type { Field } from './fields.js';

/** The codes that the server itself has to do with. */
export const code = {
  pad: 0,
  subnetMask: 1,
  routers: 3,
  domainNameServers: 6,
  hostName: 12,
  domainName: 15,
  interfaceMtu: 26,
  broadcastAddress: 28,
  staticRoutes: 33,
  vendorEncapsulated: 43,
  requestedAddress: 50,
  leaseTime: 51,
  overload: 52,
  messageType: 53,
  serverIdentifier: 54,
  parameterRequestList: 55,
  message: 56,
  maxMessageSize: 57,
  renewalTime: 58,
  rebindingTime: 59,
  vendorClass: 60,
  clientIdentifier: 61,
  tftpServerName: 66,
  bootfileName: 67,
  userClass: 77,
  rapidCommit: 80,
  clientFqdn: 81,
  relayAgentInformation: 82,
  clientSystem: 93,
  clientNdi: 94,
  clientUuid: 97,
  v6OnlyPreferred: 108,
  subnetSelection: 118,
  domainSearch: 119,
  classlessStaticRoutes: 121,
  tftpServerAddresses: 150,
  ipxeEncapsulated: 175,
  end: 255,
} as const;

/** The values of option 53 (RFC 2132 §9.6). */
export const messageType = {
  discover: 1,
  offer: 2,
  request: 3,
  decline: 4,
  ack: 5,
  nak: 6,
  release: 7,
  inform: 8,
} as const;

export interface Option4 {
  readonly code: number;
  /** The one name that a configuration may use. */
  readonly name: string;
  readonly field: Field;
  /** Who writes it where it is not the operator: a configuration must not set it. */
  readonly by?: 'server' | 'client';
}

/** Every option with a name, by code. */
export const options4: readonly Option4[] = [
  { code: 1, name: 'subnet-mask', field: 'ip4' },
  { code: 2, name: 'time-offset', field: 'int32' },
  { code: 3, name: 'routers', field: 'ip4-list' },
  { code: 4, name: 'time-servers', field: 'ip4-list' },
  { code: 5, name: 'ien116-name-servers', field: 'ip4-list' },
  { code: 6, name: 'domain-name-servers', field: 'ip4-list' },
  { code: 7, name: 'log-servers', field: 'ip4-list' },
  { code: 8, name: 'cookie-servers', field: 'ip4-list' },
  { code: 9, name: 'lpr-servers', field: 'ip4-list' },
  { code: 10, name: 'impress-servers', field: 'ip4-list' },
  { code: 11, name: 'resource-location-servers', field: 'ip4-list' },
  { code: 12, name: 'host-name', field: 'text' },
  { code: 13, name: 'boot-size', field: 'uint16' },
  { code: 14, name: 'merit-dump', field: 'text' },
  { code: 15, name: 'domain-name', field: 'text' },
  { code: 16, name: 'swap-server', field: 'ip4' },
  { code: 17, name: 'root-path', field: 'text' },
  { code: 18, name: 'extensions-path', field: 'text' },
  { code: 19, name: 'ip-forwarding', field: 'boolean' },
  { code: 20, name: 'non-local-source-routing', field: 'boolean' },
  { code: 21, name: 'policy-filter', field: 'ip4-pairs' },
  { code: 22, name: 'max-dgram-reassembly', field: 'uint16' },
  { code: 23, name: 'default-ip-ttl', field: 'uint8' },
  { code: 24, name: 'path-mtu-aging-timeout', field: 'seconds' },
  { code: 25, name: 'path-mtu-plateau-table', field: 'uint16-list' },
  { code: 26, name: 'interface-mtu', field: 'uint16' },
  { code: 27, name: 'all-subnets-local', field: 'boolean' },
  { code: 28, name: 'broadcast-address', field: 'ip4' },
  { code: 29, name: 'perform-mask-discovery', field: 'boolean' },
  { code: 30, name: 'mask-supplier', field: 'boolean' },
  { code: 31, name: 'router-discovery', field: 'boolean' },
  { code: 32, name: 'router-solicitation-address', field: 'ip4' },
  { code: 33, name: 'static-routes', field: 'ip4-pairs' },
  { code: 34, name: 'trailer-encapsulation', field: 'boolean' },
  { code: 35, name: 'arp-cache-timeout', field: 'seconds' },
  { code: 36, name: 'ieee802-3-encapsulation', field: 'boolean' },
  { code: 37, name: 'default-tcp-ttl', field: 'uint8' },
  { code: 38, name: 'tcp-keepalive-interval', field: 'seconds' },
  { code: 39, name: 'tcp-keepalive-garbage', field: 'boolean' },
  { code: 40, name: 'nis-domain', field: 'text' },
  { code: 41, name: 'nis-servers', field: 'ip4-list' },
  { code: 42, name: 'ntp-servers', field: 'ip4-list' },
  { code: 43, name: 'vendor-encapsulated-options', field: 'sub-options' },
  { code: 44, name: 'netbios-name-servers', field: 'ip4-list' },
  { code: 45, name: 'netbios-dd-servers', field: 'ip4-list' },
  { code: 46, name: 'netbios-node-type', field: 'uint8' },
  { code: 47, name: 'netbios-scope', field: 'text' },
  { code: 48, name: 'font-servers', field: 'ip4-list' },
  { code: 49, name: 'x-display-managers', field: 'ip4-list' },
  { code: 50, name: 'dhcp-requested-address', field: 'ip4', by: 'client' },
  { code: 51, name: 'dhcp-lease-time', field: 'seconds', by: 'server' },
  { code: 52, name: 'dhcp-option-overload', field: 'uint8', by: 'server' },
  { code: 53, name: 'dhcp-message-type', field: 'uint8', by: 'server' },
  { code: 54, name: 'dhcp-server-identifier', field: 'ip4', by: 'server' },
  { code: 55, name: 'dhcp-parameter-request-list', field: 'uint8-list', by: 'client' },
  { code: 56, name: 'dhcp-message', field: 'text', by: 'server' },
  { code: 57, name: 'dhcp-max-message-size', field: 'uint16', by: 'client' },
  { code: 58, name: 'dhcp-renewal-time', field: 'seconds', by: 'server' },
  { code: 59, name: 'dhcp-rebinding-time', field: 'seconds', by: 'server' },
  { code: 60, name: 'vendor-class-identifier', field: 'text' },
  { code: 61, name: 'dhcp-client-identifier', field: 'bytes', by: 'client' },
  { code: 62, name: 'nwip-domain-name', field: 'text' }, // RFC 2242
  { code: 63, name: 'nwip-suboptions', field: 'sub-options' }, // RFC 2242
  { code: 64, name: 'nisplus-domain', field: 'text' },
  { code: 65, name: 'nisplus-servers', field: 'ip4-list' },
  { code: 66, name: 'tftp-server-name', field: 'text' },
  { code: 67, name: 'bootfile-name', field: 'text' },
  { code: 68, name: 'mobile-ip-home-agents', field: 'ip4-list' },
  { code: 69, name: 'smtp-servers', field: 'ip4-list' },
  { code: 70, name: 'pop3-servers', field: 'ip4-list' },
  { code: 71, name: 'nntp-servers', field: 'ip4-list' },
  { code: 72, name: 'www-servers', field: 'ip4-list' },
  { code: 73, name: 'finger-servers', field: 'ip4-list' },
  { code: 74, name: 'irc-servers', field: 'ip4-list' },
  { code: 75, name: 'streettalk-servers', field: 'ip4-list' },
  { code: 76, name: 'streettalk-directory-assistance-servers', field: 'ip4-list' },
  { code: 77, name: 'user-class', field: 'user-classes', by: 'client' }, // RFC 3004
  { code: 78, name: 'slp-directory-agent', field: 'bytes' }, // RFC 2610
  { code: 79, name: 'slp-service-scope', field: 'bytes' }, // RFC 2610
  { code: 80, name: 'rapid-commit', field: 'flag', by: 'server' }, // RFC 4039
  { code: 81, name: 'client-fqdn', field: 'client-fqdn', by: 'server' }, // RFC 4702
  { code: 82, name: 'relay-agent-information', field: 'relay-information', by: 'server' }, // RFC 3046
  { code: 83, name: 'isns', field: 'bytes' }, // RFC 4174
  { code: 85, name: 'nds-servers', field: 'ip4-list' }, // RFC 2241
  { code: 86, name: 'nds-tree-name', field: 'text' }, // RFC 2241
  { code: 87, name: 'nds-context', field: 'text' }, // RFC 2241
  { code: 88, name: 'bcms-controller-names', field: 'domain-names' }, // RFC 4280
  { code: 89, name: 'bcms-controller-address', field: 'ip4-list' }, // RFC 4280
  { code: 90, name: 'authentication', field: 'bytes', by: 'server' }, // RFC 3118
  { code: 91, name: 'client-last-transaction-time', field: 'seconds', by: 'server' }, // RFC 4388
  { code: 92, name: 'associated-ip', field: 'ip4-list', by: 'server' }, // RFC 4388
  { code: 93, name: 'client-system', field: 'uint16-list', by: 'client' }, // RFC 4578
  { code: 94, name: 'client-ndi', field: 'uint8-list', by: 'client' }, // RFC 4578
  { code: 97, name: 'uuid-guid', field: 'bytes', by: 'client' }, // RFC 4578
  { code: 98, name: 'uap-servers', field: 'text' }, // RFC 2485
  { code: 99, name: 'geoconf-civic', field: 'bytes' }, // RFC 4776
  { code: 100, name: 'pcode', field: 'text' }, // RFC 4833
  { code: 101, name: 'tcode', field: 'text' }, // RFC 4833
  { code: 108, name: 'v6-only-preferred', field: 'seconds' }, // RFC 8925
  { code: 112, name: 'netinfo-server-address', field: 'ip4-list' },
  { code: 113, name: 'netinfo-server-tag', field: 'text' },
  { code: 114, name: 'v4-captive-portal', field: 'text' }, // RFC 8910
  { code: 116, name: 'auto-config', field: 'uint8' }, // RFC 2563
  { code: 117, name: 'name-service-search', field: 'uint16-list' }, // RFC 2937
  { code: 118, name: 'subnet-selection', field: 'ip4', by: 'client' }, // RFC 3011
  { code: 119, name: 'domain-search', field: 'domain-search' }, // RFC 3397
  { code: 120, name: 'sip-servers', field: 'sip-servers' }, // RFC 3361
  { code: 121, name: 'classless-static-routes', field: 'routes' }, // RFC 3442
  { code: 122, name: 'cable-labs-client-configuration', field: 'sub-options' }, // RFC 3495
  { code: 123, name: 'geoconf', field: 'bytes' }, // RFC 6225
  { code: 124, name: 'vivco', field: 'enterprises', by: 'client' }, // RFC 3925
  { code: 125, name: 'vivso', field: 'enterprises' }, // RFC 3925
  { code: 136, name: 'pana-agents', field: 'ip4-list' }, // RFC 5192
  { code: 137, name: 'v4-lost', field: 'domain-name' }, // RFC 5223
  { code: 138, name: 'capwap-ac-v4', field: 'ip4-list' }, // RFC 5417
  { code: 139, name: 'mos-addresses', field: 'sub-options' }, // RFC 5678
  { code: 140, name: 'mos-domain-names', field: 'sub-options' }, // RFC 5678
  { code: 141, name: 'sip-ua-cs-domains', field: 'domain-names' }, // RFC 6011
  { code: 142, name: 'andsf-servers', field: 'ip4-list' }, // RFC 6153
  { code: 143, name: 'v4-sztp-redirect', field: 'bytes' }, // RFC 8572
  { code: 144, name: 'geoloc', field: 'bytes' }, // RFC 6225
  { code: 145, name: 'forcerenew-nonce-capable', field: 'uint8-list' }, // RFC 6704
  { code: 146, name: 'rdnss-selection', field: 'bytes' }, // RFC 6731
  { code: 147, name: 'dots-name', field: 'domain-name' }, // RFC 8973
  { code: 148, name: 'dots-addresses', field: 'ip4-list' }, // RFC 8973
  { code: 150, name: 'tftp-server-addresses', field: 'ip4-list' }, // RFC 5859
  { code: 151, name: 'status-code', field: 'bytes', by: 'server' }, // RFC 6926
  { code: 152, name: 'base-time', field: 'uint32', by: 'server' }, // RFC 6926
  { code: 153, name: 'start-time-of-state', field: 'uint32', by: 'server' }, // RFC 6926
  { code: 154, name: 'query-start-time', field: 'uint32', by: 'client' }, // RFC 6926
  { code: 155, name: 'query-end-time', field: 'uint32', by: 'client' }, // RFC 6926
  { code: 156, name: 'dhcp-state', field: 'uint8', by: 'server' }, // RFC 6926
  { code: 157, name: 'data-source', field: 'uint8', by: 'server' }, // RFC 6926
  { code: 158, name: 'v4-pcp-server', field: 'bytes' }, // RFC 7291
  { code: 159, name: 'v4-portparams', field: 'bytes' }, // RFC 7618
  { code: 161, name: 'mud-url', field: 'text', by: 'client' }, // RFC 8520
  { code: 162, name: 'v4-dnr', field: 'bytes' }, // RFC 9463
  { code: 175, name: 'ipxe-encapsulated-options', field: 'sub-options' },
  { code: 176, name: 'ip-telephony', field: 'bytes' },
  { code: 208, name: 'pxelinux-magic', field: 'bytes' }, // RFC 5071
  { code: 209, name: 'pxelinux-config-file', field: 'text' }, // RFC 5071
  { code: 210, name: 'pxelinux-path-prefix', field: 'text' }, // RFC 5071
  { code: 211, name: 'pxelinux-reboot-time', field: 'seconds' }, // RFC 5071
  { code: 212, name: 'v4-6rd', field: 'bytes' }, // RFC 5969
  { code: 213, name: 'v4-access-domain', field: 'domain-name' }, // RFC 5986
  { code: 220, name: 'subnet-allocation', field: 'bytes' }, // RFC 6656
  { code: 221, name: 'virtual-subnet-selection', field: 'bytes', by: 'server' }, // RFC 6607
  { code: 249, name: 'ms-classless-static-routes', field: 'routes' },
  { code: 252, name: 'wpad-url', field: 'text' },
];

const byCode = new Map(options4.map((row) => [row.code, row]));
const byName = new Map(options4.map((row) => [row.name, row]));
const numbered = /^option-([1-9]\d{0,2})$/;

/** The row of `name`; `option-N` gives a row of kind `bytes` where N, from 1 to 254, has none of its own. */
export function optionByName(name: string): Option4 | undefined {
  const digits = numbered.exec(name)?.[1];
  if (digits === undefined) return byName.get(name);
  const number = Number(digits);
  if (number > 254 || byCode.has(number)) return undefined;
  return { code: number, name, field: 'bytes' };
}

export function optionByCode(option: number): Option4 | undefined {
  return byCode.get(option);
}

/** The name of the option, `option-N` where it has none. */
export function named(option: number): string {
  return byCode.get(option)?.name ?? `option-${option}`;
}
