import { Application, type ApplicationOptions } from "espalier";
import { CacheMiddleware } from "./middleware/cache.ts";
import { consumes } from "./middleware/consumes.ts";
import { openStorage } from "./middleware/open-storage.ts";
import { readOnly } from "./middleware/read-only.ts";
import { Books } from "./repositories/books.ts";
import { Covers } from "./repositories/covers.ts";
import { Loans } from "./repositories/loans.ts";
import { Members } from "./repositories/members.ts";
import { registerRoutes } from "./routes.ts";
import { type Calendar, systemCalendar } from "./services/calendar.ts";
import { Catalogue } from "./services/catalogue.ts";
import { Lending } from "./services/lending.ts";
import type { KvNamespace } from "./storage/kv-namespace.ts";
import { Storage } from "./storage/storage.ts";

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
      catalogue: Catalogue;
      lending: Lending;
    };
  }
}

/** The library as an application. `worker.ts` and `server.ts` say where it runs. */
export function createBookshelf(options: ApplicationOptions = {}): Application {
  const app = new Application(options);

  app.singleton("storage", () => new Storage());
  app.instance("calendar", systemCalendar);
  // Made for each request, so that each uses the storage which that request found connected.
  app.scoped("books", ({ resolve }) => new Books(resolve("storage").documents));
  app.scoped("loans", ({ resolve }) => new Loans(resolve("storage").documents));
  app.scoped("members", ({ resolve }) => new Members(resolve("storage").documents));
  app.scoped("covers", ({ resolve }) => new Covers(resolve("storage").files));
  app.scoped("catalogue", ({ resolve }) => new Catalogue(resolve("books"), resolve("loans")));
  app.scoped(
    "lending",
    ({ resolve }) =>
      new Lending(resolve("books"), resolve("members"), resolve("loans"), resolve("calendar")),
  );

  app.use(openStorage);
  app.middleware("cache", new CacheMiddleware());
  app.middleware("consumes", consumes);
  app.middleware("read-only", readOnly);

  registerRoutes(app.getRouter());
  return app;
}
