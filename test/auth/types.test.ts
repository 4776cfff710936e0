import { join } from "node:path";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import { root } from "../support/bundle.ts";

// A separate program per text, because registered types apply to the whole program.
const { options: projectOptions } = ts.parseJsonConfigFileContent(
  ts.readConfigFile(join(root, "tsconfig.json"), ts.sys.readFile).config,
  ts.sys,
  root,
);
const options = { ...projectOptions, noUnusedLocals: false };

/** Returns the type errors of a source text in `test/auth/`. */
function errorsIn(text: string): string[] {
  const file = join(root, "test/auth/program.ts");
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists, readFile } = host;
  host.fileExists = (name) => name === file || fileExists(name);
  host.readFile = (name) => (name === file ? text : readFile(name));
  host.getSourceFile = (name, ...rest) =>
    name === file
      ? ts.createSourceFile(name, text, ts.ScriptTarget.ES2022)
      : getSourceFile(name, ...rest);
  const program = ts.createProgram([file, join(root, "src/ambient.d.ts")], options, host);
  const source = program.getSourceFile(file);
  return ts
    .getPreEmitDiagnostics(program, source)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
}

const imports = `
  import { Auth } from "../../src/auth/auth.ts";
  import { MemoryTokenStore } from "../../src/auth/memory-token-store.ts";
  import { Cache } from "../../src/cache/cache.ts";
  import type { Policy } from "../../src/auth/policies.ts";
  import type { RequestContext } from "../../src/http/context.ts";
  import { createApiKeyMiddleware } from "../../src/middleware/api-key-authentication.ts";
  import { createAuthMiddleware } from "../../src/middleware/authentication.ts";
  import { createBasicAuthMiddleware } from "../../src/middleware/basic-authentication.ts";
  declare const ctx: RequestContext;
  declare function take<T>(value: T): void;
`;

const register = `
  declare module "../../src/register.ts" {
    interface Register { user: { readonly id: number; readonly role: "reader" | "editor" } }
  }
`;

describe("with a registered user", () => {
  test("ctx.user, verifyToken, authenticate, resolveUser and policies have its type", () => {
    const text = `${imports}${register}
      interface Member { readonly id: number; readonly role: "reader" | "editor" }
      const auth = new Auth({ secret: "x", resolveUser: async () => ({ id: 1, role: "editor" }) });
      take<Member | null | undefined>(ctx.user);
      take<Member | null>(await auth.verifyToken("t"));
      take<string>(await auth.generateToken({ id: 1, role: "reader" }));
      const result = await auth.authenticate(new Request("http://localhost/"));
      if (result.reason === undefined) {
        take<Member>(result.user);
        take<number | undefined>(result.claims.exp);
      } else {
        take<null>(result.user);
      }
      const edit: Policy = (context) => context.user?.role === "editor";
      createAuthMiddleware(auth);
      createApiKeyMiddleware({ findUser: () => ({ id: 1, role: "reader" }) });
      createBasicAuthMiddleware({ findUser: async () => null });
      take<Policy>(edit);
      export {};
    `;
    expect(errorsIn(text)).toEqual([]);
  });

  test("another type is an error", () => {
    const mistakes: readonly (readonly [line: string, error: string])[] = [
      [`ctx.user.role;`, "'ctx.user' is possibly 'null' or 'undefined'."],
      [`new Auth({ secret: "x", resolveUser: () => ({ id: "1" }) });`, "is not assignable"],
      [`await new Auth({ secret: "x" }).generateToken({ id: 1 });`, "Property 'role' is missing"],
      [`const a: Policy = (context) => context.user?.role === "admin";`, "no overlap"],
      [`createApiKeyMiddleware({ findUser: () => ({ id: 1 }) });`, "is not assignable"],
      [`createAuthMiddleware({ secret: "x" });`, "does not exist in type 'AuthenticatorSource'"],
    ];
    const lines = mistakes.map(([line]) => line).join("\n");
    const errors = errorsIn(`${imports}${register}${lines}\nexport {};`);
    expect(errors).toEqual(mistakes.map(([, error]) => expect.stringContaining(error)));
  });
});

test("without one the specification's loose types apply, and every kind of key is accepted", () => {
  const text = `${imports}
    declare const jwk: JsonWebKey;
    declare const key: CryptoKey;
    declare const variable: string | undefined;
    declare const cache: Cache;
    const auth = new Auth({ secret: variable });
    take<unknown>(ctx.user);
    take<unknown>(await auth.verifyToken("t"));
    take<string>(await auth.generateToken({ id: 1, name: "Ada" }));
    new Auth({ publicKey: jwk });
    new Auth({ publicKey: key, privateKey: key });
    new Auth({ publicKey: "pem", algorithms: ["PS256"] });
    new Auth({ jwks: { keys: [jwk, { ...jwk, kid: "a" }] } });
    new Auth({ jwks: new URL("https://issuer.example/keys"), issuer: "a", audience: ["b", "c"] });
    new Auth({ secret: "x", revocations: new Map<string, string>() });
    new Auth({ secret: "x", revocations: () => new MemoryTokenStore() });
    new Auth({ secret: "x", revocations: cache, refreshTokens: { store: cache } });
    export {};
  `;
  expect(errorsIn(text)).toEqual([]);
});
