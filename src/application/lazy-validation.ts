import type { LoadResponseCheck, LoadValidator } from "./options.ts";

/** Loads the validator; called at boot if a route has rules. */
export const loadValidator: LoadValidator = async () =>
  (await import("../validation/compile.ts")).ruleValidator;

/** Loads the check of responses; called at boot with the option `validateResponses`. */
export const loadResponseCheck: LoadResponseCheck = async () => {
  const [{ checkResponses }, { compileValueCheck }] = await Promise.all([
    import("./boot/response-check.ts"),
    import("../validation/value-check.ts"),
  ]);
  return (handler, record) => checkResponses(handler, record, compileValueCheck);
};
