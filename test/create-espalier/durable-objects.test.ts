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

test.each(workers)("$title prepares Durable Objects as comments", ({ project }) => {
  const text = projectFiles(project).get("wrangler.toml") ?? "";
  expect(parse(text)).not.toHaveProperty("durable_objects");
  const enabled = text.replaceAll(
    /^# (?=\[\[(?:durable_objects|migrations)|(?:name|class_name|tag|new_sqlite_classes) =)/gm,
    "",
  );
  const { durable_objects, migrations } = parse(enabled) as Wrangler;
  const classes = durable_objects?.bindings.map(({ class_name }) => class_name) ?? [];
  const forJobs = project.features.has("queue") ? ["QueueDurableObject"] : [];
  expect(classes).toEqual([...forJobs, "RateLimitDurableObject", "LockDurableObject"]);
  const migrated = migrations?.flatMap(({ new_sqlite_classes }) => new_sqlite_classes);
  expect(migrated?.toSorted()).toEqual(classes.toSorted());
  for (const name of classes) {
    expect(cloudflare).toHaveProperty(name);
    expect(text).toMatch(
      new RegExp(`export \\{[^}]*\\b${name}\\b[^}]*\\} from "espalier/cloudflare"`),
    );
  }
});
