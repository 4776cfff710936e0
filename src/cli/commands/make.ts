import { type ArgsDef, type CommandDef, defineCommand } from "citty";
import colors from "picocolors";
import { controller } from "../make/make-controller.ts";
import { job } from "../make/make-job.ts";
import { middleware } from "../make/make-middleware.ts";
import { plugin } from "../make/make-plugin.ts";
import { policy } from "../make/make-policy.ts";
import { provider } from "../make/make-provider.ts";
import type { PartKind } from "../make/part.ts";
import { parsePartName } from "../make/part-name.ts";
import { readProject } from "../make/project.ts";
import { writeFiles } from "../make/write-files.ts";
import { print } from "../output.ts";

const kinds: Readonly<Record<string, PartKind>> = {
  controller,
  middleware,
  provider,
  plugin,
  job,
  policy,
};

const args = {
  name: {
    type: "positional",
    required: true,
    description: "Name in any case, optionally with folders: admin/list-users.",
  },
  force: { type: "boolean", description: "Replaces existing files." },
} as const;

/** `espalier make:controller` and the other `make:` commands. */
export const makeCommands: Readonly<Record<string, CommandDef<ArgsDef>>> = Object.fromEntries(
  Object.entries(kinds).map(([name, kind]) => [`make:${name}`, createCommand(name, kind)]),
);

function createCommand(kindName: string, kind: PartKind): CommandDef<ArgsDef> {
  const command: CommandDef<typeof args> = defineCommand({
    meta: { name: `make:${kindName}`, description: kind.description },
    args,
    async run({ args: { name, force } }) {
      const project = readProject(process.cwd());
      const part = kind.create(parsePartName(name, kind.suffix), project);
      writeFiles(project.folder, part.files, force === true);
      const written = part.files.map(({ path }) => `${colors.green("Wrote")} ${path}`);
      await print(`${written.join("\n")}\n\nNext:\n${part.next.replaceAll(/^(?=.)/gm, "  ")}`);
    },
  });
  // Commands are run by name only, and their arguments are validated against their own definitions.
  return command as CommandDef<ArgsDef>;
}
