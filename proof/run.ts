// Runs a proof by name: npm run proof -- hostile --quick
import { runByName } from "../scripts/runner/run-by-name.ts";
import { proofs, tools } from "./proofs.ts";

await runByName(
  {
    script: "proof",
    noun: "proof",
    entries: proofs,
    tools,
    page: "proof/README.md",
    resultFolder: "proof/results",
  },
  process.argv.slice(2),
);
