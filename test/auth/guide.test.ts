import * as espalier from "espalier";
import ts from "typescript";
import { expect, test } from "vitest";
import { codeBlocks } from "../docs/code-blocks.ts";
import { createRecordingLogger } from "../support/recording-logger.ts";
import { bearer } from "./support/app.ts";
import { secret } from "./support/tokens.ts";

const passwordHash = await espalier.hashPassword("correct horse");
const ada = { id: "m7", name: "ada", roles: ["librarian"], passwordHash };
const bob = { id: "m8", name: "bob", roles: [], passwordHash };
const members = {
  findByName: async (name: string) => [ada, bob].find((member) => member.name === name),
};

/** Returns the nth block of the guide that contains a text. */
function blockWith(text: string): string {
  const block = codeBlocks("docs/guide/authentication.md").find((one) => one.text.includes(text));
  if (block === undefined) throw new Error(`The guide has no block with ${text}`);
  return block.text;
}

/** Runs a block of the guide with its dependencies, and returns the requested constants. */
function run(code: string, given: Readonly<Record<string, unknown>>, wanted: string): unknown {
  const body = code.replace(/^import .*;$/m, "");
  const { outputText } = ts.transpileModule(body, {
    compilerOptions: { target: ts.ScriptTarget.ES2022 },
  });
  const scope: Record<string, unknown> = { ...espalier, ...given };
  const build = new Function(...Object.keys(scope), `${outputText}\nreturn ${wanted};`);
  return build(...Object.values(scope));
}

const send = (app: espalier.Application, path: string, body: unknown): Promise<Response> =>
  app.request(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });

test("the first example signs in, protects routes and checks its policy", async () => {
  process.env["JWT_SECRET"] = secret;
  try {
    class Application extends espalier.Application {
      constructor() {
        super({ logger: createRecordingLogger() });
      }
    }
    const code = blockWith("class SignIn");
    const app = run(code, { members, Application }, "app") as espalier.Application;
    expect((await send(app, "/sign-in", { name: "ada", password: "wrong" })).status).toBe(401);
    expect((await send(app, "/sign-in", { name: "eve", password: "correct horse" })).status).toBe(
      401,
    );
    expect((await send(app, "/sign-in", { name: "ada" })).status).toBe(422);
    const signIn = async (name: string): Promise<string> => {
      const response = await send(app, "/sign-in", { name, password: "correct horse" });
      return ((await response.json()) as { data: { token: string } }).data.token;
    };
    const [adas, bobs] = [await signIn("ada"), await signIn("bob")];
    expect(await (await app.request("/me", bearer(adas))).json()).toEqual({
      id: "m7",
      roles: ["librarian"],
    });
    expect((await app.request("/me")).status).toBe(401);
    const lend = (init: RequestInit) => app.request("/loans", { method: "POST", ...init });
    expect([(await lend(bearer(adas))).status, (await lend(bearer(bobs))).status]).toEqual([
      201, 403,
    ]);
  } finally {
    delete process.env["JWT_SECRET"];
  }
});

test("the table lists exactly the options of Auth", () => {
  const text = ts.sys.readFile("docs/guide/authentication.md") ?? "";
  const table = text.slice(text.indexOf("| option |"), text.indexOf("### Token verification"));
  const named = [...table.matchAll(/^\| (`[^|]+) \|/gm)].flatMap(([, names = ""]) =>
    [...names.matchAll(/`(\w+)`/g)].map(([, name]) => name ?? ""),
  );
  const source = ts.createSourceFile(
    "x.ts",
    ts.sys.readFile("src/auth/auth-options.ts") ?? "",
    ts.ScriptTarget.ES2022,
  );
  const options = source.statements
    .filter(ts.isInterfaceDeclaration)
    .filter(({ name }) => name.text === "AuthOptions")
    .flatMap(({ members: all }) => all.map((one) => (one.name as ts.Identifier).text));
  expect(options.length).toBeGreaterThan(10);
  expect(named.toSorted()).toEqual(options.toSorted());
});
