#!/usr/bin/env node
import { readFileSync } from "node:fs";
import { stripVTControlCharacters } from "node:util";
import { renderUsage } from "citty";
import colors from "picocolors";
import { asksFor, describeCommand, readArguments } from "./arguments.ts";
import { createProject } from "./create-project.ts";
import { Cancelled } from "./questions.ts";
import { UsageError } from "./usage-error.ts";

const rawArguments = process.argv.slice(2);
const { version } = JSON.parse(
  readFileSync(new URL("../package.json", import.meta.url), "utf8"),
) as { version: string };

try {
  if (asksFor("version", rawArguments)) console.log(version);
  else if (asksFor("help", rawArguments)) {
    const usage = await renderUsage(describeCommand(version));
    console.log(process.stdout.isTTY ? usage : stripVTControlCharacters(usage));
  } else {
    process.exitCode = await createProject(readArguments(rawArguments), {
      version,
      terminal: process.stdin.isTTY && process.stdout.isTTY ? {} : undefined,
      userAgent: process.env["npm_config_user_agent"],
      print: (line) => console.log(line),
    });
  }
} catch (error) {
  // Prints only the message of a usage error; other errors propagate with their stack.
  if (error instanceof UsageError) {
    console.error(`${colors.red("✗")} ${error.message}\n  All options: create-espalier --help`);
  } else if (error instanceof Cancelled) console.error(error.message);
  else console.error(error);
  process.exitCode = 1;
}
