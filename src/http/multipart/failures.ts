import { HttpError } from "../http-error.ts";

/** 400 for a form that breaks a rule of the format. The reason never repeats what was sent. */
export function malformedForm(reason: string, cause?: unknown): HttpError {
  const detail = `The request body is not a valid multipart form: ${reason}.`;
  return new HttpError(400, detail, { cause });
}

/** 413 for a form that exceeds a limit: `formTooLarge("A multipart form", 1000, "parts")`. */
export function formTooLarge(subject: string, limit: number, unit: string): HttpError {
  return new HttpError(413, `${subject} must have at most ${limit} ${unit}.`);
}
