import { CommandError } from "../command-error.ts";

/** A name in the spellings used by generated files. */
export interface PartName {
  /** Folders and the file name without extension: `["admin", "list-users"]`. */
  readonly path: readonly string[];
  /** `list-users` */
  readonly kebab: string;
  /** `ListUsers` */
  readonly pascal: string;
  /** `listUsers` */
  readonly camel: string;
}

/**
 * Parses a name in any case, with optional folders: `admin/ListUsers`, `list_users`, `list users`.
 *
 * @param suffix suffix of the class, optional in the name: `MailProvider` and `mail` are equivalent
 * @throws CommandError for a name that is not valid for a file and a class
 */
export function parsePartName(text: string, suffix: string): PartName {
  const segments = text
    .replace(/\.[cm]?[jt]s$/, "")
    .split(/[/\\]/)
    .map(wordsOf);
  const last = segments.at(-1) ?? [];
  const isSuffixed = last.length > 1 && last.at(-1) === suffix.toLowerCase();
  const words = isSuffixed ? last.slice(0, -1) : last;
  const isReadable = /^[A-Za-z0-9 _./\\-]+$/.test(text) && !/(^|[/\\])\.|^[/\\]/.test(text);
  if (!isReadable || segments.some((segment) => segment.length === 0)) {
    throw new CommandError(
      `${JSON.stringify(text)} is not a valid name. ` +
        "Use letters, digits and hyphens, and / for subfolders: admin/list-users.",
    );
  }
  const pascal = words.map(capitalise).join("");
  if (/^\d/.test(pascal)) {
    throw new CommandError(
      `${JSON.stringify(text)} starts with a digit, which a class name must not. ` +
        `Add a word before it: show-${words.join("-")}.`,
    );
  }
  const kebab = words.join("-");
  return {
    path: [...segments.slice(0, -1).map((segment) => segment.join("-")), kebab],
    kebab,
    pascal,
    camel: pascal.charAt(0).toLowerCase() + pascal.slice(1),
  };
}

/** Splits `listUsers`, `HTTPLog`, `list_users` and `list.users` into lower-case words. */
function wordsOf(segment: string): string[] {
  return segment
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replaceAll(/([A-Z]+)([A-Z][a-z])/g, "$1 $2")
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== "")
    .map((word) => word.toLowerCase());
}

const capitalise = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
