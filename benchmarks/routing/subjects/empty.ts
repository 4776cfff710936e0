import type { FilledRouter, Subject } from "./subject.ts";

/** No router at all: what the loop itself costs, which is taken off every other measurement. */
export const empty: Subject = {
  name: "empty loop",
  fill(): FilledRouter {
    return { answer: (request) => request.url.length, find: () => undefined };
  },
};
