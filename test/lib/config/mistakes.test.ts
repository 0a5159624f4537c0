// Every mistake that a configuration is refused for, with the line that says so.
import { expect } from 'chai';
import { mistakesOf, rack1, warningsOf } from './said.js';

/** Title, text of the main file, the lines that are said. */
type Row = readonly [title: string, text: string, ...said: string[]];

function table(rows: readonly Row[]): void {
  for (const [title, text, ...said] of rows) {
    it(title, () => {
      expect(mistakesOf(text)).to.deep.equal(said);
    });
  }
}

const second = `  - name: rack2
    prefixes: `;

describe('mistakes of networks', () => {
  table([
    [
      'prefixes that overlap in one VRF',
      `${rack1}${second}10.20.0.128/25\n`,
      'f:7:15: networks[rack2].prefixes: 10.20.0.128/25 overlaps 10.20.0.0/24 of network rack1 (line 3); set them apart, or give one of the networks a `vrf` of its own',
    ],
    ['the same prefixes in two VRFs are none', `${rack1}${second}10.20.0.0/24\n    vrf: blue\n`],
    [
      'prefixes that overlap within a network, the wider one written last',
      'networks:\n  - {name: a, prefixes: [10.20.1.0/24, 10.20.0.0/16]}\n',
      'f:2:40: networks[a].prefixes[1]: 10.20.0.0/16 overlaps 10.20.1.0/24 of the same network (line 2); remove one of the two',
    ],
    [
      'overlapping pools',
      `networks:\n  - name: a\n    prefixes: 10.20.0.0/24\n    pools:\n      - 10.20.0.10-10.20.0.20\n      - 10.20.0.20-10.20.0.30\n`,
      'f:6:9: networks[a].pools[1]: the pool 10.20.0.20-10.20.0.30 overlaps 10.20.0.10-10.20.0.20 (line 5); set them apart, or join them into one',
    ],
    [
      'a pool outside of the prefixes',
      'networks:\n  - {name: a, prefixes: 10.20.0.0/24, pools: 10.21.0.10-10.21.0.20}\n',
      'f:2:46: networks[a].pools: the pool 10.21.0.10-10.21.0.20 lies in none of the prefixes of this network; write it within 10.20.0.0/24',
    ],
    [
      'a pool that runs out of its prefix',
      'networks:\n  - {name: a, prefixes: 10.20.0.0/24, pools: 10.20.0.200-10.20.1.20}\n',
      'f:2:46: networks[a].pools: the pool 10.20.0.200-10.20.1.20 runs out of 10.20.0.0/24; write it within 10.20.0.0-10.20.0.255',
    ],
    [
      'reserved addresses outside',
      'networks:\n  - {name: a, prefixes: 10.20.0.0/24, pools: 10.20.0.9, reserved: [10.20.0.2, 10.30.0.1]}\n',
      'f:2:79: networks[a].reserved[1]: the reserved range 10.30.0.1 lies in none of the prefixes of this network; write it within 10.20.0.0/24',
    ],
    [
      'a gateway outside, and one that is the broadcast address',
      'networks:\n  - {name: a, prefixes: 10.20.0.0/24, pools: 10.20.0.9, gateway: [10.30.0.1, 10.20.0.255]}\n',
      'f:2:67: networks[a].gateway[0]: the gateway 10.30.0.1 lies in none of the prefixes of this network; write one within 10.20.0.0/24',
      'f:2:78: networks[a].gateway[1]: the gateway 10.20.0.255 is the broadcast address of 10.20.0.0/24; write the address that the router has',
    ],
    [
      'two networks of one name',
      `${rack1}  - {name: rack1, prefixes: 10.21.0.0/24, pools: 10.21.0.9}\n`,
      'f:6:12: networks[rack1].name: another network is called rack1 too (line 2); give each a name of its own',
    ],
    [
      'a shortest time over the usual one',
      `lease: {default: 5m, min: 10m}\n${rack1}`,
      'f:1:27: lease.min: min 10m is longer than default 5m; min is the shortest, default between, max the longest',
    ],
    [
      "a network's usual time over everyone's longest",
      `lease: {max: 1h}\n${rack1}    lease: {default: 2h}\n`,
      'f:7:22: networks[rack1].lease.default: default 2h is longer than max 1h; min is the shortest, default between, max the longest',
    ],
    [
      'a shortest time over the longest, and no usual one',
      `lease: {min: 2h, max: 3600}\n${rack1}`,
      'f:1:14: lease.min: min 2h is longer than max 1h; min is the shortest, default between, max the longest',
    ],
    ['times that are not written give way', `lease: {default: 7d}\n${rack1}`],
    [
      'no network at all',
      'machines: []\n',
      'f:1:1: networks: no network is declared, so nobody would be served; write one item a network, beginning with `- name: `',
    ],
    [
      'a server-id that is not IPv4',
      `server: {server-id: "fd00::1"}\n${rack1}`,
      'f:1:21: server.server-id: "fd00::1" is not an IPv4 address (it is an IPv6 one); write one of the addresses of this server, such as 10.20.0.1',
    ],
    [
      'a delegation that does not fit',
      `${rack1}    delegate: {prefix: "fd00:2000::/40", length: 32}\n`,
      'f:6:50: networks[rack1].delegate.length: a delegated prefix of length 32 does not fit into fd00:2000::/40; write a length from 40 to 128',
    ],
    [
      'a delegation of IPv4',
      `${rack1}    delegate: {prefix: 10.0.0.0/8, length: 200}\n`,
      'f:6:24: networks[rack1].delegate.prefix: 10.0.0.0/8 is IPv4, and prefixes are delegated in IPv6 only; write one such as "fd00:2000::/40"',
      'f:6:44: networks[rack1].delegate.length: 200 is not a length; write a whole number of bits from 1 to 128, such as 56',
    ],
  ]);
});

/** A machine whose interface, on line 8, is `iface`. */
function machine(iface: string): string {
  return `${rack1}machines:\n  - name: node1\n    interfaces:\n      - ${iface}\n`;
}

const at = 'machines[node1].interfaces[0]';

describe('mistakes of machines', () => {
  table([
    [
      'one fixed address twice',
      machine('{mac: "02:00:00:00:00:01", ipv4: 10.20.0.11}') +
        '  - {name: node2, interfaces: [{mac: "02:00:00:00:00:02", ipv4: 10.20.0.11}]}\n',
      'f:10:65: machines[node2].interfaces[0].ipv4: 10.20.0.11 is fixed for machine node1 already (line 9); an address has one holder, so give 02:00:00:00:00:02 another one',
    ],
    [
      'a fixed address that is the gateway',
      machine('{mac: "02:00:00:00:00:01", ipv4: 10.20.0.1}'),
      `f:9:42: ${at}.ipv4: 10.20.0.1 is a gateway (line 4), which is never given to anybody; write another address`,
    ],
    [
      'a fixed address that is the broadcast address',
      machine('{mac: "02:00:00:00:00:01", ipv4: 10.20.0.255}'),
      `f:9:42: ${at}.ipv4: 10.20.0.255 is the broadcast address of 10.20.0.0/24 (line 3), which is never given to anybody; write another address`,
    ],
    [
      'a fixed address that is reserved',
      machine('{mac: "02:00:00:00:00:01", ipv4: 10.20.0.5}').replace(
        '    gateway',
        '    reserved: 10.20.0.2-10.20.0.9\n    gateway',
      ),
      `f:10:42: ${at}.ipv4: 10.20.0.5 is reserved (10.20.0.2-10.20.0.9) (line 4), which is never given to anybody; write another address`,
    ],
    [
      'a fixed address that is the server-id',
      `server: {server-id: 10.20.0.2}\n${machine('{mac: "02:00:00:00:00:01", ipv4: 10.20.0.2}')}`,
      `f:10:42: ${at}.ipv4: 10.20.0.2 is the server-id (line 1), which is never given to anybody; write another address`,
    ],
    [
      'a fixed address that is a relay',
      machine('{mac: "02:00:00:00:00:01", ipv4: 10.20.0.254}').replace(
        '    gateway',
        '    relays: [10.20.0.254, 10.20.0.128/25]\n    gateway',
      ),
      `f:10:42: ${at}.ipv4: 10.20.0.254 is a relay (line 4), which is never given to anybody; write another address`,
    ],
    [
      'one MAC in two roles',
      machine('{mac: "02:00:00:00:00:01", role: host}') + '      - {mac: 02-00-00-00-00-01, role: host_bmc}\n',
      'f:10:15: machines[node1].interfaces[1].mac: 02:00:00:00:00:01 is declared already, as host of this machine (line 9); a MAC names one interface, so remove one of the two',
    ],
    [
      'one MAC in two machines, once as an alias',
      machine('{mac: ["02:00:00:00:00:01", "02:00:00:00:00:02"]}') +
        '  - {name: node2, interfaces: [{mac: 0200.0000.0002}]}\n',
      'f:10:38: machines[node2].interfaces[0].mac: 02:00:00:00:00:02 is declared already, as host of machine node1 (line 9); a MAC names one interface, so remove one of the two',
    ],
    [
      'one MAC twice in a list',
      machine('{mac: ["02:00:00:00:00:01", "02:00:00:00:00:01"]}'),
      `f:9:37: ${at}.mac[1]: 02:00:00:00:00:01 stands in this list twice (line 9); remove one of the two`,
    ],
    [
      'two primaries',
      machine('{mac: "02:00:00:00:00:01", primary: true}') + '      - {mac: "02:00:00:00:00:02", primary: true}\n',
      'f:10:45: machines[node1].interfaces[1].primary: this machine has a primary interface already (line 9); keep `primary: true` on one of them',
    ],
    [
      'two machines of one name',
      machine('{mac: "02:00:00:00:00:01"}') + '  - {name: node1, interfaces: [{mac: "02:00:00:00:00:02"}]}\n',
      'f:10:12: machines[node1].name: another machine is called node1 too (line 7); give each a name of its own',
    ],
    [
      'an address with another policy',
      machine('{mac: "02:00:00:00:00:01", ipv4: 10.20.0.11, policy: retained}'),
      `f:9:42: ${at}.ipv4: an address means fixed, and \`policy: retained\` (line 9) says otherwise; remove the address or the policy`,
    ],
    ['an address with `policy: fixed` is none', machine('{mac: "02:00:00:00:00:01", ipv4: 10.20.0.11, policy: fixed}')],
    [
      'fixed without an address',
      machine('{mac: "02:00:00:00:00:01", policy: fixed}'),
      `f:9:44: ${at}.policy: fixed needs an address; write it as \`ipv4: 10.20.0.11\`, which means fixed without more`,
    ],
    [
      'fixed as the word of a family',
      machine('{mac: "02:00:00:00:00:01", ipv4: fixed}'),
      `f:9:42: ${at}.ipv4: "fixed" is not an IPv4 address or a policy (fixed needs its address); write the address itself, such as 10.20.0.11`,
    ],
    [
      'fixed and dynamic at once',
      machine('{mac: "02:00:00:00:00:01", ipv4: 10.20.0.11, ipv6: dynamic, policy: fixed}'),
      `f:9:60: ${at}.ipv6: \`policy: fixed\` and \`ipv6: dynamic\` contradict each other; write the address here, or remove \`policy: fixed\``,
    ],
    [
      'a guard that names no network',
      machine('{mac: "02:00:00:00:00:01", network: rak1}'),
      `f:9:45: ${at}.network: no network is called rak1; did you mean rack1?`,
    ],
    [
      'a fixed address outside of its guard',
      machine('{mac: "02:00:00:00:00:01", ipv4: 10.21.0.11, network: rack1}'),
      `f:9:42: ${at}.ipv4: 10.21.0.11 lies outside of network rack1 (line 9); write an address within 10.20.0.0/24, or another network`,
    ],
    [
      'a fixed address that two VRFs hold',
      machine('{mac: "02:00:00:00:00:01", ipv4: 10.20.0.11}').replace(
        'machines:',
        '  - {name: b, vrf: blue, prefixes: 10.20.0.0/24, pools: 10.20.0.9}\nmachines:',
      ),
      `f:10:42: ${at}.ipv4: 10.20.0.11 lies in rack1 of VRF default and b of VRF blue; say which is meant with \`network:\``,
    ],
    [
      'an address of the other family',
      machine('{mac: "02:00:00:00:00:01", ipv4: "fd00::11"}'),
      `f:9:42: ${at}.ipv4: "fd00::11" is not an IPv4 address or a policy (it belongs to the other family); write it under \`ipv6:\``,
    ],
    [
      'a MAC that no card has',
      machine('{mac: ["03:00:00:00:00:01", "00:00:00:00:00:00"]}'),
      `f:9:16: ${at}.mac[0]: "03:00:00:00:00:01" is not a MAC address (it is a multicast one, which no card has); write six pairs of hexadecimal digits, such as 02:00:00:00:00:01`,
      `f:9:37: ${at}.mac[1]: "00:00:00:00:00:00" is not a MAC address (it is all zeros, which no card has); write six pairs of hexadecimal digits, such as 02:00:00:00:00:01`,
    ],
  ]);
});

describe('mistakes of options', () => {
  table([
    [
      'an unknown name',
      `options: {domain-name-server: 10.20.0.2}\n${rack1}`,
      'f:1:11: options.domain-name-server: "domain-name-server" is no known option; did you mean domain-name-servers?',
    ],
    [
      'an everyday name, a number in quotes, and no value',
      `options: {dns: 10.20.0.2, interface-mtu: "1400", domain-name: }\n${rack1}`,
      'f:1:11: options.dns: "dns" is no known option; did you mean domain-name-servers?',
      'f:1:42: options.interface-mtu: "1400" is no value for interface-mtu; it should be a whole number from 0 to 65535; write it without quotes: 1400',
      'f:1:50: options.domain-name: nothing is written here; it should be a text of at least one character, without control characters, or remove the key',
    ],
    [
      'a wrong value in a list',
      `${rack1}    options: {domain-name-servers: [10.20.0.2, 10.20.0.300]}\n`,
      'f:6:48: networks[rack1].options.domain-name-servers[1]: "10.20.0.300" is no value for domain-name-servers; it should be a list of IPv4 addresses, such as [10.20.0.2, 10.20.0.3]',
    ],
    [
      'an IPv6 address in an option that only DHCPv4 has',
      `options: {log-servers: ["fd00::2"]}\n${rack1}`,
      'f:1:25: options.log-servers[0]: "fd00::2" is an IPv6 address, and log-servers is an option of DHCPv4; it should be a list of IPv4 addresses, such as [10.20.0.2, 10.20.0.3]',
    ],
    [
      'both families where DHCPv6 has the option as well',
      `options: {domain-name-servers: [10.20.0.2, "fd00::2"]}\n${rack1}`,
    ],
    [
      'an option that the server writes',
      `options: {dhcp-lease-time: 3600}\n${rack1}`,
      'f:1:11: options.dhcp-lease-time: dhcp-lease-time is written by the server, not by a configuration; write `lease` instead',
    ],
    [
      'a number instead of a name',
      `options: {6: 10.20.0.2}\n${rack1}`,
      'f:1:11: options.6: "6" is a number; write the name of the option: domain-name-servers',
    ],
    [
      'a number where text is expected',
      `${rack1}machines:\n  - {name: n, interfaces: [{mac: "02:00:00:00:00:01"}], options: {host-name: 12}}\n`,
      'f:7:78: machines[n].options.host-name: 12 is no value for host-name; it should be a text of at least one character, without control characters; write it in quotes: "12"',
    ],
  ]);
});

describe('warnings', () => {
  it('a fixed address outside every network', () => {
    expect(warningsOf(machine('{mac: "02:00:00:00:00:01", ipv4: 10.99.0.11}'))).to.deep.equal([
      `f:9:42: ${at}.ipv4: 10.99.0.11 lies outside every network, so nobody will get it; write an address within one of the prefixes, or declare its network`,
    ]);
  });

  it('a network that would serve the unknown and has no pool', () => {
    expect(warningsOf('networks:\n  - {name: a, prefixes: 10.20.0.0/24}\n')).to.deep.equal([
      'f:2:12: networks[a].name: this network has no IPv4 pool, so only fixed addresses are served; write `pools`, or `allocation: reserved` if that is meant',
    ]);
    expect(warningsOf('networks:\n  - {name: a, prefixes: 10.20.0.0/24, allocation: reserved}\n')).to.deep.equal([]);
    expect(warningsOf('networks:\n  - {name: a, prefixes: 10.20.0.0/24, unknown: ignore}\n')).to.deep.equal([]);
  });

  it('each kind of name that this version does not act on, once', () => {
    const text = `server: {duid: auto, socket: s}
watch: true
options: {ntp-servers: ["fd00::1"]}
networks:
  - name: a
    prefixes: [10.20.0.0/24, "fd00:20::/64", "fd00:21::/64"]
    pools: [10.20.0.9, "fd00:20::1000-fd00:20::1fff"]
    gateway: "fd00:20::1"
    reserved: "fd00:20::2"
    relays: "fd00:20::3"
    delegate: {prefix: "fd00:2000::/40", length: 56}
machines:
  - {name: n, interfaces: [{mac: "02:00:00:00:00:01", ipv6: dynamic}]}
`;
    const not = 'this version does not act on this yet: ';
    expect(warningsOf(text)).to.deep.equal([
      `f:1:10: server.duid: ${not}no DHCPv6 is served, so no DUID is needed`,
      `f:1:22: server.socket: ${not}there is no admin socket`,
      `f:2:1: watch: ${not}the file is read at start, and again only at the next start`,
      `f:3:25: options.ntp-servers[0]: ${not}IPv6 addresses in options reach DHCPv6 clients only, which are not served`,
      `f:6:30: networks[a].prefixes[1]: ${not}no IPv6 prefix is served (the first of 2 such places)`,
      `f:7:24: networks[a].pools[1]: ${not}no IPv6 address is given from pools`,
      `f:8:5: networks[a].gateway: ${not}IPv6 hosts learn their router from its advertisements, and DHCPv6 is not served`,
      `f:9:5: networks[a].reserved: ${not}no IPv6 address is given, reserved or not`,
      `f:10:5: networks[a].relays: ${not}no DHCPv6 relay is answered`,
      `f:11:5: networks[a].delegate: ${not}no prefix is delegated`,
      `f:13:55: machines[n].interfaces[0].ipv6: ${not}no IPv6 address is given to machines`,
    ]);
    expect(mistakesOf(text)).to.deep.equal([]);
  });

  it('nothing of `watch: false`, which is what happens', () => {
    expect(warningsOf(`watch: false\n${rack1}`)).to.deep.equal([]);
  });
});

describe('all mistakes at once', () => {
  it('finds those of every kind and file beside each other', () => {
    const text = `server: {server-id: ten}
leese: {default: 1h}
networks:
  - name: a
    prefixes: [10.20.0.1/24, 10.21.0.0/24]
    pools: [10.21.0.9-10.21.0.1, 10.21.0.20-10.22.0.1]
    gateway: 10.21.0.255
    unknown: alow
machines:
  - name: node1
    interfaces:
      - {mac: "02:00:00:00:00:0g", ipv4: 10.21.0.0, primary: yes}
      - {ipv4: 10.21.0.11, colour: red, policy: dynamic}
`;
    const extra = 'machines:\n  - {name: node1, interfaces: [{mac: "02:00:00:00:00:01"}]}\nserver: {store: x}\n';
    expect(mistakesOf(text, { 'd/x.yaml': extra })).to.deep.equal([
      'f:1:21: server.server-id: "ten" is not an IPv4 address; write one of the addresses of this server, such as 10.20.0.1',
      'f:2:1: leese: "leese" is no known key; did you mean lease?',
      'f:5:16: networks[a].prefixes[0]: "10.20.0.1/24" is not a prefix (it has bits set beyond its length); write 10.20.0.0/24',
      'f:6:13: networks[a].pools[0]: "10.21.0.9-10.21.0.1" is not a range of addresses (it runs backwards); write 10.21.0.1-10.21.0.9',
      'f:7:14: networks[a].gateway: the gateway 10.21.0.255 is the broadcast address of 10.21.0.0/24; write the address that the router has',
      'f:8:14: networks[a].unknown: "alow" is none of allow or ignore; did you mean allow?',
      'f:12:15: machines[node1].interfaces[0].mac: "02:00:00:00:00:0g" is not a MAC address; write six pairs of hexadecimal digits, such as 02:00:00:00:00:01',
      'f:12:42: machines[node1].interfaces[0].ipv4: 10.21.0.0 is the network address of 10.21.0.0/24 (line 5), which is never given to anybody; write another address',
      'f:12:62: machines[node1].interfaces[0].primary: "yes" is not true or false; write true',
      'f:13:9: machines[node1].interfaces[1].mac: `mac` is missing; it takes a MAC address: write six pairs of hexadecimal digits, such as 02:00:00:00:00:01',
      'f:13:16: machines[node1].interfaces[1].ipv4: an address means fixed, and `policy: dynamic` (line 13) says otherwise; remove the address or the policy',
      'f:13:28: machines[node1].interfaces[1].colour: "colour" is no known key; known here: mac, role, primary, ipv4, ipv6, policy, network',
      'd/x.yaml:2:12: machines[node1].name: another machine is called node1 too (f:10); give each a name of its own',
      'd/x.yaml:3:1: server: "server" belongs in the main file; an included file holds networks and machines only',
    ]);
  });
});
