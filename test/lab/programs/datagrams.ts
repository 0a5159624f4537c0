// A program for the lab: sends what it is told, tells what it receives. Arguments: SERVER OWN-ADDRESS.
// Lines in: `unicast HEX` or `broadcast HEX`; lines out: the octets of each datagram that came, as HEX.
import { createSocket } from 'node:dgram';
import { createInterface } from 'node:readline';
import { fromHex, toHex } from '../../../lib/net/ids.js';

const [server, own] = process.argv.slice(2);
const PORT = 67;

const socket = createSocket({ type: 'udp4', recvBufferSize: 4 << 20 });
socket.on('message', (bytes) => {
  console.log(toHex(bytes));
});
socket.bind(PORT, own, () => {
  socket.setBroadcast(true);
  const lines = createInterface({ input: process.stdin });
  lines.on('line', (line) => {
    const [way, hex = ''] = line.split(' ');
    socket.send(fromHex(hex) ?? new Uint8Array(0), PORT, way === 'broadcast' ? '255.255.255.255' : server);
  });
  lines.on('close', () => {
    socket.close();
  });
});
