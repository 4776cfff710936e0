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

/** A test case that applies on every runtime. */
export interface BookshelfAssertion {
  readonly title: string;
  /** @param send sends as the librarian */
  run(send: Send, place: Place): Promise<void>;
}

/** Differences between the runtimes. */
export interface Place {
  /** Name of the storage, as the page shows it. */
  readonly storage: "memory" | "KV";
}

/** Sends as the librarian; the first request logs in. */
export function sendAsLibrarian(send: Send): Send {
  let token: Promise<string> | undefined;
  return async (path, init) => {
    token ??= logInLibrarian(send);
    return sendAs(send, await token)(path, init);
  };
}

/** All HTTP test cases of the example; each creates the records that it changes. */
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
