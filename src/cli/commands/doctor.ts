import { existsSync } from "node:fs";
import { join } from "node:path";
import { type CommandDef, defineCommand } from "citty";
import colors from "picocolors";
import { CommandError } from "../command-error.ts";
import { checkCrons } from "../doctor/check-crons.ts";
import { checkEnv } from "../doctor/check-env.ts";
import { checkKv } from "../doctor/check-kv.ts";
import { checkFile, checkHandlers } from "../doctor/check-main.ts";
import { checkObjects } from "../doctor/check-objects.ts";
import { checkQueue } from "../doctor/check-queue.ts";
import { checkRateLimits } from "../doctor/check-rate-limits.ts";
import { readDeclaredEnv } from "../doctor/declared-env.ts";
import { type Finding, linesToAdd, warning } from "../doctor/doctor-context.ts";
import { bootProblem, loadApplication, release } from "../loading/load-application.ts";
import { print } from "../output.ts";
import { readWranglerConfig, type WranglerConfig } from "../wrangler/read-config.ts";

const args = {
  config: {
    type: "string",
    valueHint: "file",
    description:
      "Wrangler's configuration file (default: wrangler.json, wrangler.jsonc or wrangler.toml).",
  },
  env: { type: "string", valueHint: "name", description: "Environment of the configuration." },
} as const;

/** `espalier doctor`: compares wrangler's configuration with the bindings the application uses. */
export const doctorCommand: CommandDef<typeof args> = defineCommand({
  meta: {
    name: "doctor",
    description: "Compares the bindings in wrangler.toml with what the application uses.",
  },
  args,
  async run({ args: { config: file, env } }): Promise<number> {
    const folder = process.cwd();
    const config = readWranglerConfig(folder, file, env);
    if (config === undefined) {
      throw new CommandError(
        `No wrangler.toml, wrangler.jsonc or wrangler.json found in ${folder}. ` +
          "The doctor checks Workers only.",
      );
    }
    const findings = [...checkFile(config)];
    if (config.main !== undefined && existsSync(join(config.folder, config.main))) {
      findings.push(...(await examine(config, config.main)));
    }
    await print(report(findings, config));
    return findings.some(({ level }) => level === "error") ? 1 : 0;
  },
});

async function examine(config: WranglerConfig, main: string): Promise<readonly Finding[]> {
  const { application, exports } = await loadApplication(config.folder, main, config);
  const problem = await bootProblem(application);
  const patient = { config, inspection: application.inspect(), exports };
  const findings = [
    ...checkHandlers(patient),
    ...checkKv(patient),
    ...checkQueue(patient),
    ...checkRateLimits(patient),
    ...checkObjects(patient),
    ...checkCrons(patient),
    ...checkEnv(patient, await readDeclaredEnv(config.folder)),
  ];
  if (problem !== undefined) {
    findings.push(
      warning(`The application fails at boot with the environment variables set here. ${problem}`),
    );
  }
  await release(application);
  return findings;
}

const marks = {
  error: colors.red("✗"),
  warning: colors.yellow("!"),
  good: colors.green("✓"),
} as const;

function report(findings: readonly Finding[], { file, format }: WranglerConfig): string {
  const lines = findings.map(({ level, message, add }) => {
    const indented = message.replaceAll("\n", "\n  ");
    if (add === undefined) return `${marks[level]} ${indented}`;
    const toAdd = linesToAdd(add, format).replaceAll(/^(?=.)/gm, "      ");
    return `${marks[level]} ${indented}\n  In ${file}:\n${toAdd}`;
  });
  const count = (level: Finding["level"]): number =>
    findings.filter((finding) => finding.level === level).length;
  const [errors, warnings] = [count("error"), count("warning")];
  const summary =
    errors + warnings === 0
      ? colors.green("No problems found.")
      : `${plural(errors, "error")}, ${plural(warnings, "warning")}.`;
  return `${lines.join("\n")}\n\n${summary}`;
}

const plural = (count: number, word: string): string => `${count} ${word}${count === 1 ? "" : "s"}`;
