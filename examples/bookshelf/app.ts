import { Application, type ApplicationOptions, type Auth, SecureHeadersMiddleware } from "espalier";
import { AccessProvider, type AccountsConfig, type LibraryUser } from "./access.ts";
import { registerJobs } from "./jobs.ts";
import { limitRequests } from "./limits.ts";
import { CacheMiddleware } from "./middleware/cache.ts";
import { consumes } from "./middleware/consumes.ts";
import { readOnly } from "./middleware/read-only.ts";
import { SeedLibraryMiddleware } from "./middleware/seed-library.ts";
import { Accounts } from "./repositories/accounts.ts";
import { type Book, Books } from "./repositories/books.ts";
import { Covers } from "./repositories/covers.ts";
import { type Loan, Loans } from "./repositories/loans.ts";
import { Members } from "./repositories/members.ts";
import { Notices } from "./repositories/notices.ts";
import { registerRoutes } from "./routes.ts";
import { type Calendar, systemCalendar } from "./services/calendar.ts";
import { Catalogue } from "./services/catalogue.ts";
import { Lending, type LendingConfig } from "./services/lending.ts";
import { Membership } from "./services/membership.ts";
import { Notifier } from "./services/notifier.ts";
import type { KvNamespace } from "./storage/kv-namespace.ts";
import { kvStorage, memoryStorage, type Storage } from "./storage/storage.ts";
import { subscribe } from "./subscribers.ts";

declare module "espalier" {
  interface Register {
    env: {
      readonly KV?: KvNamespace;
      readonly READ_ONLY?: string;
      readonly RATE_LIMITS?: string;
    };
    user: LibraryUser;
    services: {
      auth: Auth;
      memory: Storage;
      storage: Storage;
      calendar: Calendar;
      books: Books;
      covers: Covers;
      loans: Loans;
      members: Members;
      accounts: Accounts;
      notices: Notices;
      catalogue: Catalogue;
      lending: Lending;
      membership: Membership;
      notifier: Notifier;
    };
    config: { lending: LendingConfig; accounts: AccountsConfig };
    events: {
      "book.added": Book;
      "book.replaced": Book;
      "book.removed": Book;
      "loan.opened": Loan;
      "loan.closed": Loan;
    };
    jobs: { "notice.send": { readonly loanId: string } };
  }
}

/** Creates the application, which `worker.ts` and `server.ts` run. */
export function createBookshelf(options: ApplicationOptions = {}): Application {
  const app = new Application({
    // Any origin may read public data: the API uses bearer tokens, which browsers never attach by themselves.
    cors: { exposedHeaders: ["link", "x-total-count"] },
    ...options,
  });

  app.configure("lending", {
    schema: {
      days: { type: "integer", min: 1, max: 60 },
      booksPerMember: { type: "integer", min: 1 },
    },
    // Overridden by the variables LENDING_DAYS and LENDING_BOOKS_PER_MEMBER.
    defaults: { days: 21, booksPerMember: 3 },
  });
  registerServices(app);
  app.registerProvider(AccessProvider);
  subscribe(app);
  registerJobs(app);

  app.useRequestObservability();
  app.use(new SecureHeadersMiddleware());
  limitRequests(app);
  app.use(new SeedLibraryMiddleware());
  app.middleware("cache", new CacheMiddleware());
  app.middleware("consumes", consumes);
  app.middleware("read-only", readOnly);

  registerRoutes(app.getRouter());
  describe(app);
  return app;
}

function registerServices(app: Application): void {
  app.instance("calendar", systemCalendar);
  app.singleton("memory", memoryStorage);
  // Scoped, because on Workers the KV namespace arrives with each request or job.
  app.scoped("storage", ({ resolve }) => {
    const { KV } = resolve("env");
    return KV === undefined ? resolve("memory") : kvStorage(KV);
  });
  app.scoped("books", ({ resolve }) => new Books(resolve("storage").documents));
  app.scoped("loans", ({ resolve }) => new Loans(resolve("storage").documents));
  app.scoped("members", ({ resolve }) => new Members(resolve("storage").documents));
  app.scoped("accounts", ({ resolve }) => new Accounts(resolve("storage").documents));
  app.scoped("notices", ({ resolve }) => new Notices(resolve("storage").documents));
  app.scoped("covers", ({ resolve }) => new Covers(resolve("storage").files));
  app.scoped(
    "catalogue",
    ({ resolve }) => new Catalogue(resolve("books"), resolve("loans"), app.cache),
  );
  app.scoped(
    "lending",
    ({ resolve }) =>
      new Lending({
        books: resolve("books"),
        members: resolve("members"),
        loans: resolve("loans"),
        calendar: resolve("calendar"),
        config: app.getConfig("lending"),
      }),
  );
  app.scoped(
    "membership",
    ({ resolve }) =>
      new Membership({
        members: resolve("members"),
        accounts: resolve("accounts"),
        calendar: resolve("calendar"),
        auth: resolve("auth"),
      }),
  );
  app.scoped(
    "notifier",
    ({ resolve }) =>
      new Notifier({
        books: resolve("books"),
        members: resolve("members"),
        loans: resolve("loans"),
        notices: resolve("notices"),
        lending: resolve("lending"),
        calendar: resolve("calendar"),
      }),
  );
}

/** Registers the health check and the documentation of the API. */
function describe(app: Application): void {
  app.addHealthCheck("storage", async () => {
    const { KV } = app.env;
    const storage = KV === undefined ? app.resolve("memory") : kvStorage(KV);
    await storage.documents.get("opened");
    return { status: "pass", keptIn: storage.name };
  });
  app.enableHealthEndpoints();
  app.exposeOpenApi("/openapi.json", {
    info: {
      title: "Bookshelf",
      version: "1.0.0",
      description: "A small library.",
      contact: { name: "Bookshelf", url: "https://bookshelf.example" },
      license: { name: "MIT", identifier: "MIT" },
    },
    tags: [
      { name: "members", description: "Members of the library, and their sign-in." },
      { name: "books", description: "The catalogue, with covers." },
      { name: "books.loans", description: "Loans of one book." },
      { name: "loans", description: "Books that are lent, and notices about them." },
      { name: "pages", description: "The website." },
    ],
    exact: true,
    ui: "/docs",
  });
}
