import { asked, type ParityCase, unrecorded } from "../case.ts";
import { tokens } from "../tokens.ts";

const bearer = (title: string, status: number, path: string, authorization: string): ParityCase =>
  asked(title, status, path, { headers: { authorization } });

const basic = (credentials: string): string =>
  `Basic ${Buffer.from(credentials).toString("base64")}`;

const wrong = Object.entries(tokens)
  .filter(([name]) => name !== "good" && name !== "reader")
  .flatMap(([name, token]) => [
    bearer(`a token that is ${name}`, 401, "/auth/me", `Bearer ${token}`),
    bearer(`a token that is ${name}, where none is needed`, 200, "/auth/maybe", `Bearer ${token}`),
  ]);

const forging = (
  title: string,
  status: number,
  headers: Readonly<Record<string, string>>,
  method = "POST",
): ParityCase => asked(title, status, "/csrf/form", { method, headers });

const evil = "https://evil.example";
const repeated = (path: string, times: number) => Array.from({ length: times }, () => ({ path }));

export const accessCases: readonly ParityCase[] = [
  bearer("a good token", 200, "/auth/me", `Bearer ${tokens.good}`),
  bearer("a good token, the scheme in small letters", 200, "/auth/me", `bearer ${tokens.good}`),
  bearer("a good token where none is needed", 200, "/auth/maybe", `Bearer ${tokens.good}`),
  asked("no token", 401, "/auth/me"),
  asked("no token where none is needed", 200, "/auth/maybe"),
  asked("a token in the query", 401, `/auth/me?access_token=${tokens.good}`),
  ...wrong,
  bearer("no token behind the scheme", 401, "/auth/me", "Bearer"),
  bearer("two words behind the scheme", 401, "/auth/me", "Bearer a b"),
  bearer("a policy that lets through", 200, "/auth/edit", `Bearer ${tokens.good}`),
  bearer("a policy that does not", 403, "/auth/edit", `Bearer ${tokens.reader}`),
  bearer("a policy with an argument", 200, "/auth/role", `Bearer ${tokens.good}`),
  bearer("a policy with an argument that does not", 403, "/auth/role", `Bearer ${tokens.reader}`),
  bearer("a policy that throws", 500, "/auth/broken", `Bearer ${tokens.good}`),
  asked("a policy without a user", 401, "/auth/no-user"),
  asked("a guarded HEAD", 401, "/auth/me", { method: "HEAD" }),
  asked("OPTIONS of a guarded route", 204, "/auth/me", { method: "OPTIONS" }),
  bearer("a guard in another spelling", 401, "/%61uth/m%65", "Bearer x"),
  bearer("basic credentials", 200, "/auth/basic", basic("ann:pä:ss")),
  bearer("wrong basic credentials", 401, "/auth/basic", basic("ann:wrong")),
  bearer("basic credentials without a colon", 401, "/auth/basic", basic("ann")),
  bearer("invalid basic credentials", 401, "/auth/basic", "Basic !!!"),
  asked("no basic credentials", 401, "/auth/basic"),
  asked("an API key", 200, "/auth/key", { headers: { "x-api-key": "right-key" } }),
  asked("a wrong API key", 401, "/auth/key", { headers: { "x-api-key": "wrong-key" } }),
  asked("no API key", 401, "/auth/key"),
  forging("a form that was read", 200, { origin: evil, "sec-fetch-site": "cross-site" }, "GET"),
  forging("a form of the same page", 200, { "sec-fetch-site": "same-origin" }),
  forging("a form that was typed", 200, { "sec-fetch-site": "none" }),
  forging("a form of another site", 403, { "sec-fetch-site": "cross-site" }),
  forging("a form of a neighbour", 403, { "sec-fetch-site": "same-site" }),
  forging("a form of another origin", 403, { origin: evil }),
  forging("a form of no origin", 403, { origin: "null" }),
  forging("a form of an allowed origin", 200, { origin: "https://app.example" }),
  forging("a form of no browser", 200, {}),
  { title: "a limit, first", status: 200, calls: repeated("/rate?key=first", 1) },
  { title: "a limit, all used", status: 200, calls: repeated("/rate?key=second", 2) },
  { title: "a limit, exceeded", status: 429, calls: repeated("/rate?key=third", 3) },
  { title: "a limit without headers", status: 429, calls: repeated("/rate/quiet", 2) },
  asked("a handler that takes too long", 503, "/slow"),
  asked("a gateway that takes too long", 504, "/slow/gateway"),
  asked("a handler that is quick enough", 200, "/slow/fast"),
  asked("health", 503, "/health"),
  asked("health for a load balancer", 200, "/health/ready"),
  asked("health for a supervisor", 200, "/health/live"),
  asked("health by HEAD", 200, "/health/live", { method: "HEAD" }),
  asked("health by POST", 405, "/health", { method: "POST" }),
  ...[
    asked("the description", 200, "/openapi.json"),
    asked("any version of the description", 304, "/openapi.json", {
      headers: { "if-none-match": "*" },
    }),
    asked("the page that shows it", 200, "/docs"),
    asked("the page by HEAD", 200, "/docs", { method: "HEAD" }),
    asked("the page's style sheet", 200, "/docs/style.css"),
  ].map(unrecorded),
];
