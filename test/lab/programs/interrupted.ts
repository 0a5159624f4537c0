// A program for the lab: opens a lab with everything in it, says where, and waits to be interrupted.
import { withLab } from '../lab.js';

await withLab(async (lab) => {
  const host = lab.namespace('host');
  lab.wire('wire').plug(host, 'eth0', { address: '10.20.0.1/24' });
  const program = lab.start(host, 'sleep', ['1000']);
  console.log(JSON.stringify({ namespace: host.name, folder: lab.folder, pid: program.pid }));
  await program.ended;
});
