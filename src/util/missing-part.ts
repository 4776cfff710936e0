import { EspalierError } from "../errors.ts";

/**
 * Creates the error for a part that an application of `espalier/core` was created without.
 *
 * @param usedBy what needs it
 */
export function missingPart(name: string, usedBy: string): EspalierError {
  return new EspalierError(
    "ERR_APPLICATION_MISSING_PART",
    `${usedBy} needs the option "${name}", which this application was created without. Pass it: ` +
      `import { Application, ${name} } from "espalier/core"; new Application({ ${name} }).`,
  );
}

/** Creates the error for rules in an application without a validator. */
export function missingValidator(): EspalierError {
  return new EspalierError(
    "ERR_VALIDATION_NO_VALIDATOR",
    "validation rules require a validator, which the application does not have. Pass one: " +
      'import { Application, ruleValidator } from "espalier/core"; new Application({ validation: ruleValidator }).',
  );
}

/** Creates the error for a bundle without the router's module. */
export function missingMatcher(): EspalierError {
  return new EspalierError(
    "ERR_ROUTE_NO_MATCHER",
    "The router's WebAssembly module is missing from the bundle. Let the bundler import `.wasm` " +
      "files as compiled modules, as wrangler does, or build without its `workerd` condition.",
  );
}
