// No ACK leaves before what it grants is on the disk: the daemon's own system calls while clients get their leases.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import type { Durability } from '../support/strace.js';
import { checkDurability, straceOptions } from '../support/strace.js';
import { Udhcpc } from './clients/udhcpc.js';
import { Daemon } from './daemon.js';
import { withLab } from './lab.js';
import { manyClients, relayed, startStorm } from './storm.js';

const careless = fileURLToPath(new URL('programs/careless.js', import.meta.url));
const CLIENTS = 60;
const AT_ONCE = 8;

/** What the daemon did while many clients behind a relay, and one on the wire itself, got and renewed their leases. */
async function watched(program?: readonly string[]): Promise<Durability> {
  let text = '';
  await withLab(async (lab) => {
    const { server, relay } = relayed(lab);
    const daemon = new Daemon(lab, server);
    daemon.write(manyClients);
    const file = join(lab.folder, 'calls');
    const under = ['strace', '-o', file, ...straceOptions];
    await daemon.start({ under, ...(program === undefined ? {} : { program }) });
    await startStorm(lab, relay, CLIENTS, AT_ONCE).says(/^done$/);
    // An answer to a client without an address leaves as a frame, by another way than all others.
    const client = new Udhcpc(lab, 'rack1', '02:00:00:00:00:01');
    await client.bind();
    await client.renew();
    // strace passes nothing on: the daemon is its child, and strace ends with it and then has written everything.
    process.kill(childOf(daemon.program.pid), 'SIGTERM');
    expect(await daemon.program.ended).to.deep.equal({ code: 0, signal: null });
    text = readFileSync(file, 'utf8');
  });
  return checkDurability(text);
}

function childOf(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8'));
}

describe('an ACK', () => {
  it('leaves only after a sync of the log that began when its REQUEST was in', async () => {
    const { acks, broken } = await watched();
    expect(broken).to.deep.equal([]);
    expect(acks).to.be.at.least(CLIENTS + 2);
  });

  it('is found to leave without one where the store does not sync, by the same check', async () => {
    const { acks, broken } = await watched([careless]);
    expect(acks).to.be.at.least(CLIENTS + 2);
    expect(broken).to.have.lengthOf(acks);
  });
});
