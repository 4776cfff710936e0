import { Controller } from "espalier";
import { greet, languages } from "../greetings.ts";

/**
 * The rules are validated before `handle` runs, and infer the types of `this.params` and `this.query`. The
 * compiler checks what `this.success` sends against `responses`.
 */
export class ShowGreeting extends Controller.for({
  params: { name: { type: "string", required: true, max: 50 } },
  query: { language: { enum: languages, default: "en" } },
  responses: { 200: { data: { greeting: { type: "string", required: true } } } },
}) {
  handle() {
    return this.success({ greeting: greet(this.params.name, this.query.language) });
  }
}
