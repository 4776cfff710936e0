import type { Application } from "espalier";
import { catalogueKey } from "./services/catalogue.ts";

/** Registers event listeners. */
export function subscribe(app: Application): void {
  // Loans and changed books must be visible in the catalogue immediately.
  for (const name of ["book.*", "loan.*"] as const) {
    app.on(name, () => app.cacheDelete(catalogueKey));
  }
}
