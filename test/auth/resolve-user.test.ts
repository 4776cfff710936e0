import { Application, Auth, createAuthMiddleware, HttpError, json } from "espalier";
import { describe, expect, it } from "vitest";
import { createRecordingLogger } from "../support/recording-logger.ts";

const secret = "a-secret-of-at-least-thirty-two-bytes";

describe("resolveUser", () => {
  it("receives the context of the request, with its services and bindings", async () => {
    const app = new Application({ logger: createRecordingLogger() });
    app.scoped("tenant", (scope) => ({
      name: (scope.resolve("env") as { TENANT: string }).TENANT,
    }));
    const auth = new Auth({
      secret,
      resolveUser: async ({ sub }, ctx) => {
        const tenant = await ctx?.resolve<{ name: string }>("tenant");
        return { id: String(sub), tenant: tenant?.name, path: ctx?.url.pathname };
      },
    });
    app.middleware("auth", createAuthMiddleware(auth));
    app.getRouter().get("/me", (ctx) => json(ctx.user), { middleware: ["auth"] });
    const authorization = `Bearer ${await auth.generateToken({ id: 7 })}`;
    const response = await app.request("/me", { headers: { authorization } }, { TENANT: "north" });
    expect(await response.json()).toEqual({ id: "7", tenant: "north", path: "/me" });
  });

  it("has no context outside a request", async () => {
    const seen: unknown[] = [];
    const auth = new Auth({
      secret,
      resolveUser: ({ sub }, ctx) => {
        seen.push(ctx);
        return { id: String(sub) };
      },
    });
    const token = await auth.generateToken({ id: 7 });
    const headers = new Headers({ authorization: `Bearer ${token}` });
    expect(await auth.verifyToken(token)).toEqual({ id: "7" });
    expect((await auth.authenticate({ headers })).user).toEqual({ id: "7" });
    expect(seen).toEqual([undefined, undefined]);
  });
});

describe("a policy that throws", () => {
  it("an HttpError results in its response, and anything else in a 500; neither allows", async () => {
    const app = new Application({ logger: createRecordingLogger() });
    const auth = new Auth({ secret });
    app.middleware("auth", createAuthMiddleware(auth));
    app.definePolicy("hidden", () => {
      throw new HttpError(404, "There is no such loan.");
    });
    app.definePolicy("broken", () => {
      throw new Error("no database");
    });
    for (const name of ["hidden", "broken"]) {
      app
        .getRouter()
        .get(`/${name}`, () => json("passed"), { middleware: ["auth", `can:${name}`] });
    }
    const headers = { authorization: `Bearer ${await auth.generateToken({ id: 7 })}` };
    const [hidden, broken] = await Promise.all([
      app.request("/hidden", { headers }),
      app.request("/broken", { headers }),
    ]);
    expect([hidden.status, broken.status]).toEqual([404, 500]);
    expect(await hidden.json()).toMatchObject({ detail: "There is no such loan." });
  });
});
