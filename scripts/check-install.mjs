// Runs before `npm start` and `npm test`, which would otherwise fail with the error of a tool.
import { existsSync } from "node:fs";

const [major] = process.versions.node.split(".");
if (Number(major) < 20) {
  console.error(`Espalier requires Node 20 or later, got ${process.versions.node}.`);
  process.exit(1);
}
if (!existsSync(new URL("../node_modules/rollup/package.json", import.meta.url))) {
  console.error("The dependencies are not installed. Run: npm ci");
  process.exit(1);
}
