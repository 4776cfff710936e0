interface ProcessWithSignals {
  once(signal: string, listener: () => void): unknown;
  off(signal: string, listener: () => void): unknown;
  exit(code: number): never;
}

/**
 * Calls `stop` at the first SIGINT or SIGTERM, then ends the process; a second one ends it at once.
 *
 * @returns what undoes it
 */
export function stopOnSignals(stop: () => Promise<void>): () => void {
  // Node's process; Deno and Bun have the same one under this name.
  const { process } = globalThis as unknown as { process: ProcessWithSignals };
  const onSignal = (): void => {
    stop().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  const signals = ["SIGINT", "SIGTERM"];
  for (const signal of signals) process.once(signal, onSignal);
  return () => {
    for (const signal of signals) process.off(signal, onSignal);
  };
}
