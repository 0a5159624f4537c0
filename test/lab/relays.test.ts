// Real clients behind real relays: the rows of the lab once more, and what relays make of a message on its way.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { formatIp } from '../../lib/net/ip.js';
import type { Message4 } from '../../lib/wire/message4.js';
import { decode4 } from '../../lib/wire/message4.js';
import { decodeFrame } from '../../lib/wire/frame.js';
import { code, messageType } from '../../lib/wire/options4.js';
import { readCapture } from '../../lib/wire/pcap.js';
import { relaySub } from '../../lib/wire/relay-information.js';
import { decodeSubOptions } from '../../lib/wire/suboptions.js';
import { optionsInOrder } from '../support/octets.js';
import { Dhclient } from './clients/dhclient.js';
import { Daemon, eventIn } from './daemon.js';
import { withLab } from './lab.js';
import { realBench } from './real.js';
import type { RealClient } from './real.js';
import type { Path } from './relays.js';
import { behindRelays, DOWN, edges, UP } from './relays.js';
import { rows } from './rows.js';

const circuit: Path['near'] = ['-a', '-iu', UP];
/** With -U the link toward the server is named by it alone; named by -iu too, dhcrelay relays nothing. */
const selection: Path['near'] = ['-a', '-U', UP];
const append: Path['near'] = ['-a', '-m', 'append', '-iu', UP];

interface Case {
  readonly path: Path;
  readonly client: RealClient;
  /** What a DISCOVER comes with: giaddr, hops, and the text of each option 82. */
  readonly comes: readonly [giaddr: string, hops: number, ...information: readonly string[]];
  /** Why the copies of a routed RELEASE count for nothing. The far relay makes one in its own name: it saw no other relay's. */
  readonly copies: readonly string[];
}

const cases: Readonly<Record<string, Case>> = {
  'a relay that names the circuit': {
    path: { near: circuit, listed: false },
    client: 'dhclient',
    comes: ['10.20.0.1', 1, `circuit ${edges.rack1}`],
    copies: ['not-holder'],
  },
  // Its giaddr is in no network: only the link selection says where the client is.
  'a relay that selects the link': {
    path: { near: selection, listed: true },
    client: 'udhcpc',
    comes: ['192.0.2.2', 1, `circuit ${edges.rack1}, link 10.20.0.1`],
    copies: ['not-holder'],
  },
  'two relays that name a circuit each': {
    path: { near: circuit, far: append, listed: false },
    client: 'dhclient',
    comes: ['10.20.0.1', 2, `circuit ${edges.rack1}`, `circuit ${DOWN}`],
    copies: ['no-network', 'not-holder'],
  },
  'two relays, of which the first selects the link': {
    path: { near: selection, far: append, listed: true },
    client: 'udhcpc',
    comes: ['198.51.100.2', 2, `circuit ${edges.rack1}, link 10.20.0.1`, `circuit ${DOWN}`],
    copies: ['no-network', 'not-holder'],
  },
};

for (const [name, { path, client }] of Object.entries(cases))
  describe(`${client} behind ${name}`, () => {
    rows(realBench(client, (lab) => behindRelays(lab, path)));
  });

interface Captured {
  readonly message: Message4;
  /** The text of each option 82. */
  readonly information: readonly string[];
}

/** The DHCP messages in a capture. */
function messagesIn(path: string): readonly Captured[] {
  const capture = readCapture(new Uint8Array(readFileSync(path)));
  if (!capture.ok) return expect.fail(capture.reason);
  return capture.value.frames.flatMap(({ bytes }) => {
    const frame = decodeFrame(bytes);
    const message = frame.ok ? decode4(frame.value.payload) : frame;
    if (!frame.ok || !message.ok) return [];
    const all = optionsInOrder(frame.value.payload).filter(([option]) => option === code.relayAgentInformation);
    return [{ message: message.value, information: all.map(([, value]) => inWords(Uint8Array.from(value))) }];
  });
}

function inWords(value: Uint8Array): string {
  const words = [...(decodeSubOptions(value, false) ?? [])].map(([sub, octets]) => {
    if (sub === relaySub.circuitId) return `circuit ${String.fromCharCode(...octets)}`;
    return sub === relaySub.linkSelection ? `link ${octets.join('.')}` : `sub-option ${sub}`;
  });
  return words.join(', ');
}

function ofType(all: readonly Captured[], type: number): Captured {
  const found = all.find(({ message }) => message.options.get(code.messageType)?.[0] === type);
  return found ?? expect.fail(`no message of type ${type} was captured`);
}

describe('behind', () => {
  for (const [name, { path, comes, copies }] of Object.entries(cases))
    it(`${name}: option 82 goes back whole, and of each copy of a RELEASE the first counts`, () =>
      withLab(async (lab) => {
        const { server, around } = await behindRelays(lab, path);
        const daemon = new Daemon(lab, server);
        const relays = around.relays.length === 0 ? '' : `, relays: [${around.relays.join(', ')}]`;
        daemon.write(`listen: [${around.links.join(', ')}]
networks:
  - { name: rack1, prefixes: 10.20.0.0/24, gateway: 10.20.0.1, pools: 10.20.0.100-10.20.0.199${relays} }
`);
        await daemon.start();
        const file = join(lab.folder, 'core.pcap');
        const options = ['--immediate-mode', '-U', '-Z', 'root', '-i', 'eth0', '-w', file, 'udp port 67'];
        const dump = lab.start(server, 'tcpdump', options);
        await dump.says(/listening on/);

        const client = new Dhclient(lab, 'rack1', '02:00:00:00:00:07');
        await client.bind();
        await client.release();
        const [giaddr, hops, ...information] = comes;
        // The router passes it on, and each relay that sees it pass relays it besides.
        const reasons: (string | undefined)[] = [];
        await daemon.event(({ asked, reason }) => asked === 'RELEASE' && reasons.push(reason) > copies.length);
        expect(reasons.sort()).to.deep.equal([...copies, 'released']);
        expect(daemon.leases()).to.deep.equal([]);
        await dump.end('SIGINT');

        const all = messagesIn(file);
        const discover = ofType(all, messageType.discover);
        expect([formatIp(discover.message.giaddr), discover.message.hops]).to.deep.equal([giaddr, hops]);
        expect(discover.information).to.deep.equal(information);
        for (const type of [messageType.offer, messageType.ack]) {
          expect(ofType(all, type).information).to.deep.equal(information);
        }
        const failed = daemon.program.lines.filter((line) => eventIn(line)?.reason === 'decision-failed');
        expect(failed).to.deep.equal([]);
      }));
});
