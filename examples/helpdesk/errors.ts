import { HttpError } from "espalier";

/** Base URL of the problem types of this API. */
const problems = "https://helpdesk.example/problems";

/** A resource that does not exist, or that the user may not see: the response is the same. */
export class NotFound extends HttpError {
  constructor(what: "organisation" | "user" | "ticket" | "attachment" | "webhook") {
    super(404, `The ${what} does not exist.`, { type: `${problems}/${what}-not-found` });
  }
}

export class SlugTaken extends HttpError {
  constructor(slug: string) {
    super(409, `The organisation ${slug} already exists.`, { type: `${problems}/slug-taken` });
  }
}

export class EmailTaken extends HttpError {
  constructor() {
    super(409, "This e-mail address is already registered.", { type: `${problems}/email-taken` });
  }
}

export class SignInFailed extends HttpError {
  constructor(detail = "The e-mail address or the password is wrong.") {
    super(401, detail, {
      type: `${problems}/sign-in-failed`,
      headers: { "www-authenticate": 'Bearer realm="helpdesk"' },
    });
  }
}
