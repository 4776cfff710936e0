import { formatForTerminal } from "#host";
import { type Logger, type LogLevel, type LogRecord, toJsonLine } from "./logger.ts";

/**
 * Default logger, on `console`: one line of JSON per record; readable text where the console is a terminal and
 * the variable `NODE_ENV` is not `production`.
 */
export function createConsoleLogger(): Logger {
  const write = (level: LogLevel, record: string | LogRecord, fields?: LogRecord): void => {
    const content = typeof record === "string" ? { message: record } : record;
    const entry = { level, time: new Date().toISOString(), ...content, ...fields };
    console[level](formatForTerminal?.(level, entry) ?? toJsonLine(entry));
  };
  return {
    debug: (record, fields) => write("debug", record, fields),
    info: (record, fields) => write("info", record, fields),
    warn: (record, fields) => write("warn", record, fields),
    error: (record, fields) => write("error", record, fields),
  };
}
