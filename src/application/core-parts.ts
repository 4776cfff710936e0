import type { CompleteParts, RequestParts } from "../http/request-parts.ts";
import { missingPart } from "../util/missing-part.ts";

type PartName = keyof CompleteParts;

/** The parts that an application of `espalier/core` can be created without, and what needs each of them. */
export const usersOfParts: Readonly<Record<PartName, string>> = {
  cookies: "ctx.cookies",
  trace: "ctx.trace",
  clientAddress: "ctx.ip",
  hostCheck: "allowedHosts",
  multipart: "ctx.parts()",
  container: "A service that is registered or resolved",
  urls: "router.url()",
};

/** Adds stand-ins, which throw when they are used, for the parts that an application was created without. */
export function completeParts(given: RequestParts): CompleteParts {
  const names = Object.keys(usersOfParts) as PartName[];
  const parts = names.map((name) => [name, given[name] ?? createStandIn(name)]);
  // Unchecked cast: each stand-in has the methods of all parts that are objects.
  return Object.fromEntries(parts) as CompleteParts;
}

function createStandIn(name: PartName): object {
  const refuse = (usedBy: string) => () => {
    throw missingPart(name, usedBy);
  };
  const use = refuse(usersOfParts[name]);
  return Object.assign(use, { find: use, parseTrustProxy: refuse("trustProxy"), stream: use });
}
