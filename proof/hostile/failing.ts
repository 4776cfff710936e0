import {
  Application,
  Controller,
  CsrfMiddleware,
  createAuthMiddleware,
  json,
  type Logger,
  RateLimitMiddleware,
  type RequestContext,
  SessionMiddleware,
  session,
  text,
} from "espalier";

/** Places in the request lifecycle where application code runs, and so may throw. */
export const sites = [
  ...["constructor", "rule", "beforeHandle", "handle", "afterHandle", "function", "later function"],
  ...[
    "factory",
    "async factory",
    "scoped factory",
    "global before",
    "global after",
    "group before",
  ],
  ...["group after", "named before", "named after", "hook before", "hook after", "event handler"],
  ...["authenticator", "policy", "limit key", "limit store", "session secret", "session store"],
  ...["origins of CSRF", "toJSON"],
] as const;

export type Site = (typeof sites)[number];

/** Creates an application that fails at one place, and the path that triggers it. */
export function createFailing(
  site: Site,
  fail: () => unknown,
  logger: Logger,
): { app: Application; path: string } {
  const at = (here: Site): unknown => (site === here ? fail() : undefined);
  /** Returns the value, unless this is the failing place. */
  const giving = <Value>(here: Site, value: Value): Value => {
    at(here);
    return value;
  };
  const givingLater = async <Value>(here: Site, value: Value): Promise<Value> => {
    await at(here);
    return value;
  };
  const app = new Application({ logger, cors: true });
  app.useRequestObservability({ openTelemetry: false });
  app.singleton("service", () => giving("factory", "service"));
  app.singleton("later", () => givingLater("async factory", "later"));
  app.scoped("scoped", () => giving("scoped factory", "scoped"));

  class Passes extends Controller {
    static readonly inject = ["service", "later", "scoped"];
    constructor(...services: unknown[]) {
      super();
      at("constructor");
      if (services.length !== 3) throw new Error("Services are missing.");
    }
    protected override schema = { a: { custom: async () => (await at("rule")) === undefined } };
    protected override async beforeHandle(): Promise<void> {
      await at("beforeHandle");
    }
    async handle(): Promise<Response> {
      await at("handle");
      return this.text("fine");
    }
    protected override async afterHandle(response: Response): Promise<Response> {
      await at("afterHandle");
      return response;
    }
  }

  app.use(around(at, "global before", "global after"));
  app.use(async (ctx, next) => {
    await ctx.app.emit("probe");
    return next();
  });
  app.on("probe", async () => at("event handler"));
  app.middleware("group", around(at, "group before", "group after"));
  app.middleware("named", around(at, "named before", "named after"));
  app.middleware("hooks", {
    before: () => void at("hook before"),
    after: () => void at("hook after"),
  });
  const authenticate = () => givingLater("authenticator", { user: { id: 1 } as never, claims: {} });
  app.middleware("auth", createAuthMiddleware({ authenticate }));
  app.definePolicy("probe", async () => (await at("policy")) === undefined);
  app.middleware(
    "limit-key",
    new RateLimitMiddleware({ key: () => givingLater("limit key", "a") }),
  );
  const consume = async () => {
    await at("limit store");
    return { allowed: true, remaining: 1, resetMs: 0 };
  };
  app.middleware("limit-store", new RateLimitMiddleware({ store: { consume } }));
  app.middleware(
    "session",
    new SessionMiddleware({
      secret: () => giving("session secret", "a secret of thirty-two characters"),
      store: {
        get: async () => undefined,
        set: async () => void (await at("session store")),
        delete: async () => {},
      },
    }),
  );
  app.middleware("csrf", new CsrfMiddleware({ origins: () => giving("origins of CSRF", true) }));

  const router = app.getRouter();
  router.group("/", { middleware: ["group"] }, (group) => {
    group.get("/way", Passes, { middleware: ["named", "hooks", "auth", "can:probe", "limit-key"] });
    group.get("/function", () => giving("function", text("fine")));
    group.get("/later", () => givingLater("later function", text("fine")));
    group.get("/json", () => json({ toJSON: () => at("toJSON") ?? null }));
    group.get("/limited", () => text("fine"), { middleware: ["limit-store"] });
    const remember = (ctx: RequestContext): Response => {
      session(ctx).set("a", 1);
      return text("fine");
    };
    group.get("/session", remember, { middleware: ["session"] });
    group.post("/csrf", () => text("fine"), { middleware: ["csrf"] });
  });
  return { app, path: pathOf.get(site) ?? "/way?a=1" };
}

/** Paths other than the default. */
const pathOf: ReadonlyMap<Site, string> = new Map([
  ["function", "/function"],
  ["later function", "/later"],
  ["toJSON", "/json"],
  ["limit store", "/limited"],
  ["session secret", "/session"],
  ["session store", "/session"],
  ["origins of CSRF", "/csrf"],
]);

function around(at: (site: Site) => unknown, before: Site, after: Site) {
  return async (_ctx: unknown, next: () => Promise<Response>): Promise<Response> => {
    await at(before);
    const response = await next();
    await at(after);
    return response;
  };
}
