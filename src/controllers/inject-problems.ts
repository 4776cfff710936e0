import { EspalierError } from "../errors.ts";
import type { ControllerClass } from "../routing/route.ts";
import { nearestNames } from "../util/nearest-names.ts";

/** Names registered in the container. */
export interface ServiceNames {
  has(name: string): boolean;
  names(): readonly string[];
}

/**
 * Returns the errors of the services that a controller injects: a list that is not one, and names that are not
 * registered.
 *
 * @param usedBy method and pattern of the route
 */
export function findInjectProblems(
  { name, inject, contract }: ControllerClass,
  usedBy: string,
  services: () => ServiceNames,
): readonly EspalierError[] {
  return ([inject, contract?.inject] as readonly unknown[]).flatMap((given) => {
    if (given === undefined) return [];
    if (!isNameList(given)) return badInject(name, usedBy);
    const unknown = given.filter((service) => !services().has(service));
    return unknown.map((service) => unknownService(service, name, usedBy, services()));
  });
}

function isNameList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((name) => typeof name === "string");
}

function badInject(controller: string, usedBy: string): EspalierError {
  return new EspalierError(
    "ERR_CONTAINER_BAD_INJECT",
    `${usedBy}: inject of ${controller || "its controller"} must be a list of names, such as inject: ["books"].`,
  );
}

function unknownService(
  name: string,
  controller: string,
  usedBy: string,
  services: ServiceNames,
): EspalierError {
  return new EspalierError(
    "ERR_CONTAINER_NOT_REGISTERED",
    `${usedBy} needs the service "${name}" for ${controller || "its controller"}, which is not registered.` +
      nearestNames(name, services.names()),
  );
}
