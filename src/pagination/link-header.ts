import type { RequestContext } from "../http/context.ts";

/** Query parameters to replace; undefined removes one. */
export type PageQuery = Readonly<Record<string, string | number | undefined>>;

/**
 * Returns the value of a `Link` header (RFC 8288) with the URL of the request, changed for each relation. The
 * URLs have no origin: behind a proxy it may be another one than the client's.
 *
 * @param relations query of each page by its relation, such as `next`; undefined for a page that does not exist
 */
export function linkHeader(
  ctx: RequestContext<object>,
  relations: Readonly<Record<string, PageQuery | undefined>>,
): string {
  return Object.entries(relations)
    .flatMap(([relation, query]) =>
      query === undefined ? [] : `<${pageUrl(ctx, query)}>; rel="${relation}"`,
    )
    .join(", ");
}

function pageUrl(ctx: RequestContext<object>, changes: PageQuery): string {
  const query = new URLSearchParams();
  for (const name of Object.keys(ctx.query)) {
    if (Object.hasOwn(changes, name)) continue;
    for (const value of ctx.queries(name)) query.append(name, value);
  }
  for (const [name, value] of Object.entries(changes)) {
    if (value !== undefined) query.append(name, String(value));
  }
  const search = query.size === 0 ? "" : `?${query}`;
  // Not a reference to another host, as a path with two slashes would be.
  return ctx.url.pathname.replace(/^\/{2,}/, "/") + search;
}
