// Writes the tables of `docs/scale.md` from the committed results in `results`. `--check` only reports
// whether the page is up to date. `benchmarks/write-tables.ts` does this as well.
import { readFileSync, writeFileSync } from "node:fs";
import { tables } from "./tables.ts";

const page = new URL("../../docs/scale.md", import.meta.url);
const text = readFileSync(page, "utf8");
const written = text.replace(
  /(<!-- table: ([\w-]+) -->\n)[\s\S]*?(<!-- end -->)/g,
  (_, start: string, name: string, end: string) => {
    const write = tables[name];
    if (write === undefined) throw new Error(`Unknown table "${name}".`);
    return `${start}\n${write()}\n\n${end}`;
  },
);
if (!process.argv.includes("--check")) writeFileSync(page, written);
else if (written !== text) {
  console.error("docs/scale.md differs from the results: npm run bench -- tables");
  process.exitCode = 1;
}
