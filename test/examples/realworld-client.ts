import { randomUUID } from "node:crypto";
import type { Send } from "./send.ts";

export interface ProfileAnswer {
  readonly username: string;
  readonly bio: string | null;
  readonly image: string | null;
  readonly following: boolean;
}

export interface ArticleAnswer {
  readonly slug: string;
  readonly title: string;
  readonly description: string;
  readonly body?: string;
  readonly tagList: readonly string[];
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly favorited: boolean;
  readonly favoritesCount: number;
  readonly author: ProfileAnswer;
}

export interface CommentAnswer {
  readonly id: number;
  readonly body: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly author: ProfileAnswer;
}

export interface ListAnswer {
  readonly articles: readonly ArticleAnswer[];
  readonly articlesCount: number;
}

/** A user with a token, or an anonymous client. */
export interface Person {
  readonly username: string;
  readonly email: string;
  readonly token: string | undefined;
}

export const anonymous: Person = { username: "", email: "", token: undefined };
export const password = "seven-slow-herons";

/** Calls the API and returns status, parsed body, and headers. */
export async function call<Body>(
  send: Send,
  person: Person,
  method: string,
  path: string,
  body?: object | string,
): Promise<{ readonly status: number; readonly body: Body; readonly headers: Headers }> {
  const headers = new Headers();
  if (body !== undefined) headers.set("content-type", "application/json");
  if (person.token !== undefined) headers.set("authorization", `Token ${person.token}`);
  const text = typeof body === "object" ? JSON.stringify(body) : body;
  const init = { method, headers, ...(text === undefined ? {} : { body: text }) };
  const response = await send(`/api${path}`, init);
  const answer = await response.text();
  const parsed = (answer === "" ? undefined : JSON.parse(answer)) as Body;
  return { status: response.status, body: parsed, headers: response.headers };
}

/** Registers an account with a unique name. */
export async function join(send: Send, name: string): Promise<Person> {
  const username = `${name}-${randomUUID().slice(0, 8)}`;
  const email = `${username}@mail.example`;
  const { status, body } = await call<{ user: { token: string } }>(
    send,
    anonymous,
    "POST",
    "/users",
    {
      user: { username, email, password },
    },
  );
  if (status !== 201) throw new Error(`${status} for a new account: ${JSON.stringify(body)}`);
  return { username, email, token: body.user.token };
}

export async function publish(
  send: Send,
  author: Person,
  fields: object = {},
): Promise<ArticleAnswer> {
  const article = { title: `On ${randomUUID()}`, description: "Short", body: "Long", ...fields };
  const answer = await call<{ article: ArticleAnswer }>(send, author, "POST", "/articles", {
    article,
  });
  if (answer.status !== 201) {
    throw new Error(`${answer.status} for an article: ${JSON.stringify(answer.body)}`);
  }
  return answer.body.article;
}
