import { describe } from "../util/describe.ts";

/** Structured log record: fields by name. */
export type LogRecord = Readonly<Record<string, unknown>>;

/**
 * Logger of Espalier: receives unexpected errors, warnings and access records.
 *
 * Compatible with `console`, pino and winston. A logger that throws never fails a request.
 */
export interface Logger {
  /** Debug details. */
  debug(record: string | LogRecord, fields?: LogRecord): void;
  /** Normal events, such as access log records. */
  info(record: string | LogRecord, fields?: LogRecord): void;
  /** Recoverable problems that need attention. */
  warn(record: string | LogRecord, fields?: LogRecord): void;
  /** Errors. */
  error(record: string | LogRecord, fields?: LogRecord): void;
}

/** Level of a record, and the method of `console` that writes it. */
export type LogLevel = "debug" | "info" | "warn" | "error";

/**
 * Characters that JSON leaves unescaped but that terminals and editors interpret: non-ASCII control
 * characters, line separators and bidirectional controls.
 */
const misleading = /[\u007f-\u009f\u2028\u2029\p{Bidi_Control}]/gu;

/**
 * Serialises a record as one line of JSON, with name, message, stack and causes of errors. Never throws,
 * and escapes line breaks and control characters in client input (log injection).
 */
export function toJsonLine(record: LogRecord): string {
  try {
    return toLogText(record) ?? "{}";
  } catch {
    return JSON.stringify({ level: record["level"], message: "A log record that is not JSON." });
  }
}

/**
 * Serialises a value as JSON that is safe to print; undefined for a value without JSON, such as a function.
 *
 * @throws for a value that JSON cannot represent, such as a circular one
 */
export function toLogText(value: unknown): string | undefined {
  // The type of `JSON.stringify` hides that it returns undefined for functions and symbols.
  const text: string | undefined = JSON.stringify(value, (_key, inner: unknown) => {
    if (inner instanceof Error) return describeError(inner);
    return typeof inner === "bigint" ? inner.toString() : inner;
  });
  return text?.replace(misleading, escapeCharacter);
}

/** Escapes a character as `\uXXXX`. */
export function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/**
 * An error as data of a log record. Its `stack` is read lazily: formatting it takes longer than most requests, so only
 * loggers that read it pay for it.
 */
class ErrorRecord {
  [field: string]: unknown;
  readonly #error: Error;

  constructor(error: Error) {
    this.#error = error;
    this["name"] = error.name;
    this["message"] = error.message;
    if ("code" in error) this["code"] = error.code;
    Object.defineProperty(this, "stack", ErrorRecord.#lazyStack);
  }

  /** Shared getter: with one getter per object, engines keep a shape for each, which retains its error. */
  static readonly #lazyStack: PropertyDescriptor & ThisType<ErrorRecord> = {
    enumerable: true,
    configurable: true,
    get() {
      return stackOf(this.#error);
    },
  };

  /** Keeps the shape of the instances: see `RequestContext`. */
  static readonly sample: object = /* @__PURE__ */ new ErrorRecord(new Error(""));

  /** Resolves the getter for the consoles of Node, Deno, Bun and Workers, which would print `[Getter]`. */
  [Symbol.for("nodejs.util.inspect.custom")](): object {
    return { ...this };
  }
}

function stackOf(error: Error): string | undefined {
  try {
    const { stack } = error;
    return typeof stack === "string" ? stack : undefined;
  } catch {
    return undefined;
  }
}

/** Describes a thrown value that is not an Error; an object by its field names and its message. */
function describeThrown(value: unknown): LogRecord {
  const text = String(value);
  if (text !== "[object Object]") return { thrown: text };
  const message: unknown = Object(value).message;
  return { thrown: describe(value), ...(typeof message === "string" ? { message } : {}) };
}

/**
 * Converts a thrown value into plain data for a log record.
 *
 * Never throws, even for a Proxy whose every property throws.
 *
 * @param depth maximum number of nested causes
 */
export function describeError(error: unknown, depth = 4): LogRecord {
  try {
    if (!(error instanceof Error)) return describeThrown(error);
    const record: { [field: string]: unknown } = new ErrorRecord(error);
    if (error.cause !== undefined && depth > 0) {
      record["cause"] = describeError(error.cause, depth - 1);
    }
    if (error instanceof AggregateError && depth > 0) {
      record["errors"] = error.errors.map((inner) => describeError(inner, depth - 1));
    }
    return record;
  } catch {
    return { thrown: "a value that cannot be read" };
  }
}
