import { text } from "espalier";
import { expect, test, vi } from "vitest";
import { MiddlewareRegistry } from "../../src/pipeline/registry.ts";

test("every registration increments the revision and calls the listener", () => {
  const onChange = vi.fn();
  const registry = new MiddlewareRegistry(onChange);
  registry.use(() => text("one"));
  expect([registry.revision, onChange.mock.calls.length]).toEqual([1, 1]);
  registry.useOutermost(() => text("two"));
  expect([registry.revision, onChange.mock.calls.length]).toEqual([2, 2]);
  registry.register("three", () => text("three"));
  expect([registry.revision, onChange.mock.calls.length]).toEqual([3, 3]);
});

test("a registration needs no listener", () => {
  const registry = new MiddlewareRegistry();
  registry.use(() => text("one"));
  expect(registry.revision).toBe(1);
});
