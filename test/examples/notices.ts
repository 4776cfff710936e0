import { expect } from "vitest";
import type { BookshelfAssertion } from "./assertions.ts";
import { dataOf, type Send } from "./send.ts";

/** The member with an overdue book in the seed data. */
const lateMember = "5ebaa98e-f510-4a62-ad07-378c3b33c337";

export interface NoticeAnswer {
  readonly loanId: string;
  readonly text: string;
}

export async function noticesOf(send: Send): Promise<readonly NoticeAnswer[]> {
  return dataOf<NoticeAnswer[]>(await send(`/api/v1/members/${lateMember}/notices`));
}

export const noticeAssertions: readonly BookshelfAssertion[] = [
  {
    title: "the queue sends one notice per day for an overdue book",
    async run(send) {
      for (const time of [1, 2]) {
        const response = await send("/api/v1/notices", { method: "POST" });
        expect([response.status, await dataOf(response)], `time ${time}`).toEqual([
          202,
          { enqueued: 1 },
        ]);
        await expect
          .poll(() => noticesOf(send), { timeout: 10_000 })
          .toEqual([
            expect.objectContaining({
              loanId: "98fa51cf-47f0-4bfd-bdeb-f40ffe26a9b7",
              text: expect.stringMatching(
                /^Dear Brannoch Vell, "Salt Road, Slow Boat" was due on /,
              ),
            }),
          ]);
      }
    },
  },
];
