import { HttpError } from "../../http/http-error.ts";
import { hasLoggedCause } from "../../http/logged-cause.ts";
import { isCloseReason } from "./check-close.ts";

/** How a connection is closed whose handler has failed. */
export interface CloseOfError {
  readonly code: number;
  readonly reason: string;
  /** False for what a client can cause at will, and for a failure that its store has logged. */
  readonly isLogged: boolean;
}

/**
 * Returns how to close a connection after an error of its handler: with 1008 and the client's `detail` for an HttpError below
 * 500, else with 1011 and no details.
 */
export function closeOfError(error: unknown): CloseOfError {
  if (!(error instanceof HttpError) || error.status >= 500) {
    const isLogged = !(error instanceof HttpError && hasLoggedCause(error));
    return { code: 1011, reason: "Unexpected error.", isLogged };
  }
  const { message } = error;
  return { code: 1008, reason: isCloseReason(message) ? message : "", isLogged: false };
}
