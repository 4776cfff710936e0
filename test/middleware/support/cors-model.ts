/** Configuration and request of one combination of the CORS matrix. */
export interface CorsCase {
  readonly allowed: "*" | readonly string[];
  readonly credentials: boolean;
  readonly exposed: readonly string[];
  readonly headers: readonly string[] | undefined;
  readonly maxAge: number | undefined;
  readonly method: string;
  readonly origin: string | undefined;
  readonly requestedMethod: string | undefined;
  readonly requestedHeaders: string | undefined;
  /** `Vary` and status of the response without CORS. */
  readonly vary: string | undefined;
  readonly status: number;
}

export interface CorsAnswer {
  readonly status: number;
  readonly vary: string;
  readonly "access-control-allow-origin": string | null;
  readonly "access-control-allow-credentials": string | null;
  readonly "access-control-allow-methods": string | null;
  readonly "access-control-allow-headers": string | null;
  readonly "access-control-expose-headers": string | null;
  readonly "access-control-max-age": string | null;
}

/** The server's half of the CORS protocol, said once more, without a thought for speed. */
export function expectedAnswer(one: CorsCase): CorsAnswer {
  const star = one.allowed === "*";
  const may = star || (one.origin !== undefined && one.allowed.includes(one.origin));
  const preflight =
    one.method === "OPTIONS" && one.origin !== undefined && one.requestedMethod !== undefined;
  const asked = one.requestedHeaders?.split(",").map((name) => name.trim()) ?? [];
  const echo =
    asked.every((name) => /^[A-Za-z0-9-]+$/.test(name)) && asked.length <= 64 ? asked : [];
  const allowedHeaders = (one.headers ?? echo).join(", ");
  const vary = [
    ...(preflight || one.vary === undefined ? [] : [one.vary]),
    ...(star ? [] : ["Origin"]),
    ...(preflight ? ["Access-Control-Request-Method", "Access-Control-Request-Headers"] : []),
  ];
  return {
    status: preflight ? 204 : one.status,
    vary: vary.join(", "),
    "access-control-allow-origin": may ? (star ? "*" : (one.origin ?? null)) : null,
    "access-control-allow-credentials": may && one.credentials ? "true" : null,
    "access-control-allow-methods": may && preflight ? "GET, HEAD, PUT, PATCH, POST, DELETE" : null,
    "access-control-allow-headers":
      may && preflight && allowedHeaders !== "" ? allowedHeaders : null,
    "access-control-expose-headers":
      may && !preflight && one.exposed.length > 0 ? one.exposed.join(", ") : null,
    "access-control-max-age":
      may && preflight && one.maxAge !== undefined ? String(one.maxAge) : null,
  };
}
