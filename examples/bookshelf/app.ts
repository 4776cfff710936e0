import { Application, type ApplicationOptions } from "espalier";
import { registerJobs } from "./jobs.ts";
import { CacheMiddleware } from "./middleware/cache.ts";
import { consumes } from "./middleware/consumes.ts";
import { readOnly } from "./middleware/read-only.ts";
import { type Book, Books } from "./repositories/books.ts";
import { Covers } from "./repositories/covers.ts";
import { type Loan, Loans } from "./repositories/loans.ts";
import { Members } from "./repositories/members.ts";
import { Notices } from "./repositories/notices.ts";
import { registerRoutes } from "./routes.ts";
import { type Calendar, systemCalendar } from "./services/calendar.ts";
import { Catalogue } from "./services/catalogue.ts";
import { Lending, type LendingConfig } from "./services/lending.ts";
import { Notifier } from "./services/notifier.ts";
import type { KvNamespace } from "./storage/kv-namespace.ts";
import { openStorage } from "./storage/open-storage.ts";
import { Storage } from "./storage/storage.ts";
import { subscribe } from "./subscribers.ts";

declare module "espalier" {
  interface Register {
    env: { readonly KV?: KvNamespace; readonly READ_ONLY?: string };
    services: {
      storage: Storage;
      calendar: Calendar;
      books: Books;
      covers: Covers;
      loans: Loans;
      members: Members;
      notices: Notices;
      catalogue: Catalogue;
      lending: Lending;
      notifier: Notifier;
    };
    config: { lending: LendingConfig };
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

/** The library as an application. `worker.ts` and `server.ts` say where it runs. */
export function createBookshelf(options: ApplicationOptions = {}): Application {
  const app = new Application(options);

  app.configure("lending", {
    schema: {
      days: { type: "integer", min: 1, max: 60 },
      booksPerMember: { type: "integer", min: 1 },
    },
    // The variables LENDING_DAYS and LENDING_BOOKS_PER_MEMBER say otherwise.
    defaults: { days: 21, booksPerMember: 3 },
  });
  registerServices(app);
  subscribe(app);
  registerJobs(app);

  app.use(async (ctx, next) => {
    await openStorage(ctx);
    return next();
  });
  app.middleware("cache", new CacheMiddleware());
  app.middleware("consumes", consumes);
  app.middleware("read-only", readOnly);

  registerRoutes(app.getRouter());
  return app;
}

function registerServices(app: Application): void {
  app.singleton("storage", () => new Storage());
  app.instance("calendar", systemCalendar);
  // Made for each request and job, so that each uses the storage which it found connected.
  app.scoped("books", ({ resolve }) => new Books(resolve("storage").documents));
  app.scoped("loans", ({ resolve }) => new Loans(resolve("storage").documents));
  app.scoped("members", ({ resolve }) => new Members(resolve("storage").documents));
  app.scoped("notices", ({ resolve }) => new Notices(resolve("storage").documents));
  app.scoped("covers", ({ resolve }) => new Covers(resolve("storage").files));
  app.scoped(
    "catalogue",
    ({ resolve }) => new Catalogue(resolve("books"), resolve("loans"), app.cache),
  );
  app.scoped("lending", ({ resolve }) => {
    const [books, members, loans] = [resolve("books"), resolve("members"), resolve("loans")];
    return new Lending(books, members, loans, resolve("calendar"), app.getConfig("lending"));
  });
  app.scoped("notifier", ({ resolve }) => {
    const [books, members, loans] = [resolve("books"), resolve("members"), resolve("loans")];
    const records = { books, members, loans, notices: resolve("notices") };
    return new Notifier(records, resolve("lending"), resolve("calendar"));
  });
}
