import { expect, test, vi } from "vitest";
import { lazy } from "../../src/util/lazy.ts";

test("creates its value at the first call, once", () => {
  const create = vi.fn(() => ({}));
  const get = lazy(create);
  expect(create).not.toHaveBeenCalled();
  expect(get()).toBe(get());
  expect(create).toHaveBeenCalledTimes(1);
});

test("creates again after a failure", () => {
  const create = vi.fn(() => ({}));
  create.mockImplementationOnce(() => {
    throw new Error("Not yet.");
  });
  const get = lazy(create);
  expect(get).toThrow("Not yet.");
  expect(get()).toEqual({});
});
