import { rules } from "espalier";

/** A string with at least one visible character: a blank title or name is rejected. */
const words = { type: "string", pattern: /\S/ } as const;

const email = { type: "email", max: 254 } as const;
/** Names appear in URLs: no leading, trailing or consecutive spaces. */
const username = { type: "string", pattern: /^\S+(?: \S+)*$/, max: 60 } as const;
/** Without NUL, which no password hash accepts. */
const password = { type: "string", min: 8, max: 200, pattern: /^[^\0]*$/ } as const;

const required = { required: true } as const;

export const registrationRules = rules({
  user: {
    type: "object",
    required: true,
    schema: {
      email: { ...email, ...required },
      username: { ...username, ...required },
      password: { ...password, ...required },
    },
  },
});

/** No password policy at login: a wrong guess must not reveal more than that it is wrong. */
export const logInRules = rules({
  user: {
    type: "object",
    required: true,
    schema: {
      email: { type: "string", required: true, max: 254 },
      password: { type: "string", required: true, max: 1024 },
    },
  },
});

export const accountRules = rules({
  user: {
    type: "object",
    required: true,
    schema: {
      email,
      username,
      password,
      bio: { type: "string", nullable: true, max: 2000 },
      image: { type: "url", nullable: true, allowEmpty: true, max: 2000 },
    },
  },
});

const title = { ...words, max: 200 } as const;
const description = { ...words, max: 500 } as const;
const body = { ...words, max: 100_000 } as const;

export const newArticleRules = rules({
  article: {
    type: "object",
    required: true,
    schema: {
      title: { ...title, ...required },
      description: { ...description, ...required },
      body: { ...body, ...required },
      tagList: { type: "array", max: 20, items: { ...words, max: 50 }, default: [] },
    },
  },
});

export const articleChangeRules = rules({
  article: { type: "object", required: true, schema: { title, description, body } },
});

export const commentRules = rules({
  comment: {
    type: "object",
    required: true,
    schema: { body: { ...words, required: true, max: 10_000 } },
  },
});

export const pageRules = rules({
  limit: { type: "integer", min: 1, max: 100, default: 20 },
  offset: { type: "integer", min: 0, max: 1_000_000, default: 0 },
});

export const articleListRules = rules({
  tag: { type: "string", max: 50 },
  author: { type: "string", max: 60 },
  favorited: { type: "string", max: 60 },
  ...pageRules,
});

export const bySlug = rules({ slug: { type: "string", required: true } });

export const byUsername = rules({
  username: { type: "string", required: true },
});

export const byComment = rules({
  ...bySlug,
  id: { type: "integer", required: true },
});
