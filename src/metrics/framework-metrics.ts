import type { FrameworkEvents } from "../events/framework-events.ts";
import type { Metrics } from "./metrics.ts";

/** Subscribes to an event of the framework. */
export type Subscribe = <Name extends keyof FrameworkEvents>(
  name: Name,
  handler: (payload: FrameworkEvents[Name]) => void,
) => void;

/** Methods that are counted by name (RFC 9110, RFC 5789); others are `_OTHER`, as in OpenTelemetry. */
const knownMethods: ReadonlySet<string> = new Set([
  ...["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "CONNECT", "OPTIONS", "TRACE"],
]);

/**
 * Adds the metrics of requests, jobs, cache, authentication and rate limits, from the events of an application.
 * The name and labels of the first are those of OpenTelemetry's conventions for HTTP.
 */
export function addFrameworkMetrics(metrics: Metrics, subscribe: Subscribe): void {
  const requests = metrics.histogram("http_server_request_duration_seconds", {
    help: "Duration of requests until the response was created.",
    labels: ["http_request_method", "http_route", "http_response_status_code"],
  });
  subscribe("request.completed", ({ method, route, status, durationMs }) => {
    requests.observe(durationMs / 1000, {
      http_request_method: knownMethods.has(method) ? method : "_OTHER",
      // Unmatched requests have an empty one: their paths are chosen by clients.
      http_route: route ?? "",
      http_response_status_code: status,
    });
  });

  const lookups = metrics.counter("espalier_cache_lookups_total", {
    help: "Lookups in the cache.",
    labels: ["result"],
  });
  subscribe("cache.hit", () => lookups.add(1, { result: "hit" }));
  subscribe("cache.miss", () => lookups.add(1, { result: "miss" }));

  const jobs = metrics.histogram("espalier_job_duration_seconds", {
    help: "Duration of attempts that completed a job.",
    labels: ["job_name"],
  });
  const failedJobs = metrics.counter("espalier_jobs_failed_total", {
    help: "Jobs that used up their attempts.",
    labels: ["job_name"],
  });
  subscribe("queue.completed", ({ name, durationMs }) => {
    jobs.observe(durationMs / 1000, { job_name: name });
  });
  subscribe("queue.failed", ({ name }) => failedJobs.add(1, { job_name: name }));

  const refused = metrics.counter("espalier_requests_refused_total", {
    help: "Requests that a guard or a rate limiter refused.",
    labels: ["http_route", "reason"],
  });
  subscribe("auth.failed", ({ route }) => {
    refused.add(1, { http_route: route ?? "", reason: "authentication" });
  });
  subscribe("rate.limited", ({ route }) => {
    refused.add(1, { http_route: route ?? "", reason: "rate_limit" });
  });
}
