import type { Application } from "espalier";
import { catalogueKey } from "./services/catalogue.ts";

/** What happens because something else has happened. */
export function subscribe(app: Application): void {
  // Every loan and every change of a book is to be seen in the catalogue at once.
  for (const name of ["book.*", "loan.*"]) app.on(name, () => app.cacheDelete(catalogueKey));
}
