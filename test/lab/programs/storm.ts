// A program for the lab: so many clients behind one relay, each of which gets its lease as fast as the server lets it.
// Arguments: SERVER RELAY COUNT AT-ONCE. Says a line for each ACK as JSON, then `done` when everybody has one.
import { createSocket } from 'node:dgram';
import type { Mac } from '../../../lib/net/ids.js';
import { macFromBytes, parseMac } from '../../../lib/net/ids.js';
import type { Ip4 } from '../../../lib/net/ip.js';
import { formatIp, parseIp4 } from '../../../lib/net/ip.js';
import type { Message4 } from '../../../lib/wire/message4.js';
import { decode4, encode4 } from '../../../lib/wire/message4.js';
import { code, messageType } from '../../../lib/wire/options4.js';
import type { Client } from '../../../scripts/probe/message.js';
import { addressIn, discover, request } from '../../../scripts/probe/message.js';

/** What this program says of one client. `asked` is when its REQUEST left, in ms since 1970: its lease counts from there. */
export interface Acked {
  readonly mac: string;
  readonly address: string;
  readonly seconds: number;
  readonly asked: number;
}

/** A client that hears nothing asks again after so many ms. */
const PATIENCE = 1000;
const PORT = 67;

const [server = '', relay = '', count = '0', atOnce = '1'] = process.argv.slice(2);
const giaddr = parseIp4(relay) as Ip4;
const socket = createSocket({ type: 'udp4', recvBufferSize: 4 << 20 });

/** What a client waits for, and since when. */
interface Waiting {
  readonly client: Client;
  last: Message4;
  sent: number;
}
const waiting = new Map<Mac, Waiting>();
let next = 0;
let done = 0;

/** The MAC of client number `n`. */
function macOf(n: number): Mac {
  const digits = n.toString(16).padStart(6, '0');
  return parseMac(`02:0a:00:${digits.replace(/..\B/g, '$&:')}`) as Mac;
}

function send(one: Waiting): void {
  const encoded = encode4(one.last, 1472);
  if (!encoded.ok) throw new Error(encoded.reason);
  one.sent = Date.now();
  socket.send(encoded.value, PORT, server);
}

function begin(): void {
  if (next >= Number(count)) return;
  const mac = macOf(next++);
  const client: Client = { mac, xid: next, giaddr, options: new Map() };
  const one = { client, last: discover(client), sent: 0 };
  waiting.set(mac, one);
  send(one);
}

function heard(bytes: Uint8Array): void {
  const decoded = decode4(bytes);
  if (!decoded.ok) throw new Error(`the server sent what cannot be read: ${decoded.reason}`);
  const reply = decoded.value;
  const mac = macFromBytes(reply.chaddr);
  const one = waiting.get(mac);
  if (one?.client.xid !== reply.xid) return;
  const type = reply.options.get(code.messageType)?.[0];
  const asked = one.last.options.get(code.messageType)?.[0];
  if (type === messageType.offer && asked === messageType.discover) {
    one.last = request(one.client, reply);
    send(one);
  } else if (type === messageType.ack) {
    waiting.delete(mac);
    const acked: Acked = {
      mac,
      address: formatIp(reply.yiaddr),
      seconds: addressIn(reply, code.leaseTime) ?? 0,
      asked: one.sent,
    };
    console.log(JSON.stringify(acked));
    done++;
    if (done === Number(count)) finish();
    else begin();
  } else if (type === messageType.nak) {
    one.last = discover(one.client);
    send(one);
  }
}

function finish(): void {
  console.log('done');
  clearInterval(timer);
  socket.close();
}

const timer = setInterval(() => {
  const late = Date.now() - PATIENCE;
  for (const one of waiting.values()) if (one.sent <= late) send(one);
}, PATIENCE / 4);
// The server goes away in the midst of this: what then cannot be sent is sent again.
socket.on('error', () => undefined);
socket.on('message', heard);
socket.bind(PORT, relay, () => {
  for (let i = 0; i < Number(atOnce); i++) begin();
});
