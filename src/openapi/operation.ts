import type { DescribedRoute } from "./describe-context.ts";
import type { OperationObject } from "./document.ts";
import { describeParameters } from "./parameters.ts";
import type { PathTemplate } from "./path-template.ts";
import { describeRequestBody } from "./request-body.ts";
import { describeResponses } from "./responses.ts";

/** Where and under which names an operation stands in the document. */
export interface OperationPlace {
  readonly template: PathTemplate;
  /** What the path's parameters are called. */
  readonly names: readonly string[];
  /** Unique in the document. */
  readonly operationId: string;
}

/** Describes one route under one of its paths. */
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
    ...(security.length === 0 ? {} : { security }),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(requestBody === undefined ? {} : { requestBody }),
    responses: describeResponses(route, place.template, requestBody !== undefined),
  };
}

type SecurityRequirement = Readonly<Record<string, readonly string[]>>;

/**
 * All schemes that middleware in front asks for, as one requirement: each of them has to be met. Where one
 * may be left out, a second requirement without it stands beside (OpenAPI 3.1, Operation Object).
 */
function describeSecurity(route: DescribedRoute): readonly SecurityRequirement[] {
  const schemes = route.middleware.flatMap(({ metadata: { documentation = {} } }) =>
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

/** As the route says; else the name of its group, else the first segment of its path. */
function tagsOf({ record }: DescribedRoute): readonly string[] {
  if (record.documentation.tags !== undefined) return record.documentation.tags;
  if (record.groupName !== undefined) return [record.groupName];
  const [, first = ""] = record.pattern.split("/");
  return first === "" || /[:*\\%]/.test(first) ? [] : [first];
}
