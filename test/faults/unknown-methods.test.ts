import { Application, Auth } from "espalier";
import { Application as CoreApplication } from "espalier/core";
import { describe, expect, test } from "vitest";

/** Calls a method that the types do not have. */
function call(object: object, name: string): unknown {
  return (object as Record<string, () => unknown>)[name]?.();
}

const routerMethods = ["get", "post", "put", "patch", "delete", "head", "options", "all", "group"];

describe.each([
  ["espalier", () => new Application()],
  ["espalier/core", () => new CoreApplication()],
])("an application of %s", (_, create) => {
  test.each(routerMethods)("has no %s, and says where it is", (name) => {
    expect(() => call(create(), name)).toThrow(
      expect.objectContaining({
        code: "ERR_APPLICATION_UNKNOWN_METHOD",
        message: `The application has no method "${name}". Use app.getRouter().${name}().`,
      }),
    );
    expect(call(create().getRouter(), "routes")).toEqual([]);
    expect(create().getRouter()).toHaveProperty(name);
  });

  test("may define such methods in a subclass", () => {
    class Shop extends Application {
      get(): string {
        return "mine";
      }
    }
    expect(new Shop().get()).toBe("mine");
  });
});

test.each([
  ["sign", "generateToken"],
  ["issue", "generateToken"],
  ["verify", "verifyToken"],
])("Auth has no %s, and names %s", (name, right) => {
  const auth = new Auth({ secret: "x".repeat(32) });
  expect(() => call(auth, name)).toThrow(
    expect.objectContaining({
      code: "ERR_AUTH_UNKNOWN_METHOD",
      message: `Auth has no method "${name}". Use ${right}().`,
    }),
  );
});

test.each([99_999, -1, 1.5, "http"])("listen(%j) reports the range of ports", async (port) => {
  await expect(new Application().listen(port as number)).rejects.toMatchObject({
    message: expect.stringMatching(/"port" of listen\(\) must be an integer from 0 to 65535, got/),
  });
});
