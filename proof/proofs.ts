import { builtFrom, type Entry, packageSources, type Tool } from "../scripts/runner/entry.ts";

const built = builtFrom("src/index.ts");
const withWebSockets = builtFrom("src/index.ts", "src/websocket.ts");

/** All proofs, in the order of `npm run proof -- all`; each is in the folder of its name. */
export const proofs: readonly Entry[] = [
  {
    name: "body-limit",
    summary: "No handler runs above the body limit, in 1,000 framings (Node, workerd)",
    options: "[--cases 1000] [--seed 20261128] [--runtime node,workerd]",
    ...built,
  },
  {
    name: "browser",
    summary: "Chromium reads event streams and obeys CORS as the Web Platform Tests expect",
    options: "[--runtime node,workerd]",
    ...built,
  },
  {
    name: "bundlers",
    summary: "webpack, Rspack, Rolldown and esbuild bundle an application without optional peers",
    options: "",
    // webpack and Rspack set the condition `production`.
    ...builtFrom("src/index.ts", "src/production"),
  },
  {
    name: "differential",
    summary: "The compiled and the reference matcher agree on generated routes and URLs",
    options: "[--pairs 2000000] [--seed 1] [--requests 25] [--resume]",
    code: [
      "src/routing/deferred-matcher.ts",
      "src/routing/matcher.ts",
      "src/routing/reference-matcher.ts",
    ],
    texts: ["router-wasm/pkg"],
    needsBuild: false,
  },
  {
    name: "fuzz",
    summary: "Mutated multipart forms and constraints are read as references read them",
    options: "[--minutes 30] [--seed N] [--only multipart,constraints]",
    code: [
      "src/http/multipart/parse-multipart.ts",
      "src/http/multipart/read-multipart.ts",
      "src/routing/constraint.ts",
      "src/routing/matcher.ts",
    ],
    texts: ["router-wasm/pkg"],
    needsBuild: false,
  },
  {
    name: "hostile",
    summary: "Generated attacks get the right response and leak nothing (Node, workerd)",
    options:
      "[--requests 100000] [--searched 20000] [--seed 20261128] [--runtime node,…] [--only json,…]",
    ...withWebSockets,
  },
  {
    name: "http-conformance",
    summary: "Responses keep the rules of RFC 9110 and 9112 (Node, Deno, Bun, behind nginx)",
    options: "[--runtime node,deno,bun]",
    ...built,
  },
  {
    name: "mutation",
    summary: "The tests notice small changes to the sources; the long form takes hours",
    options:
      "[--area validation,…|all] [--files GLOB] [--sample N] [--survivors] [--resume] [--retest]",
    code: ["src"],
    texts: ["router-wasm/pkg"],
    needsBuild: false,
  },
  {
    name: "openapi",
    summary: "Responses, linters and client generators agree with the OpenAPI documents",
    options: "[--app orchard,bookshelf,realworld] [--only schemathesis,tools] [--seed 1]",
    code: [
      "src/index.ts",
      "src/client.ts",
      "examples/bookshelf",
      "examples/realworld",
      "examples/helpdesk",
    ],
    // Programs that call `createClient` are type-checked.
    texts: [
      "src/client.ts",
      "src/client",
      "src/routing/define-routes.ts",
      "router-wasm/pkg",
      "rollup.config.mjs",
    ],
    needsBuild: true,
  },
  {
    name: "outages",
    summary: "Four processes respond and lose no job while Redis and PostgreSQL come and go",
    options: "[--minutes 60] [--seed N]",
    ...builtFrom("src/index.ts", "src/bullmq.ts", "src/postgres.ts", "src/redis.ts"),
  },
  {
    name: "parity",
    summary: "Node, workerd, Deno, Bun and a service worker respond alike",
    options: "[--runtime node,workerd,deno,bun,chromium] [--record]",
    ...built,
  },
  {
    name: "password-timing",
    summary: "A sign-in takes the same time for every user and for an unknown name (Node)",
    options: "[--rounds 31]",
    ...built,
  },
  {
    name: "proxies",
    summary: "Servers behind nginx and HAProxy lose and confuse no request (Node, Deno, Bun)",
    options:
      "[--proxy nginx,haproxy] [--runtime node,deno,bun] [--only paths,restart,…] [--restarts 20]",
    ...withWebSockets,
  },
  {
    name: "queue-kill",
    summary: "No job on KV, in a Durable Object or in Deno KV is lost by kills (workerd, Deno)",
    options: "[--kills 50] [--driver kv,durable-object,deno-kv]",
    code: [
      "src/platform/cloudflare/durable-object-queue-adapter.ts",
      "src/platform/cloudflare/kv-queue-adapter.ts",
      "src/platform/cloudflare/queue-durable-object.ts",
      "src/platform/deno/kv-queue-adapter.ts",
      "src/queue/queue.ts",
    ],
    texts: [],
    needsBuild: false,
  },
  {
    name: "realworld",
    summary: "RealWorld's API collection passes against its example (Node, workerd)",
    options: "[--collection FILE] [--newman FOLDER] [--runtime node,workerd]",
    ...builtFrom("src/index.ts", "examples/realworld"),
  },
  {
    name: "router-native",
    summary: "router.wasm and the native build of the router return the same numbers",
    options: "[--pairs 20000] [--seed 1]",
    // A limit that the generator of routes keeps.
    code: ["src/routing/route-match.ts"],
    texts: ["router-wasm/src", "router-wasm/pkg"],
    needsBuild: false,
  },
  {
    name: "scale-out",
    summary: "Four processes share state and lose no job while processes and servers are killed",
    options:
      "[--engine bullmq,postgres] [--only process,server,refused,hang] [--rounds 50] [--jobs 600]",
    ...builtFrom("src/index.ts", "src/bullmq.ts", "src/postgres.ts", "src/redis.ts"),
  },
  {
    name: "soak",
    summary: "Memory, handles and router pages do not grow under mixed load (Node, workerd)",
    options: "[--minutes 10] [--connections 16] [--runtime node,workerd] [--without-kv]",
    ...withWebSockets,
  },
  {
    name: "starter",
    summary: "Projects of the starter install from tarballs, type-check, test and serve",
    options:
      "[--sample 2] [--all] [--platform cloudflare|node|deno|bun] [--package-manager npm,pnpm,…] [--tarball FILE]",
    // Projects are type-checked with the declarations of the package.
    code: [],
    texts: [...packageSources, "create-espalier/src", "create-espalier/templates"],
    needsBuild: true,
  },
  {
    name: "stop",
    summary: "SIGTERM completes every response and refuses new connections (Node, Deno, Bun)",
    options: "[--runs 20] [--runtime node,deno,bun]",
    ...withWebSockets,
  },
  {
    name: "todo-backend",
    summary: "Todo-Backend's specification passes in Chromium (Node, workerd)",
    options: "[--spec FOLDER] [--runtime node,workerd]",
    ...builtFrom("src/index.ts", "examples/todo-backend"),
  },
  {
    name: "tutorial",
    summary:
      "Every file and command of the tutorial works, from npm create to a dry run of its deployment",
    options: "",
    code: [],
    texts: [...packageSources, "create-espalier", "docs/guide/tutorial.md"],
    needsBuild: true,
  },
  {
    name: "type-checking",
    summary: "1,000 typed routes cost the type checker a limited number of types",
    options: "[--routes 1000]",
    code: [],
    texts: ["src"],
    needsBuild: false,
  },
  {
    name: "typescript-versions",
    summary: "TypeScript 5.7, 5.9, 6 and 7 check programs that use the package",
    options: "",
    code: [],
    texts: packageSources,
    needsBuild: true,
  },
  {
    name: "websocket-frames",
    summary: "Every frame gets the response of RFC 6455 (Node, Deno, Bun, workerd)",
    options: "[--runtime node,deno,bun,workerd]",
    ...withWebSockets,
  },
  {
    name: "worker-costs",
    summary: "A Worker with 1,000 routes starts in 50 ms and needs 1 ms for a request (Linux)",
    options: "[--starts 20] [--requests 10000]",
    ...built,
  },
].map((proof) => ({ ...proof, program: `proof/${proof.name}/run.ts` }));

/** Programs that prove nothing by themselves. */
export const tools: readonly Tool[] = [
  {
    name: "peer-titles",
    summary: "Draws test titles of six frameworks from checkouts of their repositories",
    program: "proof/peer-titles/draw.ts",
    options: "--repositories FOLDER [--check]",
    needsBuild: false,
  },
  {
    name: "results",
    summary: "Lists all committed results, and those older than their sources",
    program: "scripts/runner/list-results.ts",
    options: "[--current]",
    needsBuild: false,
  },
  {
    name: "tables",
    summary: "Writes the tables of docs/reliability.md from the committed results",
    program: "proof/write-tables.ts",
    options: "[--check]",
    needsBuild: false,
  },
];
