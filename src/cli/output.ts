/** Writes to standard output; resolves when the data is flushed, so that the process may exit. */
export function print(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(text.endsWith("\n") ? text : `${text}\n`, (error) => {
      if (error) reject(error);
      else resolve();
    });
  });
}

/** Writes a message that is not part of a command's result to standard error. */
export function printNote(text: string): void {
  process.stderr.write(text.endsWith("\n") ? text : `${text}\n`);
}

/**
 * Redirects the application's logs to standard error, so that `espalier routes --json | jq` receives only the
 * JSON.
 */
export function keepLogsOutOfOutput(): void {
  console.log = console.error;
  console.info = console.error;
  console.debug = console.error;
}
