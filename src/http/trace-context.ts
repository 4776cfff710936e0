/** Position of a request in a distributed trace (W3C Trace Context). */
export interface TraceContext {
  /** 32 hexadecimal digits, shared by all spans of the trace. */
  readonly traceId: string;
  /** 16 hexadecimal digits: the span of this request. */
  readonly spanId: string;
  /** The header that propagates the trace: send it with requests to other services. */
  readonly traceparent: string;
}

/** A parsed `traceparent` header. */
export interface TraceParent {
  readonly traceId: string;
  /** The span id of the caller. */
  readonly parentId: string;
  /** Two hexadecimal digits; the lowest bit is set if the caller records the trace (sampled). */
  readonly flags: string;
}

const form = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const knownFlags = 0b11;

/**
 * Parses a `traceparent` header (W3C Trace Context, section 3.2); returns undefined if it is absent or
 * invalid, in which case a new trace starts.
 */
export function parseTraceParent(header: string | null): TraceParent | undefined {
  // A later version may be longer; the length is bounded because the header is untrusted.
  if (header === null || header.length > 256) return undefined;
  const [, version, traceId, parentId, flags, rest] = form.exec(header.trim()) ?? [];
  if (version === undefined || traceId === undefined || parentId === undefined) return undefined;
  if (version === "ff" || (version === "00" && rest !== undefined)) return undefined;
  if (/^0+$/.test(traceId) || /^0+$/.test(parentId)) return undefined;
  return { traceId, parentId, flags: flags ?? "00" };
}

/**
 * Creates the trace context of a request: a new span in the trace of its `traceparent`, else a new trace.
 *
 * A new trace is not marked as sampled, because no span of it has been recorded.
 *
 * @example new Application({ trace }); // of espalier/core, for ctx.trace
 */
export function createTraceContext(headers: Headers): TraceContext {
  const parent = parseTraceParent(headers.get("traceparent"));
  const random = randomHex();
  const traceId = parent?.traceId ?? random.slice(16);
  return traceContext(traceId, random.slice(0, 16), Number.parseInt(parent?.flags ?? "00", 16));
}

/**
 * Creates a trace context from its parts; only flags defined by version 00 of the header are kept.
 */
export function traceContext(traceId: string, spanId: string, flags: number): TraceContext {
  return {
    traceId,
    spanId,
    traceparent: `00-${traceId}-${spanId}-0${flags & knownFlags}`,
  };
}

/**
 * Generates 48 random digits, for a span and a trace, in one call: the overhead of a call exceeds the cost
 * of the digits.
 */
function randomHex(): string {
  let hex = "";
  for (const word of crypto.getRandomValues(new Uint32Array(6))) {
    hex += word.toString(16).padStart(8, "0");
  }
  return hex;
}
