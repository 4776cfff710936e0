import { EspalierError } from "../errors.ts";

/** Creates the error for a message that an engine cannot carry. */
export function broadcastTooLarge(
  channel: string,
  bytes: number,
  limitBytes: number,
  engine: string,
): EspalierError {
  return new EspalierError(
    "ERR_BROADCAST_TOO_LARGE",
    `The broadcast "${channel}" has ${bytes} bytes with its name and id; ${engine} accepts at most ` +
      `${limitBytes}. Store the data elsewhere, and broadcast its key.`,
  );
}
