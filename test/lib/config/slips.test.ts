// What a tired person writes, and what is said of it.
import { expect } from 'chai';
import { loadConfig } from '../../../lib/config/load.js';
import { mistakesOf, rack1 } from './said.js';

/** Title, text of the main file, the lines that are said. */
const rows: readonly (readonly [string, string, ...string[]])[] = [
  [
    'an empty file',
    '',
    'f:1:1: (whole file): this file is empty; write at least `networks:` (dhcpd.example.yaml shows how)',
  ],
  [
    'nothing but comments',
    '# soon\n',
    'f:1:1: (whole file): this file is empty; write at least `networks:` (dhcpd.example.yaml shows how)',
  ],
  [
    'a list at the top',
    '- name: rack1\n',
    'f:1:1: (whole file): a list is not a map; write keys such as `server:`, `networks:`, `machines:` at the beginning of lines',
  ],
  [
    'one word',
    'networks\n',
    'f:1:1: (whole file): "networks" is not a map; write keys such as `server:`, `networks:`, `machines:` at the beginning of lines',
  ],
  [
    'a tab for indentation',
    'networks:\n\t- name: rack1\n',
    'f:2:1: yaml: a tab indents this line; YAML is indented by spaces only, so write spaces instead',
  ],
  [
    'a missing colon',
    'networks:\n  - name: rack1\n    prefixes 10.20.0.0/24\n    gateway: 10.20.0.1\n',
    'f:3:5: yaml: "prefixes 10.20.0.0/24" is no `key: value`; the colon after the key, or the space after the colon, is missing',
  ],
  [
    'a missing space after a colon, among others',
    'networks:\n  - name: rack1\n    prefixes:10.20.0.0/24\n    gateway: 10.20.0.1\n',
    'f:3:5: yaml: "prefixes:10.20.0.0/24" is no `key: value`; the colon after the key, or the space after the colon, is missing',
  ],
  [
    'a missing space after a colon, alone',
    `server:\n  store:a.db\n${rack1}`,
    'f:2:3: server: "store:a.db" is not a map (a space after the colon is missing); write store: a.db',
  ],
  [
    'a comma forgotten between two keys',
    `${rack1}machines:\n  - name: n\n    interfaces:\n      - {mac: 02:00:00:00:00:01 role: host}\n`,
    'f:9:15: yaml: a comma is missing; entries in { } and [ ] are divided by commas',
  ],
  [
    'a comma forgotten after quotes',
    `${rack1}machines:\n  - name: n\n    interfaces:\n      - {mac: "02:00:00:00:00:01" role: host}\n`,
    'f:9:35: yaml: a comma is missing; entries in { } and [ ] are divided by commas',
  ],
  [
    'a comma too many',
    'networks:\n  - {name: a,, prefixes: 10.20.0.0/24}\n',
    'f:2:14: yaml: there is a comma too many; entries in { } and [ ] are divided by commas',
  ],
  [
    'a bracket that is not closed',
    'networks:\n  - name: a\n    prefixes: [10.20.0.0/24\n    gateway: 10.20.0.1\n',
    'f:4:5: yaml: a { or [ that was opened before this place is not closed; entries in { } and [ ] are divided by commas and end with } or ]',
  ],
  [
    'a quotation mark that is not closed',
    'networks:\n  - name: "a\n    prefixes: 10.20.0.0/24\n',
    'f:4:1: yaml: a quotation mark is not closed; end the text with the mark that began it',
  ],
  [
    'an item that is indented like the list',
    'networks:\n  - name: a\n    prefixes: 10.20.0.0/24\n  gateway: 10.20.0.1\n',
    'f:4:1: yaml: this line is indented otherwise than those it belongs to; write as many spaces as they have',
  ],
  [
    'an item that is indented by less than its keys',
    'networks:\n - name: a\n   prefixes: 10.20.0.0/24\n  gateway: 10.20.0.1\n',
    'f:4:1: yaml: this line stands among the items of a list but is not one; begin it with `- `, or indent it like the keys of the item above',
  ],
  [
    'a duration where lease times belong',
    `lease: 1 hour\n${rack1}`,
    'f:1:8: lease: "1 hour" is not a map of lease times; write one such as {default: 1h, min: 5m, max: 24h}',
  ],
  [
    'a link twice',
    `listen: [eth0, eth0]\n${rack1}`,
    'f:1:16: listen[1]: "eth0" stands in this list twice; remove one of the two',
  ],
  [
    'a key twice',
    `${rack1}    gateway: 10.20.0.2\n`,
    'f:6:5: networks[rack1].gateway: "gateway" stands here a second time (the first is on line 4); keep one of the two',
  ],
  [
    'an alias of nothing',
    'networks:\n  - {name: a, prefixes: &net 10.20.0.0/24, pools: *nett}\n',
    'f:2:51: networks[a].pools: *nett stands for nothing written above it; did you mean *net?',
  ],
  [
    'a merge key',
    'networks:\n  - &a {name: a, prefixes: 10.20.0.0/24, pools: 10.20.0.9}\n  - {<<: *a, name: b, prefixes: 10.21.0.0/24}\n',
    'f:3:6: networks[b].<<: YAML 1.2 has no merge keys; write the keys out, or use an *alias as the whole value of one key',
  ],
  [
    'a second document',
    `${rack1}---\nmachines: []\n`,
    'f:6:1: yaml: a second document begins here; a file holds one document, so remove the `---` or `...`',
  ],
  [
    'letters exchanged in a key',
    `netwroks:\n  - {name: a, prefixes: 10.20.0.0/24}\n`,
    'f:1:1: netwroks: "netwroks" is no known key; did you mean networks?',
  ],
  [
    'a key one level too high',
    `${rack1}gateway: 10.20.0.1\n`,
    'f:6:1: gateway: "gateway" does not belong here but in networks[]; move it there by its indentation',
  ],
  [
    'a map where a list belongs',
    `${rack1}machines:\n  node1:\n    mac: "02:00:00:00:00:01"\n`,
    'f:7:3: machines: a map is not a list of machines; write one item a machine, beginning with `- name: `',
  ],
  [
    'a list where a map belongs',
    `lease:\n  - default: 1h\n${rack1}`,
    'f:2:3: lease: a list is not a map of lease times; write one such as {default: 1h, min: 5m, max: 24h}, without `- `',
  ],
  [
    'nothing after a key',
    `${rack1}    reserved:\n`,
    'f:6:5: networks[rack1].reserved: nothing is written here; it takes a range of addresses: write one such as 10.20.0.100-10.20.0.199, or remove the key',
  ],
  [
    'no name',
    'networks:\n  - prefixes: 10.20.0.0/24\n    pools: 10.20.0.9\n',
    'f:2:5: networks[0].name: `name` is missing; it takes a name of a network: write letters, digits, `.`, `_` and `-`, at most 63, such as rack1',
  ],
  [
    'an octet over 255',
    'networks:\n  - {name: a, prefixes: 10.20.0.0/24, pools: 10.20.0.9, gateway: 10.20.0.300}\n',
    'f:2:66: networks[a].gateway: "10.20.0.300" is not an address (300 is over 255); write one such as 10.20.0.1',
  ],
  [
    'zeros in front',
    'networks:\n  - {name: a, prefixes: 10.20.0.0/24, pools: 10.20.0.9, gateway: 10.020.000.001}\n',
    'f:2:66: networks[a].gateway: "10.020.000.001" is not an address (a number begins with 0); write 10.20.0.1',
  ],
  [
    'half an address, which YAML takes for a number',
    'networks:\n  - {name: a, prefixes: 10.20.0.0/24, pools: 10.20.0.9, gateway: 10.20}\n',
    'f:2:66: networks[a].gateway: 10.20 is not an address (it has 2 of 4 numbers); write one such as 10.20.0.1',
  ],
  [
    'an address with the length of its prefix',
    'networks:\n  - {name: a, prefixes: 10.20.0.0/24, pools: 10.20.0.9, gateway: 10.20.0.1/24}\n',
    'f:2:66: networks[a].gateway: "10.20.0.1/24" is not an address (it has a length); write 10.20.0.1',
  ],
  [
    'host bits in a prefix',
    'networks:\n  - {name: a, prefixes: 10.20.0.1/24}\n',
    'f:2:25: networks[a].prefixes: "10.20.0.1/24" is not a prefix (it has bits set beyond its length); write 10.20.0.0/24',
  ],
  [
    'a netmask in a prefix',
    'networks:\n  - {name: a, prefixes: 10.20.0.0/255.255.254.0}\n',
    'f:2:25: networks[a].prefixes: "10.20.0.0/255.255.254.0" is not a prefix (a netmask stands for its length); write 10.20.0.0/23',
  ],
  [
    'a prefix without length',
    'networks:\n  - {name: a, prefixes: 10.20.0.0}\n',
    'f:2:25: networks[a].prefixes: "10.20.0.0" is not a prefix (its length is missing); write 10.20.0.0/24',
  ],
  [
    'a prefix that is too long',
    'networks:\n  - {name: a, prefixes: 10.20.0.0/33}\n',
    'f:2:25: networks[a].prefixes: "10.20.0.0/33" is not a prefix (its length is not a number from 0 to 32); write one such as 10.20.0.0/24',
  ],
  [
    'a pool that runs backwards',
    'networks:\n  - {name: a, prefixes: 10.20.0.0/24, pools: 10.20.0.199-10.20.0.100}\n',
    'f:2:46: networks[a].pools: "10.20.0.199-10.20.0.100" is not a range of addresses (it runs backwards); write 10.20.0.100-10.20.0.199',
  ],
  [
    'a pool with half an end',
    'networks:\n  - {name: a, prefixes: 10.20.0.0/24, pools: 10.20.0.100-199}\n',
    'f:2:46: networks[a].pools: "10.20.0.100-199" is not a range of addresses (its end is no whole address); write 10.20.0.100-10.20.0.199',
  ],
  [
    'an IPv6 address without quotes that ends with colons',
    'networks:\n  - {name: a, prefixes: 10.20.0.0/24, pools: 10.20.0.9, gateway: [fd00::]}\n',
    'f:2:67: networks[a].gateway[0]: a map is not an address (fd00:: is read as a key because it ends with a colon; put it in quotes); write one such as 10.20.0.1',
  ],
  [
    'a duration in words',
    `lease: {default: 1 hour, min: 300 secs, max: 1 w}\n${rack1}`,
    'f:1:18: lease.default: "1 hour" is not a duration; write 1h',
    'f:1:31: lease.min: "300 secs" is not a duration; write 300s',
    'f:1:46: lease.max: "1 w" is not a duration; write 7d',
  ],
  [
    'durations that are none',
    `lease: {default: soon, min: 0, max: 1.5}\ninterfaces: {keep: 99999d}\n${rack1}`,
    'f:1:18: lease.default: "soon" is not a duration; write one such as 45s, 30m, 1h or 30d, or a number of seconds',
    'f:1:29: lease.min: 0 is not a duration (it is not longer than nothing); write one such as 45s, 30m, 1h or 30d, or a number of seconds',
    'f:1:37: lease.max: 1.5 is not a duration (it is no whole number of seconds); write one such as 45s, 30m, 1h or 30d, or a number of seconds',
    'f:2:20: interfaces.keep: "99999d" is not a duration (it is over 49710d, which DHCP cannot say); write one such as 45s, 30m, 1h or 30d, or a number of seconds',
  ],
  [
    'a MAC of digits only, without colons',
    `${rack1}machines:\n  - {name: n, interfaces: [{mac: 020000000001}]}\n`,
    'f:7:34: machines[n].interfaces[0].mac: 020000000001 is read as a number here, not as a MAC address; write it in quotes: "020000000001"',
  ],
  [
    'a MAC that is too short, and one without its zeros',
    `${rack1}machines:\n  - {name: n, interfaces: [{mac: "02:00:00:00:01"}, {mac: "2:0:0:0:0:1"}]}\n`,
    'f:7:34: machines[n].interfaces[0].mac: "02:00:00:00:01" is not a MAC address (it has 10 of 12 digits); write six pairs of hexadecimal digits, such as 02:00:00:00:00:01',
    'f:7:59: machines[n].interfaces[1].mac: "2:0:0:0:0:1" is not a MAC address; write 02:00:00:00:00:01',
  ],
  [
    'a policy with a letter too few',
    `${rack1}machines:\n  - {name: n, interfaces: [{mac: "02:00:00:00:00:01", policy: retaind}, {mac: "02:00:00:00:00:02", ipv4: dinamic}]}\n`,
    'f:7:63: machines[n].interfaces[0].policy: "retaind" is none of dynamic, fixed, retained or preserved; did you mean retained?',
    'f:7:106: machines[n].interfaces[1].ipv4: "dinamic" is not an IPv4 address or a policy; write dynamic',
  ],
  [
    'a name of a link as text instead of a list',
    `listen: eth0\n${rack1}`,
    'f:1:9: listen: "eth0" is not a list of links; write one such as [eth0]',
  ],
  [
    'an include that leaves the folder',
    `include: [/etc/x.yaml, ../x.yaml, "**/x.yaml"]\n${rack1}`,
    'f:1:11: include[0]: "/etc/x.yaml" is not a pattern of files below this file\'s folder (it does not begin in this folder); write one such as machines.d/*.yaml',
    'f:1:24: include[1]: "../x.yaml" is not a pattern of files below this file\'s folder (it leaves this folder by ..); write one such as machines.d/*.yaml',
    'f:1:35: include[2]: "**/x.yaml" is not a pattern of files below this file\'s folder (of the wildcards only * and ? are known); write one such as machines.d/*.yaml',
  ],
  [
    'a machine without interfaces',
    `${rack1}machines:\n  - {name: n, interfaces: []}\n  - {name: m}\n`,
    'f:7:27: machines[n].interfaces: an empty list is not a list of interfaces; write one item an interface, beginning with `- mac: `',
    'f:8:5: machines[m].interfaces: `interfaces` is missing; it takes a list of interfaces: write one item an interface, beginning with `- mac: `',
  ],
];

describe('slips of a tired person', () => {
  for (const [title, text, ...said] of rows) {
    it(title, () => {
      expect(mistakesOf(text)).to.deep.equal(said);
    });
  }

  it('says of nesting without end that it is too deep', () => {
    const [first] = mistakesOf(`networks: ${'['.repeat(20_000)}`);
    expect(first).to.match(/^f:1:\d+: yaml: brackets or levels are nested thousands deep; /);
  });

  it('says of aliases that multiply that there are too many', () => {
    const list = (item: string): string => `[${`${item},`.repeat(1000)}]`;
    const text = `a: &a ${list('x')}\nb: &b ${list('*a')}\nc: ${list('*b')}\n`;
    expect(mistakesOf(text)).to.include(
      'f:2:3005: b[999]: aliases repeat more than 1000000 values; write fewer of them',
    );
  });

  it('says of an alias inside of itself that it is there', () => {
    expect(mistakesOf('networks: &n [*n]\n')).to.deep.equal([
      'f:1:15: networks[0]: *n stands inside of what it stands for; write the value out',
    ]);
  });
});

describe('what looks like a slip and is none', () => {
  const good: readonly (readonly [string, string])[] = [
    ['an unquoted MAC, which YAML 1.1 might take for a number to base 60', '{mac: 10:20:30:40:50:11}'],
    ['the same under a YAML 1.1 directive', '{mac: 10:20:30:40:50:11, network: rack1}'],
    ['a MAC with dashes', '{mac: 02-00-00-00-00-0A}'],
    ['a MAC as switches show it', '{mac: 0200.0000.000a}'],
    ['a MAC without separators', '{mac: 02000000000a}'],
    ['IPv6 without quotes in braces', '{mac: 02:00:00:00:00:0a, ipv6: fd00::11}'],
    ['Windows line ends', '{mac: 02:00:00:00:00:0a}'],
  ];
  for (const [title, iface] of good) {
    it(title, () => {
      let text = `${rack1}machines:\n  - {name: n, interfaces: [${iface}]}\n`;
      if (title.includes('directive')) text = `%YAML 1.1\n---\n${text}`;
      if (title.includes('Windows')) text = text.replaceAll('\n', '\r\n');
      expect(mistakesOf(text)).to.deep.equal([]);
      const loaded = loadConfig(new Map([['f', text]]));
      const mac = loaded.ok ? loaded.declarations[0]?.owner : undefined;
      expect(mac).to.be.oneOf(['10:20:30:40:50:11', '02:00:00:00:00:0a']);
    });
  }

  it('an anchor that many machines use', () => {
    const machines = Array.from({ length: 300 }, (_, i) => {
      const mac = `02:00:00:00:${String(Math.floor(i / 100)).padStart(2, '0')}:${String(i % 100).padStart(2, '0')}`;
      return `  - {name: n${i}, interfaces: [{mac: "${mac}"}], options: ${i === 0 ? '&o {domain-name: a}' : '*o'}}\n`;
    });
    const loaded = loadConfig(new Map([['f', `${rack1}machines:\n${machines.join('')}`]]));
    expect(loaded.ok && loaded.site.machineOptions4.size).to.equal(300);
  });
});
