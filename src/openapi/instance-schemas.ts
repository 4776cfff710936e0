import { describeError, type Logger } from "../observability/logger.ts";
import { type ControllerClass, isControllerClass, type RouteRecord } from "../routing/route.ts";
import { logSafely } from "../util/log-safely.ts";
import type { RouteValidation } from "../validation/rules.ts";

/** Where controllers find their services while they are described: a request, or a scope like a job's. */
export interface DescriptionScope {
  readonly app: { readonly logger: Logger };
  resolve(name: string): unknown;
}

/**
 * Reads the `schema` field of the controllers of routes. It exists on instances only, so one of
 * each class is made, with the services that a request would give it, and dropped again.
 *
 * A class that cannot be made now is left out, and the log says so: its route is described without
 * it.
 *
 * @param scope where services are resolved
 */
export async function readInstanceSchemas(
  records: readonly RouteRecord[],
  scope: DescriptionScope,
): Promise<ReadonlyMap<ControllerClass, RouteValidation>> {
  const schemas = new Map<ControllerClass, RouteValidation>();
  const classes = new Set(records.map(({ handler }) => handler).filter(isControllerClass));
  for (const controller of classes) {
    const schema = await readSchema(controller, scope);
    if (schema !== undefined) schemas.set(controller, schema);
  }
  return schemas;
}

async function readSchema(
  controller: ControllerClass,
  scope: DescriptionScope,
): Promise<RouteValidation | undefined> {
  try {
    const services = (controller.inject ?? []).map((name) => scope.resolve(name));
    const dependencies = await Promise.all(services);
    // The names in `inject` and the constructor's parameters belong together by the user's word
    // alone.
    const instance: object = new controller(...(dependencies as never[]));
    // `schema` is protected, which is for other classes to heed; the lifecycle reads it as well.
    return "schema" in instance ? (instance.schema as RouteValidation | undefined) : undefined;
  } catch (error) {
    warn(scope, controller, error);
    return undefined;
  }
}

function warn(scope: DescriptionScope, controller: ControllerClass, error: unknown): void {
  const message =
    "OpenAPI: the controller cannot be constructed, so its `schema` field is not documented";
  const fields = { controller: controller.name, error: describeError(error) };
  logSafely(scope.app.logger, "warn", message, fields);
}
