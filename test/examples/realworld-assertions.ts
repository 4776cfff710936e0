import { expect } from "vitest";
import {
  type ArticleAnswer,
  anonymous,
  type CommentAnswer,
  call,
  join,
  type ListAnswer,
  type ProfileAnswer,
  password,
  publish,
} from "./realworld-client.ts";
import type { Send } from "./send.ts";

const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Test cases with valid requests. */
export const assertions: readonly { title: string; run(send: Send): Promise<void> }[] = [
  {
    title: "a user registers, logs in, and is the current user",
    async run(send) {
      const ada = await join(send, "ada");
      const login = { user: { email: ada.email.toUpperCase(), password } };
      const loggedIn = await call<{ user: { token: string } }>(
        send,
        anonymous,
        "POST",
        "/users/login",
        login,
      );
      expect(loggedIn.status).toBe(200);
      expect(loggedIn.headers.get("cache-control")).toBe("no-store");
      const { token } = loggedIn.body.user;
      const { username, email } = ada;
      const expected = { email, username, bio: null, image: null, token: expect.any(String) };
      expect(loggedIn.body).toEqual({ user: expected });
      const current = await call(send, { ...ada, token }, "GET", "/user");
      expect([current.status, current.body]).toEqual([200, { user: expected }]);
      // The scheme Bearer is accepted as well.
      const headers = { authorization: `Bearer ${token}` };
      expect((await send("/api/user", { headers })).status).toBe(200);
    },
  },
  {
    title: "an account is updated field by field; empty strings clear a field",
    async run(send) {
      const ada = await join(send, "ada");
      const update = async (user: object): Promise<readonly [number, unknown]> => {
        const answer = await call<{ user?: object }>(send, ada, "PUT", "/user", { user });
        return [answer.status, answer.body.user];
      };
      const image = "https://pictures.example/ada.png";
      const changed = { bio: "Counts.", image, email: ada.email, username: ada.username };
      expect(await update({ bio: "Counts.", image })).toEqual([
        200,
        expect.objectContaining(changed),
      ]);
      expect(await update({})).toEqual([200, expect.objectContaining(changed)]);
      const emptied = expect.objectContaining({ bio: null, image: null });
      expect(await update({ bio: "", image: null })).toEqual([200, emptied]);
      await update({ bio: "Counts.", image });
      expect(await update({ bio: "", image: "" })).toEqual([200, emptied]);
      expect((await update({ password: "eight-quick-herons" }))[0]).toBe(200);
      const logIn = async (secret: string): Promise<number> => {
        const user = { email: ada.email, password: secret };
        return (await call(send, anonymous, "POST", "/users/login", { user })).status;
      };
      expect([await logIn(password), await logIn("eight-quick-herons")]).toEqual([401, 200]);
    },
  },
  {
    title: "profiles are followed, idempotently, and unfollowed",
    async run(send) {
      const [ada, bo] = [await join(send, "ada"), await join(send, "bo")];
      const path = `/profiles/${bo.username}`;
      const ask = async (method: string, target: string, person = ada): Promise<unknown> => {
        const answer = await call<{ profile: ProfileAnswer }>(send, person, method, target);
        return [answer.status, answer.body.profile];
      };
      const profile = { username: bo.username, bio: null, image: null, following: false };
      expect(await ask("GET", path, anonymous)).toEqual([200, profile]);
      const followed = [200, { ...profile, following: true }];
      expect(await ask("POST", `${path}/follow`)).toEqual(followed);
      expect(await ask("POST", `${path}/follow`)).toEqual(followed);
      expect(await ask("GET", path)).toEqual(followed);
      expect(await ask("GET", path, bo)).toEqual([200, profile]);
      expect(await ask("DELETE", `${path}/follow`)).toEqual([200, profile]);
      expect(await ask("DELETE", `${path}/follow`)).toEqual([200, profile]);
    },
  },
  {
    title: "an article is published, read, updated and deleted by its author",
    async run(send) {
      const ada = await join(send, "ada");
      const title = `How to train ${ada.username}`;
      const tagList = ["training", "dragons", "training", " dragons "];
      const article = await publish(send, ada, { title, tagList });
      expect(article).toEqual({
        slug: `how-to-train-${ada.username}`,
        title,
        description: "Short",
        body: "Long",
        tagList: ["dragons", "training"],
        createdAt: expect.stringMatching(isoTime),
        updatedAt: article.createdAt,
        favorited: false,
        favoritesCount: 0,
        author: { username: ada.username, bio: null, image: null, following: false },
      });
      const path = `/articles/${article.slug}`;
      expect((await call(send, anonymous, "GET", path)).body).toEqual({ article });

      const change = async (target: string, fields: object): Promise<ArticleAnswer> => {
        const changes = { article: fields };
        const answer = await call<{ article: ArticleAnswer }>(send, ada, "PUT", target, changes);
        expect(answer.status).toBe(200);
        return answer.body.article;
      };
      const longer = await change(path, { title, body: "Longer" });
      expect(longer).toEqual({ ...article, body: "Longer", updatedAt: longer.updatedAt });
      const renamed = await change(path, { title: `Did you train ${ada.username}?` });
      expect([renamed.slug, renamed.body]).toEqual([`did-you-train-${ada.username}`, "Longer"]);
      expect((await call(send, anonymous, "GET", path)).status).toBe(404);

      const removed = await call(send, ada, "DELETE", `/articles/${renamed.slug}`);
      expect([removed.status, removed.body]).toEqual([204, undefined]);
      expect((await call(send, anonymous, "GET", `/articles/${renamed.slug}`)).status).toBe(404);
    },
  },
  {
    title: "lists are filtered and paginated, newest first, without bodies",
    async run(send) {
      const [ada, bo] = [await join(send, "ada"), await join(send, "bo")];
      const tag = `tag-${ada.username}`;
      const slugs: string[] = [];
      for (const tagList of [[tag], ["other"], [tag, "other"]]) {
        slugs.unshift((await publish(send, ada, { tagList })).slug);
      }
      await publish(send, bo, { tagList: ["other"] });
      const list = async (query: string, person = anonymous): Promise<unknown> => {
        const { body } = await call<ListAnswer>(send, person, "GET", `/articles?${query}`);
        return [body.articles.map(({ slug }) => slug), body.articlesCount];
      };
      const author = `author=${ada.username}`;
      expect(await list(author)).toEqual([slugs, 3]);
      expect(await list(`${author}&limit=1&offset=1`)).toEqual([[slugs[1]], 3]);
      expect(await list(`${author}&offset=1000000`)).toEqual([[], 3]);
      expect(await list(`tag=${tag}`)).toEqual([[slugs[0], slugs[2]], 2]);
      expect(await list(`tag=other&${author}`)).toEqual([[slugs[0], slugs[1]], 2]);
      await call(send, bo, "POST", `/articles/${slugs[1]}/favorite`);
      expect(await list(`favorited=${bo.username}&tag=other`)).toEqual([[slugs[1]], 1]);
      expect(await list("author=unknown-author")).toEqual([[], 0]);
      expect(await list("tag=%27%20OR%201%3D1--")).toEqual([[], 0]);

      const { body } = await call<ListAnswer>(send, bo, "GET", `/articles?${author}`);
      expect(body.articles.map(({ favorited }) => favorited)).toEqual([false, true, false]);
      for (const article of body.articles) expect(article).not.toHaveProperty("body");
      expect((await call<ListAnswer>(send, anonymous, "GET", "/articles")).body.articlesCount).toBe(
        (await call<ListAnswer>(send, anonymous, "GET", "/articles?limit=1")).body.articlesCount,
      );
    },
  },
  {
    title: "the feed has the articles of followed authors",
    async run(send) {
      const [ada, bo] = [await join(send, "ada"), await join(send, "bo")];
      const { slug } = await publish(send, bo);
      const feed = async (): Promise<ListAnswer> =>
        (await call<ListAnswer>(send, ada, "GET", "/articles/feed?limit=5")).body;
      expect(await feed()).toEqual({ articles: [], articlesCount: 0 });
      await call(send, ada, "POST", `/profiles/${bo.username}/follow`);
      const { articles, articlesCount } = await feed();
      expect([articles.map((article) => article.slug), articlesCount]).toEqual([[slug], 1]);
      expect(articles[0]?.author.following).toBe(true);
    },
  },
  {
    title: "favorites are counted once for each user",
    async run(send) {
      const [ada, bo] = [await join(send, "ada"), await join(send, "bo")];
      const { slug } = await publish(send, ada);
      const ask = async (method: string, person = bo): Promise<unknown> => {
        const path = `/articles/${slug}/favorite`;
        const { body } = await call<{ article: ArticleAnswer }>(send, person, method, path);
        return [body.article.favorited, body.article.favoritesCount];
      };
      expect(await ask("POST")).toEqual([true, 1]);
      expect(await ask("POST")).toEqual([true, 1]);
      expect(await ask("POST", ada)).toEqual([true, 2]);
      expect(await ask("DELETE")).toEqual([false, 1]);
      expect(await ask("DELETE")).toEqual([false, 1]);
    },
  },
  {
    title: "comments are written, read publicly, and deleted, also with their article",
    async run(send) {
      const [ada, bo] = [await join(send, "ada"), await join(send, "bo")];
      const path = `/articles/${(await publish(send, ada)).slug}`;
      const write = async (text: string): Promise<CommentAnswer> => {
        const { status, body } = await call<{ comment: CommentAnswer }>(
          send,
          bo,
          "POST",
          `${path}/comments`,
          { comment: { body: text } },
        );
        expect(status).toBe(200);
        return body.comment;
      };
      const [first, second] = [await write("First!"), await write("Thank you — ありがとう 🐉")];
      expect(first).toEqual({
        id: expect.any(Number),
        body: "First!",
        createdAt: expect.stringMatching(isoTime),
        updatedAt: first.createdAt,
        author: { username: bo.username, bio: null, image: null, following: false },
      });
      const list = async (): Promise<unknown> =>
        (await call(send, anonymous, "GET", `${path}/comments`)).body;
      expect(await list()).toEqual({ comments: [first, second] });
      expect((await call(send, bo, "DELETE", `${path}/comments/${first.id}`)).status).toBe(204);
      expect(await list()).toEqual({ comments: [second] });
      await call(send, bo, "POST", `${path}/favorite`);
      expect((await call(send, ada, "DELETE", path)).status).toBe(204);
      expect((await call(send, anonymous, "GET", `${path}/comments`)).status).toBe(404);
    },
  },
  {
    title: "tags are listed, most used first",
    async run(send) {
      const ada = await join(send, "ada");
      const [often, seldom] = [`often-${ada.username}`, `seldom-${ada.username}`];
      await publish(send, ada, { tagList: [seldom, often] });
      await publish(send, ada, { tagList: [often] });
      const { body } = await call<{ tags: string[] }>(send, anonymous, "GET", "/tags");
      expect(body.tags.filter((tag) => tag === often || tag === seldom)).toEqual([often, seldom]);
    },
  },
];
