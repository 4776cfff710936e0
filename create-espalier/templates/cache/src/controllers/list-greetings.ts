import { Controller } from "espalier";
import { greet, type Language, languages } from "../greetings.ts";

const lifetimeMs = 60_000;

export class ListGreetings extends Controller.for({
  responses: {
    200: {
      data: [
        {
          language: { enum: languages, required: true },
          greeting: { type: "string", required: true },
        },
      ],
    },
  },
}) {
  async handle() {
    const greetings = await this.app.cacheRemember("greetings", collectGreetings, lifetimeMs);
    return this.success(greetings);
  }
}

/** Compute what is worth caching here, such as a query or a request to another API. */
async function collectGreetings(): Promise<{ language: Language; greeting: string }[]> {
  return languages.map((language) => ({ language, greeting: greet("world", language) }));
}
