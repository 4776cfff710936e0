import { cloudflareTest } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";

/** Runs the tests of this folder inside workerd, with the built package. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [cloudflareTest({ wrangler: { configPath: "./wrangler.toml" } })],
  test: { include: ["**/*.workerd.ts"] },
});
