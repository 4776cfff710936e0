import { rules } from "espalier";
import { hasValidCheckDigit } from "./isbn.ts";

const day = /^\d{4}-\d{2}-\d{2}$/;
const tag = { type: "string", pattern: /^[a-z][a-z-]{0,29}$/ } as const;
/** A string with at least one visible character: a blank title or name is rejected. */
const words = { type: "string", pattern: /\S/ } as const;

/** Fields of a book that can be updated: all but the ISBN. */
export const bookChangeRules = rules({
  title: { ...words, required: true, max: 200 },
  authors: { type: "array", required: true, min: 1, max: 10, items: { ...words, max: 100 } },
  publishedOn: {
    type: "date",
    required: true,
    pattern: day,
    message: "publishedOn must be a date such as 2024-02-29",
  },
  pages: { type: "integer", min: 1, max: 20_000 },
  tags: { type: "array", max: 10, items: tag, default: [] },
  publisher: {
    type: "object",
    schema: { name: { ...words, required: true, max: 100 }, city: { ...words, max: 100 } },
  },
});

export const bookRules = rules({
  /** Hyphens are allowed anywhere; the check digit must be correct. */
  isbn: {
    type: "string",
    required: true,
    pattern: /^97[89](?:-?\d){10}$/,
    custom: (isbn: string) => hasValidCheckDigit(isbn) || "isbn has a wrong check digit",
  },
  ...bookChangeRules,
});

export const bookListRules = rules({
  search: { ...words, max: 100 },
  tag,
  available: { type: "boolean" },
  sort: { enum: ["title", "oldest", "newest"], default: "title" },
  page: { type: "integer", min: 1, max: 10_000, default: 1 },
  perPage: { type: "integer", min: 1, max: 100, default: 10 },
});

export const loanRules = rules({
  /** Default: the current user. */
  memberId: { type: "uuid" },
  days: { type: "integer", min: 1, max: 60 },
});

const email = { type: "email", required: true, max: 254 } as const;
const password = {
  type: "string",
  required: true,
  max: 200,
  custom: (text: string) => !text.includes("\0") || "password must not contain a NUL character",
} as const;

export const logInRules = rules({ email, password });

/** A dotted name is equivalent to a nested `schema`; `*` stands for each element of `phones`. */
export const memberRules = rules({
  name: { ...words, required: true, max: 100 },
  email,
  password: { ...password, min: 12 },
  address: {
    type: "object",
    schema: {
      street: { ...words, required: true, max: 100 },
      city: { ...words, required: true, max: 100 },
      postcode: { type: "string", max: 12 },
    },
  },
  phones: { type: "array", max: 5, default: [] },
  "phones.*.kind": { enum: ["home", "mobile", "work"], required: true },
  "phones.*.number": { type: "string", required: true, pattern: /^\+?[\d ]{3,30}$/ },
});

/** Path parameter of the routes below `/members/:id` and `/loans/:id`. */
export const byUuid = rules({ id: { type: "uuid", required: true } });

/** Path parameter of the routes below `/books/:id`; the route's pattern restricts its format. */
export const byIsbn = rules({ id: { type: "string", required: true } });
