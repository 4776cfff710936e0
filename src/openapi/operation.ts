import { type DescribedRoute, middlewareDocumentation } from "./describe-context.ts";
import type { OperationObject } from "./document.ts";
import { describeParameters } from "./parameters.ts";
import type { PathTemplate } from "./path-template.ts";
import { describeRequestBody } from "./request-body.ts";
import { describeResponses } from "./responses.ts";

/** Position and identifiers of an operation in the document. */
export interface OperationPlace {
  readonly template: PathTemplate;
  /** Names of the path parameters. */
  readonly names: readonly string[];
  /** Unique in the document. */
  readonly operationId: string;
}

/** Documents one route under one of its paths. */
export function describeOperation(route: DescribedRoute, place: OperationPlace): OperationObject {
  const { summary, description, deprecated } = route.record.documentation;
  const parameters = describeParameters(route, place.template, place.names);
  const requestBody = describeRequestBody(route);
  const security = describeSecurity(route);
  const tags = tagsOf(route);
  return {
    operationId: place.operationId,
    ...(summary === undefined ? {} : { summary }),
    ...(description === undefined ? {} : { description }),
    ...(tags.length === 0 ? {} : { tags }),
    ...(deprecated === undefined ? {} : { deprecated }),
    // Empty for a public operation: a missing field could also have been forgotten.
    security,
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(requestBody === undefined ? {} : { requestBody }),
    responses: describeResponses(route, place.template, requestBody !== undefined),
  };
}

type SecurityRequirement = Readonly<Record<string, readonly string[]>>;

/**
 * Returns all security schemes of the route's middleware as one requirement, since each must be met. If one
 * is optional, adds a second requirement without it (OpenAPI 3.1, Operation Object).
 */
function describeSecurity(route: DescribedRoute): readonly SecurityRequirement[] {
  const schemes = middlewareDocumentation(route).flatMap((documentation) =>
    Object.entries(documentation.security ?? {}).map(([name, scheme]) => {
      return { name, scheme, isOptional: documentation.isSecurityOptional ?? false };
    }),
  );
  for (const { name, scheme } of schemes) route.components.addSecurityScheme(name, scheme);
  const all = requirementOf(schemes);
  const least = requirementOf(schemes.filter(({ isOptional }) => !isOptional));
  if (Object.keys(all).length === 0) return [];
  return Object.keys(least).length === Object.keys(all).length ? [all] : [all, least];
}

function requirementOf(schemes: readonly { readonly name: string }[]): SecurityRequirement {
  return Object.fromEntries(schemes.map(({ name }) => [name, []]));
}

/** Returns the tags of the route; else the name of its group, else the first segment of its path. */
function tagsOf({ record }: DescribedRoute): readonly string[] {
  if (record.documentation.tags !== undefined) return record.documentation.tags;
  if (record.groupName !== undefined) return [record.groupName];
  const [, first = ""] = record.pattern.split("/");
  return first === "" || /[:*\\%]/.test(first) ? [] : [first];
}
