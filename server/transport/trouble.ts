// Sentences for the operator where a socket cannot be opened: what is in the way, and what to do.
import type { Ip4 } from '../../lib/net/ip.js';
import { formatIp } from '../../lib/net/ip.js';

/** Why `address`:`port` could not be bound; `code` is the errno's name. */
export function bindTrouble(code: string, address: Ip4, port: number): string {
  const where = `${formatIp(address)} port ${port}`;
  switch (code) {
    case 'EADDRINUSE':
      return (
        `Another program already serves UDP ${where}: perhaps dnsmasq, dhcpd, Kea, systemd-networkd or a second leasehold. ` +
        `See which with: ss -lunp 'sport = :${port}'`
      );
    case 'EACCES':
      return (
        `UDP ${where} may be bound only with CAP_NET_BIND_SERVICE. Run as root, or give the service ` +
        `AmbientCapabilities=CAP_NET_BIND_SERVICE CAP_NET_RAW in its unit.`
      );
    case 'EADDRNOTAVAIL':
      return `The address of UDP ${where} is not on this machine any more. Look with: ip -4 address`;
    default:
      return `UDP ${where} could not be bound: ${code === '' ? 'unknown error' : code}.`;
  }
}

/** Why a socket could not be bound to the link `name`. */
export function deviceTrouble(code: string, name: string): string {
  if (code === 'EPERM') {
    return `Binding a socket to the link ${name} needs CAP_NET_RAW on this kernel. Run as root, or give the service AmbientCapabilities=CAP_NET_BIND_SERVICE CAP_NET_RAW in its unit.`;
  }
  return `No socket could be bound to the link ${name}: ${code}.`;
}

/** Why answers to clients without an address go out as broadcasts although they need not. */
export function packetTrouble(code: string): string {
  const why = code === 'EPERM' ? 'CAP_NET_RAW is missing' : `AF_PACKET: ${code}`;
  return (
    `Answers to clients that have no address yet are broadcast, because ${why}. Most clients take them so; ` +
    `to send them to the one client only, give the program CAP_NET_RAW.`
  );
}
