import type { RequestContext } from "../http/context.ts";
import { shownPath } from "../http/shown-path.ts";
import { parseTraceParent, traceContext } from "../http/trace-context.ts";
import {
  errorStatus,
  headerGetter,
  type OpenTelemetryApi,
  type Span,
  serverSpan,
} from "../observability/open-telemetry.ts";

/**
 * Runs the rest of a request inside an OpenTelemetry span, named and described by its semantic
 * conventions for HTTP servers. `ctx.trace` is that span from then on.
 */
export async function runInSpan(
  api: OpenTelemetryApi,
  ctx: RequestContext,
  run: () => Promise<Response>,
): Promise<Response> {
  const { headers } = ctx;
  const active = api.context.active();
  // On an instrumented server the active span is the parent.
  const isInside = api.trace.getSpan(active) !== undefined;
  const parent = isInside ? active : api.propagation.extract(active, headers, headerGetter);
  const route = ctx.route?.pattern;
  const name = route === undefined ? ctx.method : `${ctx.method} ${route}`;
  const options = { kind: serverSpan, attributes: attributesOf(ctx, route) };
  const span = api.trace.getTracer("espalier").startSpan(name, options, parent);
  adoptTrace(ctx, span);
  try {
    const response = await api.context.with(api.trace.setSpan(parent, span), run);
    describeOutcome(span, ctx, response.status);
    return response;
  } finally {
    span.end();
  }
}

function attributesOf(ctx: RequestContext, route: string | undefined): Record<string, string> {
  const { protocol, hostname } = ctx.url;
  return {
    "http.request.method": ctx.method,
    "url.scheme": protocol.slice(0, -1),
    "url.path": shownPath(ctx, ctx.internalInput.redactor),
    "server.address": hostname,
    ...(route === undefined ? {} : { "http.route": route }),
  };
}

/** Adopts the span's trace. Without an SDK the API's spans are no-ops: the context keeps its own trace. */
function adoptTrace(ctx: RequestContext, span: Span): void {
  const { traceId, spanId, traceFlags } = span.spanContext();
  const parent = parseTraceParent(ctx.headers.get("traceparent"));
  if (/^0+$/.test(traceId) || spanId === parent?.parentId) return;
  ctx.internalInput.trace = traceContext(traceId, spanId, traceFlags);
}

function describeOutcome(span: Span, ctx: RequestContext, status: number): void {
  span.setAttribute("http.response.status_code", status);
  // Client errors (4xx) are not server errors.
  if (status < 500) return;
  span.setAttribute("error.type", String(status));
  span.setStatus({ code: errorStatus });
  if (ctx.error instanceof Error) span.recordException(ctx.error);
}
