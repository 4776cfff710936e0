import { randomBytes } from "node:crypto";
import type { Project } from "./choices.ts";

/** Returns the name of the file with the development secrets, which is not committed. */
export function environmentFile({ platform }: Pick<Project, "platform">): string {
  return platform === "cloudflare" ? ".dev.vars" : ".env";
}

/** Returns a file with random development secrets, and an example file; empty without `auth`. */
export function environmentFiles(project: Project): ReadonlyMap<string, string> {
  if (!project.features.has("auth")) return new Map();
  const file = environmentFile(project);
  return new Map([
    [file, variables(randomBytes(48).toString("base64"), randomBytes(12).toString("base64url"))],
    [
      `${file}.example`,
      `# Copy this file to ${file} and fill in the values.\n${variables("", "")}`,
    ],
  ]);
}

function variables(secret: string, adminPassword: string): string {
  return `# Signs the tokens: openssl rand -base64 48
AUTH_SECRET="${secret}"
# Password of the user "admin"; at least 12 characters.
AUTH_ADMIN_PASSWORD="${adminPassword}"
`;
}
