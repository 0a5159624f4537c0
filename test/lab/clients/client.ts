// What every client can do in a test, real or simulated, and what it tells of its lease.

/** A lease as the client understood it, addresses as text. */
export interface Got {
  readonly address: string;
  readonly mask: string;
  readonly routers: readonly string[];
  readonly dns: readonly string[];
  /** The lease time that the server gave. */
  readonly seconds: number;
}

export interface Client {
  readonly mac: string;
  /** Whether it can come back with an address that it remembers (INIT-REBOOT, RFC 2131 §4.3.2). */
  readonly remembers: boolean;
  /** Starts as if for the first time, and resolves with the lease that it took. */
  bind(): Promise<Got>;
  /** Extends the lease that it has. */
  renew(): Promise<Got>;
  /** Ends without a word and starts again with what it remembers. */
  reboot(): Promise<Got>;
  /** Gives its lease back, and ends. Resolves when the message has left. */
  release(): Promise<void>;
}
