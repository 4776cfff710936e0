import { randomBytes } from "node:crypto";
import type { Project } from "./choices.ts";

/** The file that holds secrets while developing; git must not have it. */
export function environmentFile({ platform }: Pick<Project, "platform">): string {
  return platform === "cloudflare" ? ".dev.vars" : ".env";
}

/** The secrets for developing, random ones, and an example without them; nothing without `auth`. */
export function environmentFiles(project: Project): ReadonlyMap<string, string> {
  if (!project.features.has("auth")) return new Map();
  const file = environmentFile(project);
  return new Map([
    [file, variables(randomBytes(48).toString("base64"), randomBytes(12).toString("base64url"))],
    [`${file}.example`, `# Copy this to ${file} and fill it in.\n${variables("", "")}`],
  ]);
}

function variables(secret: string, adminPassword: string): string {
  return `# Signs the tokens: openssl rand -base64 48
AUTH_SECRET="${secret}"
# The password of the user "admin", 12 characters or more.
AUTH_ADMIN_PASSWORD="${adminPassword}"
`;
}
