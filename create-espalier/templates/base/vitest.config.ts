import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    // @if auth
    env: {
      AUTH_SECRET: "a secret for the tests, which nobody else uses",
      AUTH_ADMIN_PASSWORD: "a password for the tests",
    },
    // @end
    // The application's log is shown for tests that fail.
    silent: "passed-only",
  },
});
