import type { ApplicationInspection } from "../../application/inspect.ts";
import {
  bindClass,
  type DoctorContext,
  type Finding,
  good,
  missing,
  warning,
} from "./doctor-context.ts";

/** Durable Object class of `espalier/cloudflare` used by DurableObjectRateLimitStore. */
const objectClass = "RateLimitDurableObject";

/** Checks the bindings of the rate limit stores. */
export function checkRateLimits(patient: DoctorContext): readonly Finding[] {
  const stores = storesOf(patient.inspection);
  const objects = stores.filter(({ kind }) => kind === "DurableObjectRateLimitStore");
  const limiters = stores.filter(({ kind }) => kind === "WorkersRateLimitStore");
  return [
    ...namesOf(objects).flatMap((name) => checkObject(patient, name)),
    ...namesOf(limiters).map((name) => checkLimiter(patient, name)),
    ...statesInMemory(patient.inspection).map((state) =>
      warning(
        `The counts of ${state} are in the memory of each isolate. Set its option "store" to a ` +
          "DurableObjectRateLimitStore, which is exact, or to a WorkersRateLimitStore.",
      ),
    ),
  ];
}

function checkObject({ config }: DoctorContext, name: string): readonly Finding[] {
  const object = config.objects.find((candidate) => candidate.name === name);
  if (object !== undefined) return [good(`Rate limits use the Durable Object binding ${name}`)];
  const names = config.objects.map((candidate) => candidate.name);
  const message = `Rate limits use the Durable Object binding "${name}", which does not exist.`;
  return [missing(message, name, names, bindClass(config, name, objectClass))];
}

function checkLimiter({ config }: DoctorContext, name: string): Finding {
  if (config.rateLimits.includes(name))
    return good(`Rate limits use the rate limit binding ${name}`);
  const message = `The application uses the rate limit binding "${name}", which does not exist.`;
  return missing(message, name, config.rateLimits, {
    ratelimits: [{ name, namespace_id: "1001", simple: { limit: 100, period: 60 } }],
  });
}

interface UsedStore {
  readonly kind: string;
  readonly binding: string;
}

/** Returns global and named middleware, and that in the options of routes. */
function middlewareOf({ middleware, routes }: ApplicationInspection): readonly object[] {
  const inRoutes = routes.flatMap((route) => route.middleware);
  return [...middleware, ...inRoutes.filter((item) => typeof item !== "string")];
}

/** Identifies limits by shape, since they may come from another copy of the package. */
function statesInMemory(inspection: ApplicationInspection): readonly string[] {
  const states = middlewareOf(inspection).map((item): unknown =>
    Reflect.get(item, "stateInMemory"),
  );
  return [...new Set(states.filter((state) => typeof state === "string"))];
}

function storesOf(inspection: ApplicationInspection): readonly UsedStore[] {
  return middlewareOf(inspection).flatMap((item) => {
    const store: unknown = Reflect.get(item, "store");
    if (typeof store !== "object" || store === null) return [];
    const binding: unknown = Reflect.get(store, "binding");
    return typeof binding === "string" ? [{ kind: store.constructor.name, binding }] : [];
  });
}

const namesOf = (stores: readonly UsedStore[]): readonly string[] => [
  ...new Set(stores.map(({ binding }) => binding)),
];
