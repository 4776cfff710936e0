/** What a parameter of a statement can be. */
export type SqlValue = string | number | null;

/** A statement, or a part of one: its text has a `?` for each value. */
export interface Sql {
  readonly text: string;
  readonly values: readonly SqlValue[];
}

/**
 * Writes SQL whose values never become part of its text: each is bound as a parameter. Another `sql` is put
 * in as it stands, with its own values.
 *
 * @example sql`SELECT * FROM users WHERE email = ${email}`
 */
export function sql(strings: TemplateStringsArray, ...inserts: readonly (SqlValue | Sql)[]): Sql {
  let [text = ""] = strings;
  const values: SqlValue[] = [];
  for (const [index, insert] of inserts.entries()) {
    if (typeof insert === "object" && insert !== null) {
      text += insert.text;
      values.push(...insert.values);
    } else {
      text += "?";
      values.push(insert);
    }
    text += strings[index + 1] ?? "";
  }
  return { text, values };
}

/** A condition that holds when all of these do, also when there is none. */
export function every(conditions: readonly Sql[]): Sql {
  return conditions.reduce((all, condition) => sql`${all} AND ${condition}`, sql`TRUE`);
}
