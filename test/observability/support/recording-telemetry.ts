import { AsyncLocalStorage } from "node:async_hooks";
import * as api from "@opentelemetry/api";

export interface RecordedSpan {
  readonly name: string;
  readonly kind: api.SpanKind | undefined;
  readonly attributes: Record<string, unknown>;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentId: string | undefined;
  status: api.SpanStatus | undefined;
  exceptions: unknown[];
  isEnded: boolean;
}

/** Minimal SDK: records spans, tracks the active one, and reads `traceparent`. */
export function installTelemetry(): { readonly spans: RecordedSpan[]; remove(): void } {
  const spans: RecordedSpan[] = [];
  const storage = new AsyncLocalStorage<api.Context>();
  const hex = (length: number): string =>
    Array.from({ length }, () => Math.floor(Math.random() * 16).toString(16)).join("");

  const startSpan = (name: string, options: api.SpanOptions = {}, context = api.ROOT_CONTEXT) => {
    const parent = api.trace.getSpanContext(context);
    const recorded: RecordedSpan = {
      name,
      kind: options.kind,
      attributes: { ...options.attributes },
      traceId: parent?.traceId ?? hex(32),
      spanId: hex(16),
      parentId: parent?.spanId,
      status: undefined,
      exceptions: [],
      isEnded: false,
    };
    spans.push(recorded);
    const { traceId, spanId } = recorded;
    const span: Partial<api.Span> = {
      spanContext: () => ({ traceId, spanId, traceFlags: api.TraceFlags.SAMPLED }),
      setAttribute(key, value) {
        recorded.attributes[key] = value;
        return this as api.Span;
      },
      setStatus(status) {
        recorded.status = status;
        return this as api.Span;
      },
      recordException: (exception) => void recorded.exceptions.push(exception),
      end() {
        recorded.isEnded = true;
      },
    };
    return span as api.Span;
  };

  api.trace.setGlobalTracerProvider({
    getTracer: () => ({ startSpan, startActiveSpan: () => undefined as never }),
  });
  api.context.setGlobalContextManager({
    active: () => storage.getStore() ?? api.ROOT_CONTEXT,
    with: (context, run, self, ...args) =>
      storage.run(context, () => run.apply(self as never, args)),
    bind: (_context, target) => target,
    enable() {
      return this;
    },
    disable() {
      return this;
    },
  });
  api.propagation.setGlobalPropagator({
    inject() {},
    fields: () => ["traceparent"],
    extract(context, carrier, getter) {
      const header = getter.get(carrier, "traceparent");
      const [, traceId = "", spanId = "", flags = ""] = String(header ?? "").split("-");
      if (traceId === "") return context;
      const remote = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
      return api.trace.setSpanContext(context, remote);
    },
  });
  return {
    spans,
    remove() {
      api.trace.disable();
      api.context.disable();
      api.propagation.disable();
    },
  };
}
