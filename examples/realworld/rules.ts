import type { RuleMap } from "espalier";

/** A string with at least one visible character: a blank title or name is rejected. */
const words = { type: "string", pattern: /\S/ } as const;

const email = { type: "email", max: 254 } as const;
/** Names appear in URLs: no leading, trailing or consecutive spaces. */
const username = { type: "string", pattern: /^\S+(?: \S+)*$/, max: 60 } as const;
/** Without NUL, which no password hash accepts. */
const password = { type: "string", min: 8, max: 200, pattern: /^[^\0]*$/ } as const;

const required = { required: true } as const;

export const registrationRules = {
  user: {
    type: "object",
    required: true,
    schema: {
      email: { ...email, ...required },
      username: { ...username, ...required },
      password: { ...password, ...required },
    },
  },
} as const satisfies RuleMap;

/** No password policy at login: a wrong guess must not reveal more than that it is wrong. */
export const logInRules = {
  user: {
    type: "object",
    required: true,
    schema: {
      email: { type: "string", required: true, max: 254 },
      password: { type: "string", required: true, max: 1024 },
    },
  },
} as const satisfies RuleMap;

export const accountRules = {
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
} as const satisfies RuleMap;

const title = { ...words, max: 200 } as const;
const description = { ...words, max: 500 } as const;
const body = { ...words, max: 100_000 } as const;

export const newArticleRules = {
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
} as const satisfies RuleMap;

export const articleChangeRules = {
  article: { type: "object", required: true, schema: { title, description, body } },
} as const satisfies RuleMap;

export const commentRules = {
  comment: {
    type: "object",
    required: true,
    schema: { body: { ...words, required: true, max: 10_000 } },
  },
} as const satisfies RuleMap;

export const pageRules = {
  limit: { type: "integer", min: 1, max: 100, default: 20 },
  offset: { type: "integer", min: 0, max: 1_000_000, default: 0 },
} as const satisfies RuleMap;

export const articleListRules = {
  tag: { type: "string", max: 50 },
  author: { type: "string", max: 60 },
  favorited: { type: "string", max: 60 },
  ...pageRules,
} as const satisfies RuleMap;

export const bySlug = { slug: { type: "string", required: true } } as const satisfies RuleMap;

export const byUsername = {
  username: { type: "string", required: true },
} as const satisfies RuleMap;

export const byComment = {
  ...bySlug,
  id: { type: "integer", required: true },
} as const satisfies RuleMap;
