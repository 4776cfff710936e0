/** A sample request for a route. */
export interface Sample {
  readonly title: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  /** Options of curl: `-i` shows headers too, `-I` headers alone, `-L` follows a redirect. */
  readonly options?: readonly string[];
  /** Sent as JSON. */
  readonly body?: object;
  /** Sent as a form: each field in the syntax of curl's `-F` and `--data-urlencode`. */
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
 * A request for every named route. All succeed when a librarian sends them once each, in the order
 * of the routes, to a newly seeded library.
 */
export const samples: ReadonlyMap<string, Sample> = new Map<string, Sample>([
  [
    "log-in",
    {
      title: "Log in; the other commands use the token of the response",
      body: { email: "librarian@members.example", password: "open-sesame-for-development" },
    },
  ],
  [
    "members.join",
    {
      title: "Register a member",
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
  ["members.loans", { title: "List a member's current loans", params: { id: member } }],
  [
    "members.notices",
    {
      title: "List the notices sent to a member",
      params: { id: "5ebaa98e-f510-4a62-ad07-378c3b33c337" },
    },
  ],
  [
    "members.leave",
    { title: "Delete a member without open loans", options: ["-i"], params: leaving },
  ],
  [
    "books.list",
    {
      title: "Search books, with pagination",
      query: { tag: "sea", available: true, perPage: 2 },
    },
  ],
  ["books.create", { title: "Add a book", body: lighthouse }],
  ["books.export", { title: "Export all books as CSV, streamed" }],
  ["books.show", { title: "One book", params: shelved }],
  [
    "books.replace",
    {
      title: "Update a book",
      params: added,
      body: { ...lighthouseWithoutIsbn, pages: 184 },
    },
  ],
  ["books.remove", { title: "Delete a book", options: ["-i"], params: added }],
  [
    "books.cover.upload",
    {
      title: "Upload a cover: PNG, JPEG or WebP, up to 512 KiB",
      params: shelved,
      form: { kind: "multipart", fields: ["cover=@cover.png"] },
    },
  ],
  ["books.cover.show", { title: "Get the cover of a book", options: ["-I"], params: shelved }],
  ["books.loans.list", { title: "List the loans of a book", params: { id: "9799410000090" } }],
  [
    "books.loans.lend",
    { title: "Lend a book", params: shelved, body: { memberId: member, days: 14 } },
  ],
  ["loans.list", { title: "List overdue loans", query: { state: "overdue" } }],
  ["loans.show", { title: "One loan", params: overdueLoan }],
  ["loans.return", { title: "Return a book", params: overdueLoan, body: { condition: "worn" } }],
  ["notices.send", { title: "Enqueue the notices that are due" }],
  ["home", { title: "This page" }],
  ["stylesheet", { title: "Stylesheet of this page" }],
  [
    "theme",
    {
      title: "Choose a theme, stored in a cookie",
      options: ["-i"],
      form: { kind: "urlencoded", fields: ["theme=dark"] },
    },
  ],
  [
    "short-link",
    {
      title: "Short link of a book, with or without hyphens",
      options: ["-L"],
      params: { isbn: "979-9-4100-0001-4" },
    },
  ],
]);
