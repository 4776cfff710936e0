import type { HttpError } from "./http-error.ts";

const isLogged: unique symbol = Symbol("espalier.causeLogged");

type MarkedError = HttpError & { [isLogged]?: true };

/** Marks an error whose cause has been logged with more details, or needs no record. */
export function withLoggedCause(error: MarkedError): HttpError {
  error[isLogged] = true;
  return error;
}

/** Returns true for an error that {@link withLoggedCause} has marked. */
export function hasLoggedCause(error: MarkedError): boolean {
  return error[isLogged] === true;
}
