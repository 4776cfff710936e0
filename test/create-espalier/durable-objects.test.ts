import * as cloudflare from "espalier/cloudflare";
import { parse } from "smol-toml";
import { expect, test } from "vitest";
import { projectFiles } from "../../create-espalier/src/project-files.ts";
import { combinations } from "./combinations.ts";

interface Wrangler {
  readonly durable_objects?: {
    readonly bindings: readonly { readonly name: string; readonly class_name: string }[];
  };
  readonly migrations?: readonly { readonly new_sqlite_classes: readonly string[] }[];
}

const workers = combinations.filter(({ project }) => project.platform === "cloudflare");

test.each(workers)(
  "$title binds the Durable Objects it uses, and has others as comments",
  ({ project }) => {
    const files = projectFiles(project);
    const text = files.get("wrangler.toml") ?? "";
    // Sign-ins are counted in a Durable Object.
    const used = project.features.has("auth") ? ["RateLimitDurableObject"] : [];
    expect(classesOf(text)).toEqual(used);
    for (const name of used) expect(files.get("src/worker.ts")).toMatch(exportOf(name));
    const enabled = text.replaceAll(
      /^# (?=\[\[(?:durable_objects|migrations)|(?:name|class_name|tag|new_sqlite_classes) =)/gm,
      "",
    );
    const classes = classesOf(enabled);
    const forJobs = project.features.has("queue") ? ["QueueDurableObject"] : [];
    expect(classes).toEqual([...forJobs, "RateLimitDurableObject", "LockDurableObject"]);
    for (const name of classes) {
      expect(cloudflare).toHaveProperty(name);
      if (!used.includes(name)) expect(text).toMatch(exportOf(name));
    }
  },
);

/** Returns the classes of the bindings, each of which a migration must create. */
function classesOf(text: string): readonly string[] {
  const { durable_objects, migrations } = parse(text) as Wrangler;
  const classes = durable_objects?.bindings.map(({ class_name }) => class_name) ?? [];
  const migrated = migrations?.flatMap(({ new_sqlite_classes }) => new_sqlite_classes) ?? [];
  expect(migrated.toSorted()).toEqual(classes.toSorted());
  return classes;
}

const exportOf = (name: string): RegExp =>
  new RegExp(`export \\{[^}]*\\b${name}\\b[^}]*\\} from "espalier/cloudflare"`);
