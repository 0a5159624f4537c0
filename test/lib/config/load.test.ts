// What a file without mistakes comes to: site, settings and declarations.
import { expect } from 'chai';
import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { loadConfig } from '../../../lib/config/load.js';
import type { Declared } from '../../../lib/ipam/model.js';
import { parseIp, parseIp4 } from '../../../lib/net/ip.js';
import { formatRange } from '../../../lib/net/prefix.js';
import { rack1 } from './said.js';

type Good = Extract<ReturnType<typeof loadConfig>, { ok: true }>;

function load(text: string, included: Readonly<Record<string, string>> = {}): Good {
  const loaded = loadConfig(new Map([['f', text], ...Object.entries(included)]));
  if (!loaded.ok) throw new Error(loaded.mistakes.map((note) => note.text).join('; '));
  return loaded;
}

function network(text: string): Good['site']['networks'][number] {
  const [first] = load(text).site.networks;
  if (first === undefined) throw new Error('no network');
  return first;
}

const minutes = (count: number): number => count * 60_000;

describe('site', () => {
  it('has the usual values where the file says nothing', () => {
    const { site, settings, declarations, warnings } = load(rack1);
    const [one] = site.networks;
    expect(one).to.deep.include({
      name: 'rack1',
      vrf: 'default',
      relays: undefined,
      allocation: 'dynamic',
      unknown: 'allow',
      roaming: 'allow',
      identity: 'mac',
      lease: { default: minutes(60), min: minutes(5), max: minutes(24 * 60) },
    });
    expect(one?.options4).to.deep.equal(new Map());
    expect(site).to.deep.include({ serverId: undefined, keepInterfaces: minutes(30 * 24 * 60) });
    expect(settings).to.deep.equal({ store: 'leasehold.db', listen: [] });
    expect(declarations).to.deep.equal([]);
    expect(warnings).to.deep.equal([]);
  });

  it('has what the file says', () => {
    const { site, settings } = load(`server: {store: state/x.db, server-id: 10.20.0.9}
listen: [eth0, eth1.20]
interfaces: {keep: 90}
networks:
  - name: a
    vrf: blue
    prefixes: [10.20.0.0/24, 10.21.0.0/24]
    pools: [10.20.0.10-10.20.0.20, 10.21.0.128/25]
    gateway: [10.20.0.1, 10.21.0.1]
    relays: [10.20.0.2, 10.99.0.0/16]
    allocation: reserved
    unknown: ignore
    roaming: ignore
    identity: client-id
`);
    const [one] = site.networks;
    expect(settings).to.deep.equal({ store: 'state/x.db', listen: ['eth0', 'eth1.20'] });
    expect(site).to.deep.include({ serverId: parseIp4('10.20.0.9'), keepInterfaces: 90_000 });
    expect(one).to.deep.include({
      vrf: 'blue',
      gateways: [parseIp4('10.20.0.1'), parseIp4('10.21.0.1')],
      allocation: 'reserved',
      unknown: 'ignore',
      roaming: 'ignore',
      identity: 'client-id',
    });
    expect(one?.pools.map(formatRange)).to.deep.equal(['10.20.0.10-10.20.0.20', '10.21.0.128-10.21.0.255']);
    expect(one?.relays?.map(formatRange)).to.deep.equal(['10.20.0.2', '10.99.0.0-10.99.255.255']);
  });

  const leases: readonly (readonly [title: string, all: string, own: string, times: readonly number[]])[] = [
    ['units and seconds', '{default: 1800, min: 45s, max: 2d}', '{}', [30, 0.75, 2880]],
    ["a network's own before everyone's", '{default: 2h, min: 1h, max: 3h}', '{min: 30m}', [120, 30, 180]],
    ['a long one moves the longest', '{default: 7d}', '{}', [7 * 1440, 5, 7 * 1440]],
    ['a short one moves the shortest', '{default: 1m}', '{}', [1, 1, 1440]],
    ['a longest moves the others', '{max: 3m}', '{}', [3, 3, 3]],
    ['a shortest moves the others', '{min: 2d}', '{}', [2880, 2880, 2880]],
  ];
  for (const [title, all, own, [standard = 0, min = 0, max = 0]] of leases) {
    it(`lease times: ${title}`, () => {
      expect(network(`lease: ${all}\n${rack1}    lease: ${own}\n`).lease).to.deep.equal({
        default: minutes(standard),
        min: minutes(min),
        max: minutes(max),
      });
    });
  }

  const nevers: readonly (readonly [title: string, network: string, ...ranges: string[]])[] = [
    ['network and broadcast address', 'prefixes: 10.0.0.0/30', '10.0.0.0', '10.0.0.3'],
    ['neither of a /31 nor of a /32 (RFC 3021)', 'prefixes: [10.0.0.0/31, 10.0.0.9/32]'],
    ['the subnet-router anycast address, not of a /127', 'prefixes: ["fd00::/64", "fd01::/127"]', 'fd00::'],
    [
      'gateway, server-id, single relays and reserved, merged and sorted',
      'prefixes: ["fd00::/64", 10.0.0.0/24], gateway: ["fd00::1", 10.0.0.1], relays: [10.0.0.254, 10.0.0.8/30, 10.9.0.1], reserved: [10.0.0.4, 10.0.0.2-10.0.0.3, 10.0.0.100-10.0.0.120, 10.0.0.110]',
      '10.0.0.0-10.0.0.4',
      '10.0.0.77',
      '10.0.0.100-10.0.0.120',
      '10.0.0.254-10.0.0.255',
      'fd00::-fd00::1',
    ],
  ];
  for (const [title, text, ...ranges] of nevers) {
    it(`never given: ${title}`, () => {
      const { never } = network(`server: {server-id: 10.0.0.77}\nnetworks:\n  - {name: a, ${text}}\n`);
      expect(never.map(formatRange)).to.deep.equal(ranges);
    });
  }

  it('does not count fixed addresses among those that are never given', () => {
    const text = `${rack1}machines:\n  - {name: n, interfaces: [{mac: 02:00:00:00:00:01, ipv4: 10.20.0.77}]}\n`;
    expect(network(text).never.map(formatRange)).to.deep.equal(['10.20.0.0-10.20.0.1', '10.20.0.255']);
  });

  it('encodes options once, those of a network after those for everyone', () => {
    const { site } =
      load(`options: {domain-name-servers: [10.0.0.1, "fd00::1", 10.0.0.2], domain-name: all, log-servers: 10.0.0.3}
${rack1}    options: {domain-name: own, interface-mtu: 1400}
machines:
  - {name: n, interfaces: [{mac: 02:00:00:00:00:01}], options: {option-224: "01:02"}}
  - {name: m, interfaces: [{mac: 02:00:00:00:00:02}], options: {}}
`);
    expect([...(site.networks[0]?.options4 ?? [])]).to.deep.equal([
      [6, Uint8Array.of(10, 0, 0, 1, 10, 0, 0, 2)],
      [15, Uint8Array.from('own', (letter) => letter.charCodeAt(0))],
      [7, Uint8Array.of(10, 0, 0, 3)],
      [26, Uint8Array.of(5, 120)],
    ]);
    expect(site.machineOptions4).to.deep.equal(new Map([['n', new Map([[224, Uint8Array.of(1, 2)]])]]));
  });

  it('leaves an option out of DHCPv4 that has only IPv6 addresses', () => {
    expect(
      network(`options: {domain-name-servers: "fd00::1", ntp-servers: ["fd00::1"]}\n${rack1}`).options4.size,
    ).to.equal(0);
  });
});

describe('declarations', () => {
  const kept: Declared = { policy: 'retained' };
  const dynamic: Declared = { policy: 'dynamic' };
  const fixed = (text: string): Declared => ({ policy: 'fixed', address: parseIp(text)! });
  const rows: readonly (readonly [iface: string, ipv4: Declared, ipv6: Declared])[] = [
    ['', kept, kept],
    ['policy: dynamic', dynamic, dynamic],
    ['policy: preserved', { policy: 'preserved' }, { policy: 'preserved' }],
    ['ipv4: 10.20.0.11', fixed('10.20.0.11'), dynamic],
    ['ipv6: "fd00::11"', dynamic, fixed('fd00::11')],
    ['ipv4: 10.20.0.11, policy: fixed', fixed('10.20.0.11'), dynamic],
    ['ipv4: 10.20.0.11, ipv6: retained', fixed('10.20.0.11'), kept],
    ['ipv4: 10.20.0.11, ipv6: "fd00::11"', fixed('10.20.0.11'), fixed('fd00::11')],
    ['ipv4: dynamic', dynamic, kept],
    ['ipv4: preserved, policy: dynamic', { policy: 'preserved' }, dynamic],
    ['ipv6: dynamic, policy: retained', kept, dynamic],
  ];
  for (const [iface, ipv4, ipv6] of rows) {
    it(iface === '' ? 'nothing said is retained' : iface, () => {
      const text = `${rack1}machines:\n  - {name: n, interfaces: [{mac: 02:00:00:00:00:01, ${iface}}]}\n`;
      expect(load(text).declarations[0]).to.deep.include({ ipv4, ipv6 });
    });
  }

  it('carry owner, aliases, role, guard, and where they stand, files in their order', () => {
    const text = `include: ["d/*"]\n${rack1}machines:
  - name: node1
    interfaces:
      - mac: 02-00-00-00-00-0A
        role: dpu_os
        primary: true
      - mac: [0200.0000.000b, "02:00:00:00:00:0c"]
        network: rack2
`;
    const more =
      '\nnetworks: [{name: rack2, prefixes: 10.21.0.0/24, pools: 10.21.0.9}]\nmachines:\n  - {name: node2, interfaces: [{mac: 02000000000d}]}\n';
    const { declarations, site } = load(text, { 'd/x.yaml': more });
    expect(site.networks.map(({ name }) => name)).to.deep.equal(['rack1', 'rack2']);
    const plain = { ipv4: kept, ipv6: kept };
    expect(declarations).to.deep.equal([
      {
        owner: '02:00:00:00:00:0a',
        macs: ['02:00:00:00:00:0a'],
        machine: 'node1',
        role: 'dpu_os',
        primary: true,
        network: undefined,
        source: { file: 'f', line: 10 },
        ...plain,
      },
      {
        owner: '02:00:00:00:00:0b',
        macs: ['02:00:00:00:00:0b', '02:00:00:00:00:0c'],
        machine: 'node1',
        role: 'host',
        primary: false,
        network: 'rack2',
        source: { file: 'f', line: 13 },
        ...plain,
      },
      {
        owner: '02:00:00:00:00:0d',
        macs: ['02:00:00:00:00:0d'],
        machine: 'node2',
        role: 'host',
        primary: false,
        network: undefined,
        source: { file: 'd/x.yaml', line: 4 },
        ...plain,
      },
    ]);
  });
});

describe('files that include others', () => {
  const text = `include: ["d/*"]\n${rack1}`;

  it('are refused whole where one of them cannot be read, without saying what follows from that', () => {
    const guarded =
      'machines:\n  - {name: n, interfaces: [{mac: 02:00:00:00:00:01, network: rack2, ipv4: 10.21.0.5}]}\n';
    const loaded = loadConfig(
      new Map([
        ['f', text],
        ['d/a', guarded],
        ['d/b', 'networks:\n\t- name: rack2\n'],
      ]),
    );
    expect(loaded.ok).to.be.false;
    expect(loaded.ok ? [] : loaded.mistakes.map(({ file, line }) => [file, line])).to.deep.equal([['d/b', 2]]);
    expect(loaded.warnings).to.deep.equal([]);
  });

  it('are told apart in notes about two places', () => {
    const loaded = loadConfig(
      new Map([
        ['f', text],
        ['d/a', 'networks:\n  - {name: b, prefixes: 10.20.0.0/25, pools: 10.20.0.9}\n'],
      ]),
    );
    expect(loaded.ok ? [] : loaded.mistakes).to.deep.equal([
      {
        file: 'd/a',
        line: 2,
        column: 25,
        path: 'networks[b].prefixes',
        text: '10.20.0.0/25 overlaps 10.20.0.0/24 of network rack1 (f:4); set them apart, or give one of the networks a `vrf` of its own',
      },
    ]);
  });

  it('are refused where one is empty', () => {
    const loaded = loadConfig(
      new Map([
        ['f', text],
        ['d/a', '# nothing\n'],
      ]),
    );
    expect(loaded.ok ? [] : loaded.mistakes.map((note) => `${note.file}:${note.line}`)).to.deep.equal(['d/a:1']);
  });
});

const example = readFileSync('dhcpd.example.yaml', 'utf8');

describe('the example', () => {
  it('loads without mistakes and without warnings', () => {
    const { warnings, declarations } = load(example);
    expect(warnings).to.deep.equal([]);
    expect(declarations.map(({ machine, owner }) => `${machine} ${owner}`)).to.include('node1 02:00:00:00:00:01');
    expect(declarations[0]?.ipv4).to.deep.equal({ policy: 'fixed', address: parseIp4('10.20.0.11') });
  });
});

describe('whatever the text is', () => {
  const punctuation = '\t \n { } [ ] : , - & * ! | > % @ ` " \' # ?'.split(' ');
  const bits = [
    ...punctuation,
    ' ',
    '\u0000',
    '\uFEFF',
    '\uD800',
    '- ',
    ': ',
    'null',
    '~',
    '1e999',
    '.nan',
    '__proto__',
    '0x1',
    '[]',
    '{}',
    'fd00::',
    '*a',
    '&a ',
    '<<: ',
    '---\n',
  ];
  const edit = fc.record({
    at: fc.nat(example.length),
    drop: fc.nat(40),
    put: fc.oneof(
      fc.constantFrom(...bits),
      fc.string({ maxLength: 8 }),
      fc.nat(example.length - 60).map((from) => example.slice(from, from + 60)),
    ),
  });

  it('loading says what is wrong and throws nothing', function () {
    this.timeout(60_000);
    fc.assert(
      fc.property(fc.array(edit, { minLength: 1, maxLength: 4 }), fc.boolean(), (edits, included) => {
        let text = example;
        for (const { at, drop, put } of edits) text = text.slice(0, at) + put + text.slice(at + drop);
        const loaded = loadConfig(
          new Map([
            ['f', included ? example : text],
            ['g', included ? text : 'machines: []'],
          ]),
        );
        if (loaded.ok) return;
        expect(loaded.mistakes).to.not.be.empty;
        for (const { line, column, path, text: said } of [...loaded.mistakes, ...loaded.warnings]) {
          expect(line).to.be.within(1, text.split(/\r\n|\r|\n/).length + example.split('\n').length);
          expect(column).to.be.at.least(1);
          expect(path).to.not.equal('');
          expect(said).to.not.match(/undefined|\[object|NaN/);
        }
      }),
      { numRuns: 400 },
    );
  });

  it('text that is nothing of the kind is refused', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(loadConfig(new Map([['f', text]])).ok).to.be.false;
      }),
    );
  });
});

describe('20,000 machines', () => {
  it('load, each with its own line', function () {
    this.timeout(120_000);
    const octet = (value: number): string => (value & 255).toString(16).padStart(2, '0');
    const lines = Array.from({ length: 20_000 }, (_, i) => {
      const mac = `02:00:00:00:${octet(i >> 8)}:${octet(i)}`;
      return `  - {name: node${i}, interfaces: [{mac: "${mac}", role: host, ipv4: 10.1.${i >> 8}.${i & 255}}]}\n`;
    });
    const text = `networks:\n  - {name: a, prefixes: 10.0.0.0/8, pools: 10.9.0.1-10.9.0.9}\nmachines:\n${lines.join('')}`;
    const { declarations } = load(text);
    expect(declarations).to.have.length(20_000);
    expect(new Set(declarations.map(({ source }) => source.line)).size).to.equal(20_000);
    expect(declarations.at(-1)).to.deep.include({ machine: 'node19999', source: { file: 'f', line: 20_003 } });
  });
});
