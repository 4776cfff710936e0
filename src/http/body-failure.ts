/**
 * Reports that the body of a response failed while it was sent.
 *
 * @param isExpected true if `stop()` has caused it
 */
export type ReportBodyFailure = (error: unknown, isExpected: boolean) => void;

const reporterOfResponse: unique symbol = Symbol("espalier.bodyFailure");

type ReportingResponse = Response & { [reporterOfResponse]?: ReportBodyFailure };

/** Attaches the function that the server calls when it cannot send the body of a response. */
export function onBodyFailure(response: Response, report: ReportBodyFailure): void {
  (response as ReportingResponse)[reporterOfResponse] = report;
}

/** Calls the function attached to a response, if any. */
export function reportBodyFailure(response: Response, error: unknown): void {
  (response as ReportingResponse)[reporterOfResponse]?.(error, false);
}
