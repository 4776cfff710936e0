import { Controller } from "espalier";
import { greet, languages } from "../greetings.ts";

/** The rules are checked before `handle` runs, and type `this.params` and `this.query`. */
export class ShowGreeting extends Controller.for({
  params: { name: { type: "string", required: true, max: 50 } },
  query: { language: { enum: languages, default: "en" } },
}) {
  handle(): Response {
    return this.success({ greeting: greet(this.params.name, this.query.language) });
  }
}
