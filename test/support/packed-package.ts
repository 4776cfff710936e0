import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "./bundle.ts";

/** A consumer's folder with the package installed as published. */
export interface Consumer {
  readonly folder: string;
  /** Names of the files in the tarball. */
  readonly files: readonly string[];
  write(name: string, content: string): string;
  remove(): void;
}

/**
 * Packs the package and unpacks it into a `node_modules`. Its dependencies, and other packages of the
 * consumer, are linked from this repository, so that nothing is downloaded.
 *
 * @param beside further packages of this consumer
 */
export function installPacked(beside: readonly string[] = []): Consumer {
  const folder = mkdtempSync(join(tmpdir(), "espalier-consumer-"));
  const packed = execFileSync(
    "npm",
    ["pack", "--json", "--ignore-scripts", "--pack-destination", folder],
    {
      cwd: root,
      encoding: "utf8",
    },
  );
  const [description] = Object.values(JSON.parse(packed)) as {
    filename: string;
    files: { path: string }[];
  }[];
  if (description === undefined) throw new Error("npm packed nothing");
  const modules = join(folder, "node_modules");
  mkdirSync(modules);
  execFileSync("tar", ["-xzf", join(folder, description.filename), "-C", modules]);
  cpSync(join(modules, "package"), join(modules, "espalier"), { recursive: true });
  rmSync(join(modules, "package"), { recursive: true });
  for (const name of ["jose", ...beside]) {
    if (name.startsWith("@"))
      mkdirSync(join(modules, name.split("/")[0] ?? ""), { recursive: true });
    symlinkSync(join(root, "node_modules", name), join(modules, name));
  }
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "consumer", type: "module" }));
  return {
    folder,
    files: description.files.map(({ path }) => path),
    write(name, content) {
      const file = join(folder, name);
      writeFileSync(file, content);
      return file;
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
