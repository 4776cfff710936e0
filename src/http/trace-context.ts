/** Where a request stands in a distributed trace (W3C Trace Context). */
export interface TraceContext {
  /** 32 hexadecimal digits, shared by everything that one action of a user sets off. */
  readonly traceId: string;
  /** 16 hexadecimal digits: this request's own part of the trace. */
  readonly spanId: string;
  /** The header that hands the trace on: send it with requests to other services. */
  readonly traceparent: string;
}

/** What a `traceparent` header says. */
export interface TraceParent {
  readonly traceId: string;
  /** The span of whoever sent it. */
  readonly parentId: string;
  /** Two hexadecimal digits; the lowest bit is set when the caller records the trace. */
  readonly flags: string;
}

const form = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const knownFlags = 0b11;
const hexDigits: readonly string[] = /* @__PURE__ */ Array.from({ length: 256 }, (_, byte) =>
  byte.toString(16).padStart(2, "0"),
);

/**
 * Reads a `traceparent` header (W3C Trace Context, section 3.2); undefined when it is absent or not
 * valid, and then a trace begins here.
 */
export function parseTraceParent(header: string | null): TraceParent | undefined {
  // A later version may be longer; nobody has a use for a long one, and it is the client who writes
  // it.
  if (header === null || header.length > 256) return undefined;
  const [, version, traceId, parentId, flags, rest] = form.exec(header.trim()) ?? [];
  if (version === undefined || traceId === undefined || parentId === undefined) return undefined;
  if (version === "ff" || (version === "00" && rest !== undefined)) return undefined;
  if (/^0+$/.test(traceId) || /^0+$/.test(parentId)) return undefined;
  return { traceId, parentId, flags: flags ?? "00" };
}

/**
 * The trace of a request: that of its `traceparent`, in which it is a new span, else a new one.
 *
 * A new trace is not marked as recorded, because nobody has recorded anything of it.
 */
export function createTraceContext(headers: Headers): TraceContext {
  const parent = parseTraceParent(headers.get("traceparent"));
  const random = randomHex();
  const traceId = parent?.traceId ?? random.slice(16);
  return traceContext(traceId, random.slice(0, 16), Number.parseInt(parent?.flags ?? "00", 16));
}

/**
 * A trace context of its parts; of the flags those that version 00 of the header knows are kept.
 */
export function traceContext(traceId: string, spanId: string, flags: number): TraceContext {
  return {
    traceId,
    spanId,
    traceparent: `00-${traceId}-${spanId}-${hexDigits[flags & knownFlags]}`,
  };
}

/**
 * 48 digits, for a span and a trace: asked for at once, since each asking costs more than the
 * digits.
 */
function randomHex(): string {
  let hex = "";
  for (const byte of crypto.getRandomValues(new Uint8Array(24))) hex += hexDigits[byte];
  return hex;
}
