// The closed list of what can happen to a packet, a decision or a file, each with a sentence for people.
// Decode, decide, log, metrics, explain and replay share it; nothing else may name an outcome.

const sentences = {
  // Decoding: the bytes are not what they should be.
  'too-short': 'The message ends before the fixed header does.',
  'bad-op': 'The op field is not the one expected here (1 BOOTREQUEST for a server, 2 BOOTREPLY for a client).',
  'bad-hlen': 'The hardware address length is over the 16 octets that the header has room for.',
  'bad-cookie': 'The options do not begin with the magic cookie 99.130.83.99.',
  'option-overrun': 'An option says that it is longer than the field that holds it.',
  'bad-relay': 'A relayed message holds no message, or more than one.',
  'too-many-hops': 'The message passed more relays than HOP_COUNT_LIMIT allows (RFC 9915 §7.6).',
  'bad-frame': 'The frame is not Ethernet, IP and UDP with lengths that agree.',
  'bad-checksum': 'The IPv4 header or UDP checksum is wrong.',
  'bad-capture': 'The capture file is neither pcap nor pcapng, or is cut off.',
  'too-large': 'The message does not fit into what its receiver can take.',
  'relay-info-omitted': 'Option 82 did not fit into the answer and was left out whole (RFC 3046 §2.2).',
  // Classifying: it is well formed and not for us.
  'unknown-message': 'The message type is not one that a server answers.',
  'not-for-us': 'The client chose another server, or names one that is not us.',
  'no-network': 'No declared network belongs to the link, relay or address that the packet came by.',
  'untrusted-relay': 'The packet was relayed by an address that is neither listed under `relays` nor in the network.',
  'no-identity': 'The client has neither a usable hardware address nor a client identifier.',
  // Deciding: why there is, or is no, address.
  offered: 'An address was offered.',
  granted: 'An address was bound and acknowledged.',
  renewed: 'The client holds the address; its time was extended.',
  informed: 'Options were given; the client brought its own address.',
  released: 'The client gave the address back.',
  declined: 'The client found the address in use by somebody else; it is quarantined.',
  'static-kept': 'The client gave a static address back; the address stays its own.',
  'wrong-address': 'The client asks for an address that is not the one it holds or was offered.',
  'wrong-network': 'The client asks for an address of another network.',
  'unknown-client': 'There is no record of the client, so another server may have one; silence, not a NAK.',
  'address-taken': 'The address is bound, offered, parked, cooling or quarantined for somebody else.',
  'address-reserved': 'The address is one that is never given dynamically.',
  'pool-empty': 'No free address is left in the pools of the network.',
  'no-pool': 'The network has no pool to take an address from.',
  'fixed-outside': 'The declared fixed address lies outside every network.',
  'on-probation': 'The fixed address was declined a moment ago; it is tried again after the probation.',
  'allocation-reserved': 'The network is `allocation: reserved`, and this owner has no static or parked address in it.',
  'unknown-ignored': 'The network is `unknown: ignore`, and no declaration names this owner.',
  'roaming-ignored': 'The network is `roaming: ignore`, and the declaration of this owner belongs to another one.',
  'alias-in-use': 'Another MAC of the same declared interface holds the lease.',
  'not-holder': 'The sender is not the holder of the address on its network; nothing was changed.',
  'decline-limit': 'The owner has declined three addresses within an hour; further ones are not believed.',
  'bootp-dynamic': 'A BOOTP client is served static addresses only, and this owner has none.',
  // The house: what happens around a decision.
  'store-failed': 'The transaction could not be made durable, so nobody was answered.',
  'decision-failed':
    'The decision hit a defect of ours; it was rolled back and counted, its neighbours were not touched.',
  materialised: 'A fixed address was bound before its client asked.',
  unchanged: 'There was nothing to do.',
  stranded: 'The edit takes away a prefix in which addresses are held; the running revision was left alone.',
  applied: 'A configuration revision was made current.',
} as const;

/** One outcome of the closed list. */
export type Reason = keyof typeof sentences;

/** Every reason, in the order of the list (for counters and documentation). */
export const reasons = Object.keys(sentences) as readonly Reason[];

/** The sentence that explains `reason` to a person. */
export function explainReason(reason: Reason): string {
  return sentences[reason];
}

/** A failure that is a value: `reason` from the closed list, `detail` for the one occurrence at hand. */
export interface Failure {
  readonly ok: false;
  readonly reason: Reason;
  readonly detail?: string;
}

export type Result<T> = { readonly ok: true; readonly value: T } | Failure;

/** Makes a {@link Failure}. */
export function fail(reason: Reason, detail?: string): Failure {
  return detail === undefined ? { ok: false, reason } : { ok: false, reason, detail };
}

/** Makes a success. */
export function ok<T>(value: T): { readonly ok: true; readonly value: T } {
  return { ok: true, value };
}

/** The end of a switch over a union: reaching it is a defect of ours. */
export function assertNever(value: never): never {
  throw new Error(`unreachable: ${JSON.stringify(value)}`);
}
