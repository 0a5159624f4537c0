// What the world around a packet is while its transaction runs.
import type { Scene } from '../ipam/scene.js';
import type { Ip } from '../net/ip.js';
import type { Packet } from './packet.js';

/** The UDP ports of both sides: 67 and 68, or whatever a demo or test uses. */
export interface Ports {
  readonly server: number;
  readonly client: number;
}

export interface World extends Scene {
  readonly ports: Ports;
}

/** Whether the sender is on this machine: the kernel takes no such source from a wire, so it is trusted as a relay is. */
export function fromLoopback(packet: Packet): boolean {
  return packet.source >>> 24 === 127;
}

/** Whether `id` is one of ours: the configured server identifier or any own address (RFC 2131 §4.1). */
export function isOurs(world: World, id: Ip): boolean {
  return id === world.site.serverId || world.own.includes(id);
}
