// Undoes what a run set up, also when the run is interrupted.

const signals = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const;

/**
 * Runs `work` and then `undo`. A signal that ends the process meanwhile, or `process.exit`, runs `undo` as well; therefore
 * it is synchronous. Nests: the inner one is undone first.
 */
export async function withUndo<T>(undo: () => void, work: () => Promise<T>): Promise<T> {
  const leave = (signal: keyof typeof signals): void => {
    process.exit(128 + signals[signal]);
  };
  process.prependListener('exit', undo);
  for (const signal of Object.keys(signals)) process.on(signal, leave);
  try {
    return await work();
  } finally {
    process.off('exit', undo);
    for (const signal of Object.keys(signals)) process.off(signal, leave);
    undo();
  }
}
