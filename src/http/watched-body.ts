import { type detectRuntime, hasStreamBody } from "#host";
import { attachBodyReport, type ReportBodyFailure, type WatchBody } from "./body-failure.ts";
import { stoppableStreamOf } from "./open-streams.ts";
import { problemFromError } from "./problem-details.ts";

/** Returns how the failure of a body is noticed on a runtime; undefined where it is unknown. */
export function bodyWatcherOn(runtime: ReturnType<typeof detectRuntime>): WatchBody | undefined {
  // Node's server reports it.
  if (runtime === "node") return attachBodyReport;
  return runtime === "other" ? undefined : watchBody;
}

/**
 * Notices the failure of a stream by reading it. A response without a stream is returned unchanged, so that the platform
 * still sends its length.
 */
const watchBody: WatchBody = (response, report) => {
  // The streams of helpers report their failures.
  if (stoppableStreamOf(response) !== undefined || !hasStreamBody(response)) return response;
  const { body } = response;
  if (body === null) return response;
  if (body.locked) {
    report(new TypeError("The body of the response is locked."), false);
    return problemFromError({ status: 500 });
  }
  // The response serves as its own init: see `mutableResponse`.
  return new Response(watched(body, report), response);
};

function watched(body: ReadableStream, report: ReportBodyFailure): ReadableStream {
  const reader = body.getReader();
  return new ReadableStream(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (done) controller.close();
          else controller.enqueue(value);
        } catch (error) {
          report(error, false);
          controller.error(error);
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
