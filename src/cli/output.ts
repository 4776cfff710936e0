/** Writes to standard output, and resolves when a pipe has taken it: the process may end then. */
export function print(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(text.endsWith("\n") ? text : `${text}\n`, (error) => {
      if (error) reject(error);
      else resolve();
    });
  });
}

/** Writes what is not the result of a command to standard error. */
export function printNote(text: string): void {
  process.stderr.write(text.endsWith("\n") ? text : `${text}\n`);
}

/**
 * Sends what an application logs to standard error, since `espalier routes --json | jq` must get the JSON
 * alone.
 */
export function keepLogsOutOfOutput(): void {
  console.log = console.error;
  console.info = console.error;
  console.debug = console.error;
}
