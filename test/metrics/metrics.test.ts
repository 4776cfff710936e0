import { EspalierError, Metrics } from "espalier";
import { describe, expect, test } from "vitest";

const linesOf = (metrics: Metrics, accept?: string): string[] =>
  metrics.render(accept).text.trimEnd().split("\n");

test("a counter is written with its help, type and labels", () => {
  const metrics = new Metrics();
  const orders = metrics.counter("orders_total", { help: "Orders.", labels: ["plan", "paid"] });
  orders.add(1, { plan: "pro", paid: true });
  orders.add(2.5, { paid: true, plan: "pro" });
  orders.add(1, { plan: "free", paid: false });
  expect(linesOf(metrics)).toEqual([
    "# HELP orders_total Orders.",
    "# TYPE orders_total counter",
    'orders_total{plan="pro",paid="true"} 3.5',
    'orders_total{plan="free",paid="false"} 1',
  ]);
  expect(metrics.render().type).toBe("text/plain; version=0.0.4; charset=utf-8");
  expect(metrics.render().text.endsWith("1\n")).toBe(true);
});

test("OpenMetrics names the family of a counter without suffix, and ends with EOF", () => {
  const metrics = new Metrics();
  metrics.counter("orders_total", { help: 'The "orders".' }).add(1);
  const accept = "application/openmetrics-text;version=1.0.0,text/plain;version=0.0.4;q=0.5";
  expect(linesOf(metrics, accept)).toEqual([
    '# HELP orders The \\"orders\\".',
    "# TYPE orders counter",
    "orders_total 1",
    "# EOF",
  ]);
  expect(metrics.render(accept).type).toMatch(/^application\/openmetrics-text; version=1.0.0/);
});

test("a gauge can grow and shrink", () => {
  const metrics = new Metrics();
  const connections = metrics.gauge("connections", { help: "Open." });
  connections.set(5);
  connections.add(-7);
  expect(linesOf(metrics).at(-1)).toBe("connections -2");
});

test("the buckets of a histogram are cumulative, with inclusive bounds", () => {
  const metrics = new Metrics();
  const sizes = metrics.histogram("body_bytes", {
    help: "Sizes.",
    labels: ["a"],
    buckets: [1, 10],
  });
  for (const value of [1, 1.5, 10, 11, 200]) sizes.observe(value, { a: "x" });
  expect(linesOf(metrics).slice(2)).toEqual([
    'body_bytes_bucket{a="x",le="1"} 1',
    'body_bytes_bucket{a="x",le="10"} 3',
    'body_bytes_bucket{a="x",le="+Inf"} 5',
    'body_bytes_sum{a="x"} 223.5',
    'body_bytes_count{a="x"} 5',
  ]);
});

test("values of labels and help cannot break out of their line", () => {
  const metrics = new Metrics();
  const text = 'a"\\\nevil_total 5';
  metrics.counter("a_total", { help: text, labels: ["l"] }).add(1, { l: text });
  expect(linesOf(metrics)).toEqual([
    '# HELP a_total a"\\\\\\nevil_total 5',
    "# TYPE a_total counter",
    'a_total{l="a\\"\\\\\\nevil_total 5"} 1',
  ]);
});

test("label combinations beyond the limit are counted together", () => {
  const metrics = new Metrics({ maxSeries: 2 });
  const counter = metrics.counter("a_total", { help: "A.", labels: ["id"] });
  for (let id = 0; id < 1000; id += 1) counter.add(1, { id });
  counter.add(1, { id: 1 });
  expect(linesOf(metrics).slice(2)).toEqual([
    'a_total{id="0"} 1',
    'a_total{id="1"} 2',
    'a_total{otel_metric_overflow="true"} 998',
  ]);
});

describe("refusals", () => {
  const metrics = new Metrics();
  const counter = metrics.counter("known_total", { help: "Known." });
  const codeOf = (act: () => unknown): unknown => {
    try {
      act();
    } catch (error) {
      return error instanceof EspalierError ? error.code : error;
    }
    return undefined;
  };

  test.each(["orders", "1_total", "a-b_total", "_total ", "known_total"])(
    "the counter cannot be named %j",
    (name) => {
      expect(codeOf(() => metrics.counter(name, { help: "" }))).toBe("ERR_METRICS_BAD_NAME");
    },
  );

  test.each(["le", "__name__", "a-b", "1", ""])("a label of a histogram cannot be %j", (label) => {
    const create = () => metrics.histogram("a_seconds", { help: "", labels: [label] });
    expect(codeOf(create)).toBe("ERR_METRICS_BAD_NAME");
  });

  test.each([-1, Number.NaN, Number.POSITIVE_INFINITY, "1", undefined])(
    "a counter cannot add %j",
    (value) => {
      expect(codeOf(() => counter.add(value as number))).toBe("ERR_METRICS_BAD_VALUE");
    },
  );

  test.each([
    [{ buckets: [2, 1] }],
    [{ buckets: [1, Number.POSITIVE_INFINITY] }],
    [{ bucket: [] }],
  ])("a histogram cannot have %j", (options) => {
    const create = () => metrics.histogram("b_seconds", { help: "", ...options });
    expect(codeOf(create)).toBe("ERR_METRICS_BAD_OPTION");
  });

  test("a registry needs room for a series", () => {
    expect(codeOf(() => new Metrics({ maxSeries: 0 }))).toBe("ERR_METRICS_BAD_OPTION");
  });
});
