import type { RuleCompiler } from "../controllers/function-handler.ts";
import { lifecycleOf } from "../controllers/lifecycle-of.ts";
import { isControllerClass, type RouteRecord } from "../routing/route.ts";
import type { RequestCheck } from "../validation/request-input.ts";
import type { LoadHandlerSupport, LoadValidator, WrapHandler } from "./options.ts";

/**
 * Loads the validator at boot if a route or a controller class declares rules. A `schema` that is an instance field is
 * only known once an instance exists.
 */
export const loadValidator: LoadValidator = async (records) => {
  if (records.some(hasRules)) return await importValidator();
  return (layers, route) =>
    checkOnceLoaded(importValidator().then((compile) => compile(layers, route)));
};

function hasRules({ handler, validation }: RouteRecord): boolean {
  return validation.length > 0 || (isControllerClass(handler) && handler.validation !== undefined);
}

async function importValidator(): Promise<RuleCompiler> {
  return (await import("../validation/compile.ts")).ruleValidator;
}

function checkOnceLoaded(loading: Promise<RequestCheck | undefined>): RequestCheck {
  return {
    checkRequest: (request, bodyKind) =>
      loading.then((loaded) => loaded?.checkRequest(request, bodyKind)),
  };
}

/** Returns what loads the support of handlers; the option `validateResponses` checks responses. */
export function createHandlerSupport(validateResponses: boolean | undefined): LoadHandlerSupport {
  return async (records) => ({
    controllerLifecycle: records.some(needsLifecycle)
      ? (await import("../controllers/lifecycle.ts")).lifecycle
      : undefined,
    wrap: validateResponses === true ? await importResponseCheck() : undefined,
  });
}

function needsLifecycle({ handler }: RouteRecord): boolean {
  return isControllerClass(handler) && lifecycleOf(handler) === undefined;
}

async function importResponseCheck(): Promise<WrapHandler> {
  const [{ checkResponses }, { compileValueCheck }] = await Promise.all([
    import("./boot/response-check.ts"),
    import("../validation/value-check.ts"),
  ]);
  return (handler, record) => checkResponses(handler, record, compileValueCheck);
}
