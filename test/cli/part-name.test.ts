import { describe, expect, test } from "vitest";
import { parsePartName } from "../../src/cli/make/part-name.ts";

describe("a name in any case", () => {
  test.each([
    ["list-users", "list-users", "ListUsers", "listUsers"],
    ["ListUsers", "list-users", "ListUsers", "listUsers"],
    ["listUsers", "list-users", "ListUsers", "listUsers"],
    ["list_users", "list-users", "ListUsers", "listUsers"],
    ["list users", "list-users", "ListUsers", "listUsers"],
    ["HTTPLog", "http-log", "HttpLog", "httpLog"],
    ["oauth2Callback", "oauth2-callback", "Oauth2Callback", "oauth2Callback"],
    ["list.users.ts", "list-users", "ListUsers", "listUsers"],
  ])("%s", (text, kebab, pascal, camel) => {
    expect(parsePartName(text, "")).toEqual({ path: [kebab], kebab, pascal, camel });
  });

  test("with folders", () => {
    expect(parsePartName("Admin/UserGroups/ListUsers", "").path).toEqual([
      "admin",
      "user-groups",
      "list-users",
    ]);
    expect(parsePartName("admin\\list", "").path).toEqual(["admin", "list"]);
  });

  test("with or without the suffix of the class", () => {
    for (const text of ["mail", "MailProvider", "mail-provider"]) {
      expect(parsePartName(text, "Provider").kebab).toBe("mail");
    }
    expect(parsePartName("provider", "Provider").kebab).toBe("provider");
    expect(parsePartName("ListController", "").kebab).toBe("list-controller");
  });
});

test.each([
  "",
  " ",
  "/",
  "a/",
  "/a",
  "../a",
  "a/../b",
  ".hidden",
  "a//b",
  "a$b",
  "a;b",
  "über",
  "-",
])("%j is refused", (text) => {
  expect(() => parsePartName(text, "")).toThrow(/is not a valid name\. Use letters/);
});

test("a name must not start with a digit", () => {
  expect(() => parsePartName("2fa", "")).toThrow('"2fa" starts with a digit');
});
