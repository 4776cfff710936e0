import type { RequestContext } from "../http/context.ts";
import { describeError } from "../observability/logger.ts";
import { type ControllerClass, isControllerClass, type RouteRecord } from "../routing/route.ts";
import type { RouteValidation } from "../validation/rules.ts";

/**
 * Reads the `schema` field of the controllers of routes. It exists on instances only, so one of
 * each class is made, with the services that a request would give it, and dropped again.
 *
 * A class that cannot be made now is left out, and the log says so: its route is described without
 * it.
 *
 * @param ctx the request in which services are resolved
 */
export async function readInstanceSchemas(
  records: readonly RouteRecord[],
  ctx: RequestContext,
): Promise<ReadonlyMap<ControllerClass, RouteValidation>> {
  const schemas = new Map<ControllerClass, RouteValidation>();
  const classes = new Set(records.map(({ handler }) => handler).filter(isControllerClass));
  for (const controller of classes) {
    const schema = await readSchema(controller, ctx);
    if (schema !== undefined) schemas.set(controller, schema);
  }
  return schemas;
}

async function readSchema(
  controller: ControllerClass,
  ctx: RequestContext,
): Promise<RouteValidation | undefined> {
  try {
    const services = (controller.inject ?? []).map((name) => ctx.resolve(name));
    const dependencies = await Promise.all(services);
    // The names in `inject` and the constructor's parameters belong together by the user's word
    // alone.
    const instance: object = new controller(...(dependencies as never[]));
    // `schema` is protected, which is for other classes to heed; the lifecycle reads it as well.
    return "schema" in instance ? (instance.schema as RouteValidation | undefined) : undefined;
  } catch (error) {
    warn(ctx, controller, error);
    return undefined;
  }
}

function warn(ctx: RequestContext, controller: ControllerClass, error: unknown): void {
  try {
    ctx.app.logger.warn({
      message: "OpenAPI: this controller cannot be made, so its `schema` field is not described",
      controller: controller.name,
      error: describeError(error),
    });
  } catch {
    // A logger that fails must not take the document with it.
  }
}
