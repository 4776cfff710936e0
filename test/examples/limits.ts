import { expect } from "vitest";
import { problemOf, type Send, withJson } from "./send.ts";

/** Exceeds the rate limits of a new library. */
export async function expectLimits(send: Send): Promise<void> {
  const guess = withJson("POST", { email: "librarian@members.example", password: "a-guess" });
  for (let count = 0; count < 10; count++) {
    const refused = await send("/api/v1/log-in", guess);
    expect(await problemOf(refused)).toEqual([401, "The e-mail address or the password is wrong."]);
  }
  const limited = await send("/api/v1/log-in", guess);
  expect(limited.status).toBe(429);
  expect(Number(limited.headers.get("retry-after"))).toBeGreaterThan(800);
  await limited.body?.cancel();

  // The login limit does not affect reads; 11 of the 300 requests are used.
  const statuses: number[] = [];
  for (let count = 11; count < 302; count++) {
    const response = await send("/bookshelf.css");
    statuses.push(response.status);
    await response.body?.cancel();
  }
  expect(statuses.lastIndexOf(200)).toBe(288);
  expect(statuses.slice(289)).toEqual([429, 429]);
  expect((await send("/health")).status).toBe(200);
}
