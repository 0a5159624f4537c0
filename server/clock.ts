// The time that decisions use: it never steps, whatever is done to the wall clock while the daemon runs.

export interface Clock {
  /** Integer milliseconds since 1970. */
  now(): number;
}

/** The wall clock's time at the start, and from then on what the monotonic clock counted. */
export function systemClock(): Clock {
  const started = Date.now();
  const zero = process.hrtime.bigint();
  return { now: () => started + Number((process.hrtime.bigint() - zero) / 1_000_000n) };
}
