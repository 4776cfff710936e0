import { expect } from "vitest";
import {
  type ArticleAnswer,
  anonymous,
  type CommentAnswer,
  call,
  join,
  type Person,
  password,
  publish,
} from "./realworld-client.ts";
import type { Send } from "./send.ts";

type Errors = { readonly errors: Readonly<Record<string, readonly string[]>> };

/** Returns the status and errors of a rejected call. */
async function refusal(
  send: Send,
  person: Person,
  method: string,
  path: string,
  body?: object | string,
): Promise<readonly [number, Errors["errors"]]> {
  const answer = await call<Errors>(send, person, method, path, body);
  return [answer.status, answer.body.errors];
}

/** Test cases with invalid requests. */
export const mistakes: readonly { title: string; run(send: Send): Promise<void> }[] = [
  {
    title: "without a valid token nothing changes, and every response is the same",
    async run(send) {
      const ada = await join(send, "ada");
      const { slug } = await publish(send, ada);
      const routes = [
        ["GET", "/user"],
        ["PUT", "/user"],
        ["GET", "/articles/feed"],
        ["POST", "/articles"],
        ["PUT", `/articles/${slug}`],
        ["DELETE", `/articles/${slug}`],
        ["POST", `/articles/${slug}/favorite`],
        ["DELETE", `/articles/${slug}/favorite`],
        ["POST", `/articles/${slug}/comments`],
        ["DELETE", `/articles/${slug}/comments/1`],
        ["POST", `/profiles/${ada.username}/follow`],
        ["DELETE", `/profiles/${ada.username}/follow`],
      ] as const;
      const forged = { ...ada, token: `${ada.token?.slice(0, -4)}AAAA` };
      for (const [method, path] of routes) {
        for (const person of [anonymous, forged, { ...ada, token: "" }]) {
          const [status, errors] = await refusal(send, person, method, path);
          expect([method, path, status]).toEqual([method, path, 401]);
          expect(errors).toEqual({ body: [expect.any(String)] });
        }
      }
      const answer = await call(send, anonymous, "GET", "/user");
      expect(answer.headers.get("www-authenticate")).toBe('Bearer realm="api"');
      // On routes with an optional token, an invalid one counts as missing.
      expect((await call(send, forged, "GET", `/articles/${slug}`)).status).toBe(200);
    },
  },
  {
    title: "a wrong password and an unknown address get the same response",
    async run(send) {
      const ada = await join(send, "ada");
      const logIn = (email: string): Promise<readonly [number, unknown]> =>
        refusal(send, anonymous, "POST", "/users/login", { user: { email, password: "a-guess" } });
      const expected = [401, { body: ["email or password is invalid"] }];
      expect(await logIn(ada.email)).toEqual(expected);
      expect(await logIn("unknown@mail.example")).toEqual(expected);
      expect(await logIn("' OR 1=1 --")).toEqual(expected);
    },
  },
  {
    title: "addresses and names are unique, case-insensitively",
    async run(send) {
      const [ada, bo] = [await join(send, "ada"), await join(send, "bo")];
      const user = { username: `new-${ada.username}`, email: `new-${ada.email}`, password };
      const taken = ["has already been taken"];
      const email = ada.email.toUpperCase();
      const username = ada.username.toUpperCase();
      const register = (fields: object): Promise<readonly [number, unknown]> =>
        refusal(send, anonymous, "POST", "/users", { user: { ...user, ...fields } });
      expect(await register({ email })).toEqual([422, { email: taken }]);
      expect(await register({ username })).toEqual([422, { username: taken }]);
      const update = (fields: object): Promise<readonly [number, unknown]> =>
        refusal(send, bo, "PUT", "/user", { user: fields });
      expect(await update({ email })).toEqual([422, { email: taken }]);
      expect(await update({ username })).toEqual([422, { username: taken }]);
    },
  },
  {
    title: "every invalid field is reported by its name",
    async run(send) {
      const ada = await join(send, "ada");
      const wrong = { username: " ", email: "no", password: "short" };
      expect(await refusal(send, anonymous, "POST", "/users", { user: wrong })).toEqual([
        422,
        {
          email: ["must be a valid email"],
          username: [expect.any(String)],
          password: ["must be at least 8 characters"],
        },
      ]);
      expect(await refusal(send, anonymous, "POST", "/users", { user: {} })).toEqual([
        422,
        { email: ["is required"], username: ["is required"], password: ["is required"] },
      ]);
      expect(await refusal(send, ada, "PUT", "/user", { user: { image: "not a url" } })).toEqual([
        422,
        { image: ["must be a valid URL"] },
      ]);
      const article = { title: "", description: " ", tagList: ["ok", 7] };
      expect(await refusal(send, ada, "POST", "/articles", { article })).toEqual([
        422,
        {
          title: ["is required"],
          description: [expect.any(String)],
          body: ["is required"],
          "tagList.1": ["must be a string"],
        },
      ]);
      for (const sent of [{}, [], { article: null }, { article: [] }, { article: "text" }]) {
        const [status, errors] = await refusal(send, ada, "POST", "/articles", sent);
        expect([status, Object.keys(errors)]).toEqual([422, ["article"]]);
      }
      const { slug } = await publish(send, ada);
      const path = `/articles/${slug}/comments`;
      expect(await refusal(send, ada, "POST", path, { comment: { body: "" } })).toEqual([
        422,
        { body: ["is required"] },
      ]);
    },
  },
  {
    title: "invalid JSON and invalid pagination are rejected",
    async run(send) {
      expect(await refusal(send, anonymous, "POST", "/users", '{"user":')).toEqual([
        400,
        { body: ["The request body is not valid JSON."] },
      ]);
      const limits = [
        "limit=0",
        "limit=101",
        "limit=-1",
        "limit=1e3",
        "limit=99999999999999999999",
      ];
      for (const query of limits) {
        const [status, errors] = await refusal(send, anonymous, "GET", `/articles?${query}`);
        expect([query, status, Object.keys(errors)]).toEqual([query, 422, ["limit"]]);
      }
      for (const query of ["offset=-1", "offset=1000001", "offset=x"]) {
        const [status, errors] = await refusal(send, anonymous, "GET", `/articles?${query}`);
        expect([query, status, Object.keys(errors)]).toEqual([query, 422, ["offset"]]);
      }
    },
  },
  {
    title: "users cannot change what others have written",
    async run(send) {
      const [ada, bo] = [await join(send, "ada"), await join(send, "bo")];
      const path = `/articles/${(await publish(send, ada)).slug}`;
      const { body } = await call<{ comment: CommentAnswer }>(
        send,
        ada,
        "POST",
        `${path}/comments`,
        { comment: { body: "Mine." } },
      );
      const comment = `/comments/${body.comment.id}`;
      const changes = { article: { body: "Stolen" } };
      expect((await refusal(send, bo, "PUT", path, changes))[0]).toBe(403);
      expect((await refusal(send, bo, "DELETE", path))[0]).toBe(403);
      expect((await refusal(send, bo, "DELETE", `${path}${comment}`))[0]).toBe(403);
      // A comment is found only under its own article.
      const other = `/articles/${(await publish(send, ada)).slug}`;
      expect((await refusal(send, ada, "DELETE", `${other}${comment}`))[0]).toBe(404);
      const { body: read } = await call<{ article: ArticleAnswer }>(send, bo, "GET", path);
      expect(read.article.body).toBe("Long");
    },
  },
  {
    title: "unknown resources respond with 404 in the same format",
    async run(send) {
      const ada = await join(send, "ada");
      const article = { body: ["The article does not exist."] };
      const changes = { article: { body: "New" } };
      const comment = { comment: { body: "New" } };
      expect(await refusal(send, anonymous, "GET", "/articles/unknown")).toEqual([404, article]);
      expect(await refusal(send, ada, "PUT", "/articles/unknown", changes)).toEqual([404, article]);
      expect(await refusal(send, ada, "DELETE", "/articles/unknown")).toEqual([404, article]);
      expect(await refusal(send, ada, "POST", "/articles/unknown/favorite")).toEqual([
        404,
        article,
      ]);
      expect(await refusal(send, ada, "POST", "/articles/unknown/comments", comment)).toEqual([
        404,
        article,
      ]);
      expect(await refusal(send, anonymous, "GET", "/articles/unknown/comments")).toEqual([
        404,
        article,
      ]);
      expect((await refusal(send, ada, "DELETE", "/articles/unknown/comments/1"))[0]).toBe(404);
      expect((await refusal(send, ada, "DELETE", "/articles/unknown/comments/x"))[0]).toBe(404);
      const profile = { body: ["The profile does not exist."] };
      expect(await refusal(send, anonymous, "GET", "/profiles/no%20body")).toEqual([404, profile]);
      expect(await refusal(send, ada, "POST", "/profiles/unknown/follow")).toEqual([404, profile]);
      expect((await refusal(send, anonymous, "GET", "/nowhere"))[0]).toBe(404);
      const [status, errors] = await refusal(send, anonymous, "PATCH", "/tags");
      expect([status, Object.keys(errors)]).toEqual([405, ["body"]]);
    },
  },
  {
    title: "articles with the same title get different slugs, and titles may be in any script",
    async run(send) {
      const [ada, bo] = [await join(send, "ada"), await join(send, "bo")];
      const title = `Twice ${ada.username}`;
      const first = await publish(send, ada, { title });
      const second = await publish(send, bo, { title, tagList: ["second"] });
      expect(first.slug).toBe(`twice-${ada.username}`);
      expect(second.slug).toMatch(new RegExp(`^${first.slug}-[0-9a-f]{8}$`));
      const { body } = await call<{ article: ArticleAnswer }>(
        send,
        anonymous,
        "GET",
        `/articles/${first.slug}`,
      );
      expect([body.article.author.username, body.article.tagList]).toEqual([ada.username, []]);
      // The slug "feed" is reserved.
      expect((await publish(send, ada, { title: "Feed!" })).slug).toMatch(/^feed-[0-9a-f]{8}$/);
      expect((await publish(send, ada, { title: "🐉🐉" })).slug).toMatch(/^article-[0-9a-f]{8}$/);
      const titles = [
        "龍を育てる",
        "Ёжик в тумане",
        "Cafe\u0301 & Crème",
        "../../etc/passwd",
        "a".repeat(200),
      ];
      for (const each of titles) {
        const { slug } = await publish(send, ada, { title: each });
        expect(slug).toMatch(/^[\p{L}\p{M}\p{N}-]{1,80}$/u);
        const found = await call<{ article: ArticleAnswer }>(
          send,
          anonymous,
          "GET",
          `/articles/${encodeURIComponent(slug)}`,
        );
        expect([found.status, found.body.article.title]).toEqual([200, each]);
      }
    },
  },
];
