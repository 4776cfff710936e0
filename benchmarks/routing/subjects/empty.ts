import type { FilledRouter, Subject } from "./subject.ts";

/** No router: measures the cost of the loop, which is subtracted from every other measurement. */
export const empty: Subject = {
  name: "empty loop",
  fill(): FilledRouter {
    return { answer: (request) => request.url.length, find: () => undefined };
  },
};
