import type { LogLevel, LogRecord } from "../../observability/logger.ts";
import { formatTextRecord } from "../../observability/text-record.ts";
import { readProcessEnvironment } from "../process-environment.ts";

/** Formats a record as text; returns undefined where it must be JSON. */
export type TerminalFormat = (level: LogLevel, record: LogRecord) => string | undefined;

/** The part of the runtimes that is used here. */
interface Streams {
  readonly Deno?: Readonly<Record<StreamName, { isTerminal?(): boolean }>>;
  readonly process?: Readonly<Record<StreamName, { readonly isTTY?: boolean } | undefined>>;
}

type StreamName = "stdout" | "stderr";

/** Formats records as text while their stream is a terminal and `NODE_ENV` is not `production`. */
export const formatForTerminal: TerminalFormat | undefined = (level, record) => {
  if (!isTerminal(level === "warn" || level === "error" ? "stderr" : "stdout")) return undefined;
  const environment = readProcessEnvironment();
  if (environment["NODE_ENV"] === "production") return undefined;
  // https://no-color.org: any value but an empty one.
  const isPlain = (environment["NO_COLOR"] ?? "") !== "" || environment["TERM"] === "dumb";
  return formatTextRecord(record, { colours: !isPlain });
};

function isTerminal(stream: StreamName): boolean {
  const { Deno: deno, process } = globalThis as Streams;
  // Deno's own streams first: its `process` is loaded by the first use.
  if (deno !== undefined) return deno[stream].isTerminal?.() === true;
  return process?.[stream]?.isTTY === true;
}
