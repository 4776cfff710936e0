import { accessAssertions } from "./access.ts";
import { bookAssertions } from "./books.ts";
import { catalogueAssertions } from "./catalogue.ts";
import { coverAssertions } from "./covers.ts";
import { loanAssertions } from "./loans.ts";
import { memberAssertions } from "./members.ts";
import { noticeAssertions } from "./notices.ts";
import { pageAssertions } from "./page.ts";
import { logInLibrarian } from "./records.ts";
import { type Send, sendAs } from "./send.ts";

/** One thing that must be so wherever the example runs. */
export interface BookshelfAssertion {
  readonly title: string;
  /** @param send sends as the librarian */
  run(send: Send, place: Place): Promise<void>;
}

/** What differs from place to place. */
export interface Place {
  /** What the records are kept in. */
  readonly storage: "memory" | "KV";
}

/** Sends as the librarian, who logs in with the first request. */
export function sendAsLibrarian(send: Send): Send {
  let token: Promise<string> | undefined;
  return async (path, init) => {
    token ??= logInLibrarian(send);
    return sendAs(send, await token)(path, init);
  };
}

/** Everything that is asked of the example over HTTP; each makes the records that it changes. */
export const assertions: readonly BookshelfAssertion[] = [
  ...catalogueAssertions,
  ...bookAssertions,
  ...coverAssertions,
  ...loanAssertions,
  ...memberAssertions,
  ...noticeAssertions,
  ...pageAssertions,
  ...accessAssertions,
];
