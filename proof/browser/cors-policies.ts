import { CorsMiddleware, type CorsOptions } from "espalier";

/**
 * Creates a middleware for each policy that a page meets, by the first segment of the path.
 *
 * @param pageOrigin the origin of the pages, which some policies allow
 */
export function createPolicies(pageOrigin: string): ReadonlyMap<string, CorsMiddleware> {
  const policies: Readonly<Record<string, CorsOptions>> = {
    star: { origins: "*" },
    exact: { origins: [pageOrigin] },
    decided: { origins: async (origin) => origin === pageOrigin },
    credentials: {
      origins: [pageOrigin],
      credentials: true,
      exposedHeaders: ["X-Exposed", "ETag"],
      maxAge: 600,
    },
    other: { origins: ["https://other.example"] },
    null: { origins: ["null"] },
    limited: { origins: "*", methods: ["GET", "PUT"], allowedHeaders: ["X-Allowed"] },
    wildcards: { origins: "*", methods: ["*"], allowedHeaders: ["*"], exposedHeaders: ["*"] },
    exposing: { origins: "*", exposedHeaders: ["X-Exposed", "ETag", "Content-Range"] },
    fresh: { origins: "*", maxAge: 0 },
    cached: { origins: "*", maxAge: 600 },
  };
  return new Map(
    Object.entries(policies).map(([name, options]) => [name, new CorsMiddleware(options)]),
  );
}
