import { expect, test } from "vitest";
import {
  type MissingBinding,
  warnAboutMissingBinding,
} from "../../../src/application/boot/missing-binding-warning.ts";
import { createRecordingLogger } from "../../support/recording-logger.ts";

const missing: MissingBinding = {
  name: "CACHE",
  kind: "KV namespace",
  instead: "the cache is in memory",
  entry: '[[kv_namespaces]] binding = "CACHE"',
  environment: {},
  others: [],
};

test.each<[string, Partial<MissingBinding>, string]>([
  [
    "a binding that does not exist",
    {},
    'The binding "CACHE" does not exist, so the cache is in memory. ' +
      'Add to wrangler.toml: [[kv_namespaces]] binding = "CACHE"',
  ],
  [
    "a binding of another kind",
    { environment: { CACHE: "a text" } },
    'The binding "CACHE" is not a KV namespace, so the cache is in memory. ' +
      'Add to wrangler.toml: [[kv_namespaces]] binding = "CACHE"',
  ],
  [
    "a misspelt binding",
    { environment: { CACHES: {} }, others: ["SESSIONS", "CACHES"] },
    'The binding "CACHE" does not exist, so the cache is in memory. ' +
      'Did you mean "CACHES"? Otherwise add to wrangler.toml: [[kv_namespaces]] binding = "CACHE"',
  ],
])("%s is warned about", (_name, changes, message) => {
  const logger = createRecordingLogger();
  warnAboutMissingBinding(logger, { ...missing, ...changes });
  expect(logger.lines).toEqual([{ level: "warn", message }]);
});
