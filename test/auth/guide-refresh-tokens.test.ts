import { type Application, hashPassword, MemoryTokenStore, type TokenStore } from "espalier";
import type { Miniflare } from "miniflare";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { codeBlocks, isChecked } from "../docs/code-blocks.ts";
import { importBlocks, namedBlocks } from "../docs/import-blocks.ts";
import { startWorkerd } from "../support/workerd.ts";
import { bearer } from "./support/app.ts";
import { secret } from "./support/tokens.ts";

interface Pair {
  readonly accessToken: string;
  readonly refreshToken: string;
}

const files = namedBlocks(codeBlocks("docs/guide/authentication.md").filter(isChecked));
const { createApplication } = (await importBlocks(files, "sign-ins.ts")) as {
  createApplication(members: object, store: TokenStore): Application;
};
const { createD1TokenStore } = (await importBlocks(files, "d1-token-store.ts")) as {
  createD1TokenStore(database: object): TokenStore;
};

const ada = { id: "m7", roles: ["librarian"], passwordHash: await hashPassword("correct horse") };
const members = { findByName: async (name: string) => (name === "ada" ? ada : undefined) };

let miniflare: Miniflare;
let d1Store: TokenStore;

beforeAll(async () => {
  process.env["JWT_SECRET"] = secret;
  miniflare = await startWorkerd("test/auth/runtime/worker.ts", {
    env: { DB: { type: "d1", id: "DB" } },
  });
  const database = await miniflare.getD1Database("DB");
  const [, statement = ""] =
    /^\/\/ (CREATE TABLE .*)$/m.exec(files.get("d1-token-store.ts")?.text ?? "") ?? [];
  await database.prepare(statement).run();
  d1Store = createD1TokenStore(database);
});

afterAll(async () => {
  delete process.env["JWT_SECRET"];
  await miniflare.dispose();
});

describe.each([
  ["memory", () => new MemoryTokenStore()],
  ["D1", () => d1Store],
])("the guide's example of refresh tokens, with a store in %s", (_name, createStore) => {
  let app: Application;
  beforeAll(() => {
    app = createApplication(members, createStore());
  });

  const post = (path: string, body: object): Promise<Response> =>
    app.request(path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  const pairOf = async (response: Response): Promise<Pair> => {
    expect([response.status, response.headers.get("cache-control")]).toEqual([200, "no-store"]);
    return ((await response.json()) as { data: Pair }).data;
  };
  const signIn = async (): Promise<Pair> =>
    pairOf(await post("/sign-in", { name: "ada", password: "correct horse" }));
  const refresh = ({ refreshToken }: Pair): Promise<Response> => post("/refresh", { refreshToken });
  const statusOf = async ({ accessToken }: Pair): Promise<number> =>
    (await app.request("/me", bearer(accessToken))).status;

  test("signs in, and rejects a wrong password", async () => {
    const pair = await signIn();
    expect(await (await app.request("/me", bearer(pair.accessToken))).json()).toEqual({
      id: "m7",
      roles: ["librarian"],
    });
    expect((await post("/sign-in", { name: "ada", password: "x" })).status).toBe(401);
    expect((await post("/sign-in", { name: "eve", password: "correct horse" })).status).toBe(401);
  });

  test("refreshes, and ends the sign-in when a token is used again", async () => {
    const first = await signIn();
    const second = await pairOf(await refresh(first));
    expect(await statusOf(second)).toBe(200);
    expect((await refresh(first)).status).toBe(401);
    expect((await refresh(second)).status).toBe(401);
    expect(await statusOf(second)).toBe(401);
  });

  test("lets one of two simultaneous refreshes succeed", async () => {
    const pair = await signIn();
    const statuses = (await Promise.all([refresh(pair), refresh(pair)])).map(
      ({ status }) => status,
    );
    expect(statuses.toSorted()).toEqual([200, 401]);
  });

  test("signs out", async () => {
    const pair = await signIn();
    const { refreshToken } = pair;
    expect((await post("/sign-out", { refreshToken })).status).toBe(204);
    expect((await refresh(pair)).status).toBe(401);
    expect(await statusOf(pair)).toBe(401);
  });
});
