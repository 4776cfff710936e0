import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    // @if auth
    env: {
      AUTH_SECRET: "a secret that only the tests use",
      AUTH_ADMIN_PASSWORD: "a password for the tests",
    },
    // @end
    // Shows the application's log for failed tests.
    silent: "passed-only",
  },
});
