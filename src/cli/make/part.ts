import type { PartName } from "./part-name.ts";
import type { Project } from "./project.ts";

/** A file to write. */
export interface NewFile {
  /** From the folder of the project, with slashes. */
  readonly path: string;
  readonly text: string;
}

/** What one `make:` command writes. */
export interface PartKind {
  /** What the class ends with, and a name may: `Middleware`. Empty for a class that is called as it is. */
  readonly suffix: string;
  /** Said by the usage. */
  readonly description: string;
  create(name: PartName, project: Project): NewPart;
}

/** The files of a new part, and what its author does next. */
interface NewPart {
  readonly files: readonly NewFile[];
  readonly next: string;
}

/** The path of a source file: folder of its kind, folders of its name, name. */
export function sourcePath(project: Project, folder: string, name: PartName): string {
  return [project.sources, folder, ...name.path]
    .filter((part) => part !== "")
    .join("/")
    .concat(".ts");
}
