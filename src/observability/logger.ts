/** What a log line is about: a sentence, or a record that has its own fields. */
export type LogRecord = Readonly<Record<string, unknown>>;

/**
 * Where Espalier writes: unexpected errors, warnings, access records.
 *
 * `console` fits, and so do pino and winston. A logger that throws never breaks a request.
 */
export interface Logger {
  /** What only somebody looks for who hunts a fault. */
  debug(record: string | LogRecord, fields?: LogRecord): void;
  /** What happened as it should, such as an access record. */
  info(record: string | LogRecord, fields?: LogRecord): void;
  /** What goes on working, and should not stay as it is. */
  warn(record: string | LogRecord, fields?: LogRecord): void;
  /** What failed. */
  error(record: string | LogRecord, fields?: LogRecord): void;
}

type Level = "debug" | "info" | "warn" | "error";

/**
 * The logger used when the application gives none: one line of JSON for each record, on `console`.
 */
export function createConsoleLogger(): Logger {
  const write = (level: Level, record: string | LogRecord, fields?: LogRecord): void => {
    const content = typeof record === "string" ? { message: record } : record;
    console[level](serialise({ level, time: new Date().toISOString(), ...content, ...fields }));
  };
  return {
    debug: (record, fields) => write("debug", record, fields),
    info: (record, fields) => write("info", record, fields),
    warn: (record, fields) => write("warn", record, fields),
    error: (record, fields) => write("error", record, fields),
  };
}

/**
 * What JSON leaves as it is and a terminal or an editor does not: control characters beyond
 * ASCII's, line separators, and those that turn the direction of writing.
 */
const misleading = /[\u007f-\u009f\u2028\u2029\p{Bidi_Control}]/gu;

/**
 * JSON in which an Error shows its name, message, stack and causes, and nothing can throw. It is
 * one line, whatever a client has put into it.
 */
function serialise(record: LogRecord): string {
  try {
    const text = JSON.stringify(record, (_key, value: unknown) => {
      if (value instanceof Error) return describeError(value);
      return typeof value === "bigint" ? value.toString() : value;
    });
    return text.replace(misleading, escapeCharacter);
  } catch {
    return JSON.stringify({ level: record["level"], message: "A log record that is not JSON." });
  }
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** What an error that was described is asked for its stack by. */
const described = Symbol("described error");

interface Described {
  readonly [described]: Error;
}

/** One getter for all: of one that each object has alone engines keep the shape, and the error by it. */
const lazyStack: PropertyDescriptor & ThisType<Described> = {
  enumerable: true,
  configurable: true,
  get() {
    return stackOf(this[described]);
  },
};

/** What the consoles of Node, Deno, Bun and Workers ask an object by for what to show of it. */
const inspection = /* @__PURE__ */ Symbol.for("nodejs.util.inspect.custom");

/** Shows the stack: of a getter a console writes `[Getter]`, and nobody would learn where it failed. */
const shown: PropertyDescriptor & ThisType<object> = {
  value() {
    return { ...this };
  },
};

/**
 * Adds the stack, to be written when it is read: it takes longer than most requests, and only a logger
 * that shows it is to pay.
 */
function addStack(record: object, error: Error): void {
  Object.defineProperty(record, described, { value: error });
  Object.defineProperty(record, "stack", lazyStack);
  Object.defineProperty(record, inspection, shown);
}

function stackOf(error: Error): string | undefined {
  try {
    const { stack } = error;
    return typeof stack === "string" ? stack : undefined;
  } catch {
    return undefined;
  }
}

/**
 * What was thrown, as plain data for a log line.
 *
 * Anything can be thrown, also a Proxy whose every property throws, and this never does.
 *
 * @param depth how many causes are followed
 */
export function describeError(error: unknown, depth = 4): LogRecord {
  try {
    if (!(error instanceof Error)) return { thrown: String(error) };
    const record: Record<string, unknown> = { name: error.name, message: error.message };
    if ("code" in error) record["code"] = error.code;
    addStack(record, error);
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
