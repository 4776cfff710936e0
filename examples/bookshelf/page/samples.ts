/** One request that shows what a route does. */
export interface Sample {
  readonly title: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  /** Options of curl: `-i` shows headers too, `-I` headers alone, `-L` follows a redirect. */
  readonly options?: readonly string[];
  /** Sent as JSON. */
  readonly body?: object;
  /** Sent as a form: each field as curl's `-F` and `--data-urlencode` take it. */
  readonly form?: { readonly kind: "multipart" | "urlencoded"; readonly fields: readonly string[] };
}

const shelved = { id: "9799410000045" };
const added = { id: "9799410009994" };
const member = "4e7f8288-fa18-486a-8be3-3ecfe3856d61";
const leaving = { id: "6200178e-6844-46c2-9345-a02c5da24c60" };
const overdueLoan = { id: "98fa51cf-47f0-4bfd-bdeb-f40ffe26a9b7" };

const lighthouse = {
  isbn: "979-9-4100-0999-4",
  title: "A Lighthouse Keeps Its Own Hours",
  authors: ["Halka Frostenby"],
  publishedOn: "2025-05-05",
  tags: ["sea", "night"],
  publisher: { name: "Salt & Sons", city: "Port Averil" },
};
const { isbn: _, ...lighthouseWithoutIsbn } = lighthouse;

/**
 * A request for every named route. Sent once each by a librarian, in the order of the routes, to a
 * library that has just been opened, all of them succeed.
 */
export const samples: ReadonlyMap<string, Sample> = new Map<string, Sample>([
  [
    "log-in",
    {
      title: "Log in; the other lines use the token of the answer",
      body: { email: "librarian@members.example", password: "open-sesame-for-development" },
    },
  ],
  [
    "members.join",
    {
      title: "Become a member",
      body: {
        name: "Linnet Garrow",
        email: "linnet@members.example",
        password: "seven-slow-herons",
        address: { street: "2 Quay Lane", city: "Port Averil" },
        phones: [{ kind: "mobile", number: "+00 000 0003" }],
      },
    },
  ],
  ["members.list", { title: "All members" }],
  ["members.show", { title: "One member", params: { id: member } }],
  ["members.loans", { title: "What a member has at home", params: { id: member } }],
  [
    "members.notices",
    { title: "What a member was sent", params: { id: "5ebaa98e-f510-4a62-ad07-378c3b33c337" } },
  ],
  [
    "members.leave",
    { title: "Remove a member who has no book to return", options: ["-i"], params: leaving },
  ],
  [
    "books.list",
    {
      title: "Find books, page by page",
      query: { tag: "sea", available: true, perPage: 2 },
    },
  ],
  ["books.create", { title: "Add a book", body: lighthouse }],
  ["books.export", { title: "All books as CSV, streamed" }],
  ["books.show", { title: "One book", params: shelved }],
  [
    "books.replace",
    {
      title: "Correct what is known about a book",
      params: added,
      body: { ...lighthouseWithoutIsbn, pages: 184 },
    },
  ],
  ["books.remove", { title: "Remove a book", options: ["-i"], params: added }],
  [
    "books.cover.upload",
    {
      title: "Give a book a cover: PNG, JPEG or WebP, up to 512 KiB",
      params: shelved,
      form: { kind: "multipart", fields: ["cover=@cover.png"] },
    },
  ],
  ["books.cover.show", { title: "The cover of a book", options: ["-I"], params: shelved }],
  ["books.loans.list", { title: "Who had a book", params: { id: "9799410000090" } }],
  [
    "books.loans.lend",
    { title: "Lend a book", params: shelved, body: { memberId: member, days: 14 } },
  ],
  ["loans.list", { title: "Books that should be back", query: { state: "overdue" } }],
  ["loans.show", { title: "One loan", params: overdueLoan }],
  ["loans.return", { title: "Take a book back", params: overdueLoan, body: { condition: "worn" } }],
  ["notices.send", { title: "Send the notices that are due, by the queue" }],
  ["home", { title: "This page" }],
  ["stylesheet", { title: "How this page looks" }],
  [
    "theme",
    {
      title: "Choose how it looks; a cookie remembers it",
      options: ["-i"],
      form: { kind: "urlencoded", fields: ["theme=dark"] },
    },
  ],
  [
    "short-link",
    {
      title: "The short link of a book, hyphens or not",
      options: ["-L"],
      params: { isbn: "979-9-4100-0001-4" },
    },
  ],
]);
