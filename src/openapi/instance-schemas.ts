import { describeError, type Logger } from "../observability/logger.ts";
import { type ControllerClass, isControllerClass, type RouteRecord } from "../routing/route.ts";
import { logSafely } from "../util/log-safely.ts";
import type { RouteValidation } from "../validation/rules.ts";

/** Scope in which services of controllers are resolved: that of a request, or one like a job's. */
export interface DescriptionScope {
  readonly app: { readonly logger: Logger };
  resolve(name: string): unknown;
}

/**
 * Reads the `schema` field of controllers. It only exists on instances, so one of each class is created with
 * the services of a request, and then discarded.
 *
 * A class that cannot be instantiated is skipped and logged: its route is documented without the field.
 *
 * @param scope resolves the services
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
    // Unchecked: only the user's code ensures that `inject` and the constructor's parameters match.
    const instance: object = new controller(...(dependencies as never[]));
    // `schema` is protected for other classes; the request lifecycle reads it too.
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
