import type { PartName } from "./part-name.ts";
import type { Project } from "./project.ts";

/** A file to be written. */
export interface NewFile {
  /** Path relative to the project folder, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

/** Generator behind a `make:` command. */
export interface PartKind {
  /** Class name suffix, optional in the given name: `Middleware`. Empty if the class has no suffix. */
  readonly suffix: string;
  /** Description shown in the usage. */
  readonly description: string;
  create(name: PartName, project: Project): NewPart;
}

/** The files of a generated part, and the next steps for the developer. */
interface NewPart {
  readonly files: readonly NewFile[];
  readonly next: string;
}

/** Builds the path of a source file from the folder of its kind and the name's folders. */
export function sourcePath(project: Project, folder: string, name: PartName): string {
  return [project.sources, folder, ...name.path]
    .filter((part) => part !== "")
    .join("/")
    .concat(".ts");
}
