/**
 * Reports that the body of a response failed while it was sent.
 *
 * @param isExpected true if `stop()` has caused it
 */
export type ReportBodyFailure = (error: unknown, isExpected: boolean) => void;

const reporterOfResponse: unique symbol = Symbol("espalier.bodyFailure");

type ReportingResponse = Response & { [reporterOfResponse]?: ReportBodyFailure };

/** Returns the response that reports the failure of its body: the same one or a copy. */
export type WatchBody = (response: Response, report: ReportBodyFailure) => Response;

/** Attaches the function that the server calls when it cannot send the body of a response. */
export const attachBodyReport: WatchBody = (response, report) => {
  (response as ReportingResponse)[reporterOfResponse] = report;
  return response;
};

/** Calls the function attached to a response; returns false if there is none. */
export function reportBodyFailure(response: Response, error: unknown): boolean {
  const report = (response as ReportingResponse)[reporterOfResponse];
  report?.(error, false);
  return report !== undefined;
}
