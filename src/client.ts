export { type Client, type ClientOptions, createClient } from "./client/create-client.ts";
export { ProblemError, type ProblemFieldError } from "./client/problem-error.ts";
export type { RouteClient } from "./client/route-client.ts";
