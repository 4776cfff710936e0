import { Application, Controller, json } from "espalier";

class CountWords extends Controller.for({ body: { text: { type: "string", required: true } } }) {
  handle() {
    const words = this.body.text.match(/\p{L}+/gu) ?? [];
    return this.json({ words: words.length });
  }
}

/** The application that the other files of this folder mount. All its routes are under `/api`. */
export const app: Application = new Application();

// Overridden by the variable GREETING_WORD, where the platform has environment variables.
app.configure("greeting", { word: { type: "string" } }, { defaults: { word: "Hello" } });

app.getRouter().group("/api", (api) => {
  api.get("/hello/:name", (ctx) => {
    const { word } = ctx.app.getConfig<{ readonly word: string }>("greeting");
    return json({ greeting: `${word}, ${ctx.params.name}!` });
  });
  api.post("/words", CountWords);
  api.get("/visitor", (ctx) => json({ address: ctx.ip ?? null }));
});
