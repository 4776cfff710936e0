import type { Logger, LogRecord } from "../../src/observability/logger.ts";

export interface RecordedLine extends Record<string, unknown> {
  readonly level: string;
}

/** A logger that records its calls. */
export function createRecordingLogger(): Logger & { readonly lines: RecordedLine[] } {
  const lines: RecordedLine[] = [];
  const write = (level: string) => (record: string | LogRecord, fields?: LogRecord) => {
    const content = typeof record === "string" ? { message: record } : record;
    lines.push({ ...content, ...fields, level });
  };
  return {
    lines,
    debug: write("debug"),
    info: write("info"),
    warn: write("warn"),
    error: write("error"),
  };
}
