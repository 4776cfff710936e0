import { describeError, escapeCharacter, type LogRecord, toLogText } from "./logger.ts";

/** Options of {@link formatTextRecord}. */
export interface TextRecordOptions {
  /** Colours the level, and dims time and field names, with ANSI escape sequences. */
  readonly colours: boolean;
}

type Paint = (text: string, code: number) => string;

const red = 31;
const yellow = 33;
const cyan = 36;
const dim = 2;

const levelColours: Readonly<Record<string, number>> = {
  debug: dim,
  info: cyan,
  warn: yellow,
  error: red,
};

/** Characters that a terminal interprets; a client may have sent them. */
const unprintable = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;

/** A string that can be read without quotes. */
const bareWord = /^[\w./:@+*?&,;%~-]+$/;

/**
 * Formats a log record for people: local time, level, message and fields on one line, and each error with its
 * stack and causes below. Control characters are escaped; a line break in a message is indented. Never throws.
 *
 * ```text
 * 09:30:00.123 INFO  GET /books/7 → 200 in 3.4 ms  route=/books/:id id=0b5308fc
 * ```
 */
export function formatTextRecord(record: LogRecord, { colours }: TextRecordOptions): string {
  const paint: Paint = (text, code) => (colours ? `\u001b[${code}m${text}\u001b[0m` : text);
  const { level, time, ...content } = record;
  const { message, fields } = summarise(content);
  const name = String(level);
  const words = [
    paint(localTime(time), dim),
    paint(name.toUpperCase().padEnd(5), levelColours[name] ?? cyan),
    printable(message, "    "),
  ];
  const blocks: string[] = [];
  const inline: string[] = [];
  for (const [key, value] of Object.entries(fields)) {
    const error = errorOf(value);
    if (error !== undefined) blocks.push(...errorLines(printable(key), error, "  ", paint));
    else if (value !== undefined) inline.push(`${paint(`${printable(key)}=`, dim)}${text(value)}`);
  }
  const line = words.join(" ").trimEnd();
  return [inline.length === 0 ? line : `${line}  ${inline.join(" ")}`, ...blocks].join("\n");
}

/** Returns the message of a record, that of an access record from its request, and the remaining fields. */
function summarise(content: LogRecord): { message: string; fields: LogRecord } {
  const { message, ...fields } = content;
  if (message !== undefined) return { message: asText(message), fields };
  const { method, path, status, durationMs, ...others } = content;
  if (typeof method !== "string" || typeof status !== "number") return { message: "", fields };
  const duration = typeof durationMs === "number" ? ` in ${durationMs} ms` : "";
  return { message: `${method} ${asText(path)} → ${status}${duration}`, fields: others };
}

/** Returns the description of an error, which may have been described by the caller. */
function errorOf(value: unknown): LogRecord | undefined {
  if (value instanceof Error) return describeError(value);
  if (typeof value !== "object" || value === null) return undefined;
  return "name" in value && "stack" in value ? (value as LogRecord) : undefined;
}

function errorLines(label: string, error: LogRecord, indent: string, paint: Paint): string[] {
  const { name, message, code, stack, cause, errors } = error;
  const suffix = code === undefined ? "" : ` [${asText(code)}]`;
  const head = `${asText(name)}: ${asText(message)}`;
  const frames = framesOf(asText(stack), head);
  const title = `${indent}${paint(`${label}:`, red)} ${printable(head, `${indent}    `)}${suffix}`;
  const lines = [title, ...frames.map((frame) => paint(`${indent}    ${printable(frame)}`, dim))];
  const inner = `${indent}  `;
  const list = Array.isArray(errors) ? (errors as readonly unknown[]) : [];
  for (const [key, value] of [["cause", cause], ...list.map((one, index) => [`${index}`, one])]) {
    if (value === undefined) continue;
    const nested = errorOf(value);
    if (nested === undefined) lines.push(`${inner}${paint(`${key}:`, red)} ${text(value)}`);
    else lines.push(...errorLines(String(key), nested, inner, paint));
  }
  return lines;
}

/** Returns the lines of a stack below the message, which engines put first. */
function framesOf(stack: string, head: string): string[] {
  const frames = stack.startsWith(head) ? stack.slice(head.length) : stack;
  return frames
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

function localTime(time: unknown): string {
  const date = new Date(String(time));
  if (Number.isNaN(date.getTime())) return asText(time);
  const two = (part: number): string => String(part).padStart(2, "0");
  const clock = [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(":");
  return `${clock}.${String(date.getMilliseconds()).padStart(3, "0")}`;
}

/** Returns the value of a field: bare if it is one word, otherwise as JSON. */
function text(value: unknown): string {
  if (typeof value === "string" && bareWord.test(value)) return value;
  try {
    return toLogText(value) ?? String(value);
  } catch {
    return "[a value that is not JSON]";
  }
}

function asText(value: unknown): string {
  return typeof value === "string" ? value : text(value);
}

/** Escapes control characters; breaks lines if they are indented. */
function printable(value: string, indent?: string): string {
  if (indent === undefined) return value.replace(unprintable, escapeCharacter);
  return value
    .split("\n")
    .map((line) => line.replace(unprintable, escapeCharacter))
    .join(`\n${indent}`);
}
