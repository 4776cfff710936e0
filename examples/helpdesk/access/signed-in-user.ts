import { type Role, roles } from "../database/tables.ts";

/** The user of a request, as the database has it. */
export interface SignedInUser {
  readonly id: string;
  readonly organisationId: string;
  /** Slug of the organisation, as in paths. */
  readonly organisation: string;
  readonly role: Role;
}

/** Returns true if the user has a role, or one that includes it. */
export function hasRole(user: Pick<SignedInUser, "role">, role: Role): boolean {
  return roles.indexOf(user.role) >= roles.indexOf(role);
}

/** Returns true for a user who sees all tickets of the organisation. */
export function isStaff(user: Pick<SignedInUser, "role">): boolean {
  return hasRole(user, "agent");
}
