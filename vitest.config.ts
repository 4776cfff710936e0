import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin } from "vitest/config";

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));

const routerWasmBase64: Plugin = {
  name: "router-wasm-base64",
  resolveId: (id) => (id === "virtual:router-wasm-base64" ? "\0router-wasm-base64" : null),
  load: (id) =>
    id === "\0router-wasm-base64"
      ? `export default ${JSON.stringify(readFileSync(path("./router-wasm/pkg/router.wasm")).toString("base64"))}`
      : null,
};

export const alias: Record<string, string> = {
  "#router-wasm": path("./src/routing/wasm/inline.ts"),
  "#host": path("./src/platform/host/process.ts"),
  "#drivers": path("./src/platform/drivers/process.ts"),
  "#response": path("./src/platform/response/native.ts"),
  "#server": path("./src/platform/server/process.ts"),
  "espalier/core": path("./src/core.ts"),
  "espalier/cloudflare": path("./src/cloudflare.ts"),
  "espalier/client": path("./src/client.ts"),
  "espalier/deno": path("./src/deno.ts"),
  "espalier/node": path("./src/node.ts"),
  "espalier/bullmq": path("./src/bullmq.ts"),
  "espalier/postgres": path("./src/postgres.ts"),
  "espalier/redis": path("./src/redis.ts"),
  "espalier/middleware/authorization": path("./src/middleware/authorization.ts"),
  "espalier/middleware": path("./src/middleware.ts"),
  "espalier/testing": path("./src/testing.ts"),
  "espalier/websocket": path("./src/websocket.ts"),
  "espalier/package.json": path("./package.json"),
  espalier: path("./src/index.ts"),
};

/** The default of every project. */
const shared = {
  testTimeout: 30_000,
  hookTimeout: 60_000,
  // The default of a second is too short for a machine under load.
  expect: { poll: { timeout: 10_000 } },
} as const;

/** The alias of an installation on Node, whose buffered responses create a native `Response` on demand. */
const aliasOnNode = { ...alias, "#response": path("./src/platform/response/node.ts") };

export default defineConfig({
  test: {
    coverage: {
      provider: "v8",
      include: ["src/**/*.ts"],
      exclude: ["**/*.d.ts"],
      // The command line is run as its users run it, in a process of its own.
      autoAttachSubprocess: true,
      reporter: ["text-summary", "json-summary", "json"],
      thresholds: { lines: 98, branches: 95 },
    },
    projects: [
      {
        plugins: [routerWasmBase64],
        resolve: { alias },
        test: { name: "node", include: ["test/**/*.test.ts"], ...shared },
      },
      // What creates, reads and replaces responses, once more with the class that users of Node get.
      {
        plugins: [routerWasmBase64],
        resolve: { alias: aliasOnNode },
        test: {
          name: "node-response",
          include: ["test/{controllers,http,middleware,pipeline}/*.test.ts"],
          // Minutes of limits and interleavings that create no response.
          exclude: ["**/rate-limit-*.test.ts", "**/session-interleavings.test.ts"],
          ...shared,
        },
      },
    ],
  },
});
