import { existsSync, readFileSync } from "node:fs";
import { origin, parameterNames, type RouteTable, type TableRequest } from "./route-table.ts";

const description = new URL(
  "../../node_modules/@octokit/openapi/generated/api.github.com.json",
  import.meta.url,
);
const methods = ["get", "post", "put", "patch", "delete"];

/** Paths that exist in no version of the API; the last one is deeper than any route. */
const unknownPaths = [
  "/favicon.ico",
  "/wp-login.php",
  "/.env",
  "/repos/octocat",
  "/repos/octocat/hello-world/issues/1347/no-such-leaf",
  "/orgs/acme/actions/runners/7/labels/build/x",
  "/user/starred/octocat",
  "/v2/users/octocat",
  "/gists/1/2/3/4/5/6/7/8/9/10/11/12",
];

/**
 * Returns the routes of GitHub's REST API, from the OpenAPI document on npm, with one request for each
 * and a few without a route.
 *
 * Excludes the two-parameter segment `{base}...{head}`, which most routers do not support.
 * @returns undefined where the package is not installed.
 */
export function loadGithubRestTable(): RouteTable | undefined {
  if (!existsSync(description)) return undefined;
  const document = JSON.parse(readFileSync(description, "utf8")) as {
    readonly paths: Readonly<Record<string, object>>; // the only part used here
  };
  const routes: [string, string][] = [];
  for (const [path, operations] of Object.entries(document.paths)) {
    if (/[^/]\{|\}[^/]/.test(path)) continue;
    const pattern = path.replaceAll(
      /\{([^}]+)\}/g,
      (_, name: string) => `:${name.replaceAll("-", "_")}`,
    );
    for (const method of methods) {
      if (method in operations) routes.push([method.toUpperCase(), pattern]);
    }
  }
  const matching = routes.map(([method, pattern], route) => sampleRequest(method, pattern, route));
  const unknown = unknownPaths.map((path) => ({
    method: "GET",
    url: origin + path,
    route: null,
    params: {},
  }));
  return { name: "github-rest", routes, requests: [...matching, ...unknown] };
}

/** Returns a request for a route with realistic values, one in twenty with a percent escape. */
function sampleRequest(method: string, pattern: string, route: number): TableRequest {
  const params: Record<string, string> = {};
  for (const name of parameterNames(pattern)) {
    params[name] = sampleValue(name, route);
  }
  const path = pattern.replaceAll(/:([A-Za-z_$][\w$]*)/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? ""),
  );
  return { method, url: origin + path, route, params };
}

function sampleValue(name: string, route: number): string {
  if (name === "owner" || name === "org" || name === "username") return "octocat";
  if (name === "repo") return "hello-world";
  if (name.endsWith("_id") || name.endsWith("_number")) return String(1000 + route);
  return route % 20 === 0 ? `good ${name}` : `${name}-${route}`;
}
