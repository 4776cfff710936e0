import { expect, test } from "vitest";
import { upperSnake } from "../../src/config/upper-snake.ts";

test.each([
  ["port", "PORT"],
  ["maxBodySize", "MAX_BODY_SIZE"],
  ["apiURL", "API_URL"],
  ["HTTPPort", "HTTP_PORT"],
  ["oauth2Token", "OAUTH2_TOKEN"],
  ["db.host", "DB_HOST"],
  ["mail-queue", "MAIL_QUEUE"],
  ["ALREADY_SNAKE", "ALREADY_SNAKE"],
  ["toString", "TO_STRING"],
  ["__proto__", "__PROTO__"],
  ["", ""],
])("%s is %s", (name, variable) => {
  expect(upperSnake(name)).toBe(variable);
});
