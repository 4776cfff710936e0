/** A module worker that handles requests. */
export interface FetchWorker {
  /** Responds to a request; never rejects. */
  fetch(request: Request, env?: unknown, executionContext?: unknown): Promise<Response>;
}
