import { type FieldError, HttpError, json, ValidationError } from "espalier";

export class NotFound extends HttpError {
  constructor(what: "article" | "comment" | "profile") {
    super(404, `There is no such ${what}.`);
  }
}

/** Log-in failed, or the token is of an account that is gone. */
export class NotSignedIn extends HttpError {
  constructor(detail: string) {
    super(401, detail, { headers: { "www-authenticate": 'Bearer realm="api"' } });
  }
}

export class Taken extends ValidationError {
  constructor(field: string) {
    super([{ field, message: `${field} has already been taken` }]);
  }
}

/**
 * Errors as the RealWorld specification wants them: `{ "errors": { "email": ["is required"] } }`. What is
 * about no field stands under `body`.
 */
export function renderError(error: unknown): Response {
  if (!(error instanceof HttpError)) {
    // It has been logged; the client need not know more.
    return json({ errors: { body: ["An unexpected error occurred."] } }, 500);
  }
  const errors = error.errors === undefined ? { body: [error.message] } : byField(error.errors);
  const response = json({ errors }, error.status);
  error.headers?.forEach((value, name) => {
    response.headers.set(name, value);
  });
  return response;
}

/** Clients look for `email`, whatever the object in the body is called: `user.email`. */
function byField(errors: readonly FieldError[]): Record<string, string[]> {
  const messages = new Map<string, string[]>();
  for (const { field, message } of errors) {
    const name = field.replace(/^(?:user|article|comment)\./, "");
    const complaint = message.startsWith(`${field} `) ? message.slice(field.length + 1) : message;
    messages.set(name, [...(messages.get(name) ?? []), complaint]);
  }
  return Object.fromEntries(messages);
}
