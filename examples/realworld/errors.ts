import { type FieldError, HttpError, json, ValidationError } from "espalier";

export class NotFound extends HttpError {
  constructor(what: "article" | "comment" | "profile") {
    super(404, `The ${what} does not exist.`);
  }
}

/** Thrown if the login fails, or if the token's account no longer exists. */
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

/** The format of {@link renderError}, for the OpenAPI document. */
export const errorSchema = {
  type: "object",
  properties: {
    errors: {
      type: "object",
      additionalProperties: { type: "array", items: { type: "string" } },
    },
  },
  required: ["errors"],
} as const;

/**
 * Renders errors in the format of the RealWorld specification: `{ "errors": { "email": ["is required"] } }`.
 * Errors that concern no field are under `body`.
 */
export function renderError(error: unknown): Response {
  if (!(error instanceof HttpError)) {
    // Already logged; details are not exposed to the client.
    return json({ errors: { body: ["An unexpected error occurred."] } }, 500);
  }
  const errors = error.errors === undefined ? { body: [error.message] } : byField(error.errors);
  const response = json({ errors }, error.status);
  error.headers?.forEach((value, name) => {
    response.headers.set(name, value);
  });
  return response;
}

/** Removes the name of the wrapping object: clients expect `email` instead of `user.email`. */
function byField(errors: readonly FieldError[]): Record<string, string[]> {
  const messages = new Map<string, string[]>();
  for (const { field, message } of errors) {
    const name = field.replace(/^(?:user|article|comment)\./, "");
    const complaint = message.startsWith(`${field} `) ? message.slice(field.length + 1) : message;
    messages.set(name, [...(messages.get(name) ?? []), complaint]);
  }
  return Object.fromEntries(messages);
}
