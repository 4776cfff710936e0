// Prints the total of the TypeScript tests and cargo's tests as one line.
import { readFileSync } from "node:fs";

const output = readFileSync(process.argv[2], "utf8");
let passed = 0;
let failed = 0;
for (const [, ok, bad] of output.matchAll(/^(\d+) passed, (\d+) failed/gm)) {
  passed += Number(ok);
  failed += Number(bad);
}
for (const [, ok, bad] of output.matchAll(/^test result: \w+\. (\d+) passed; (\d+) failed/gm)) {
  passed += Number(ok);
  failed += Number(bad);
}
console.log(`${passed} passed, ${failed} failed`);
