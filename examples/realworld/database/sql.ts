/** Value of a statement's parameter. */
export type SqlValue = string | number | null;

/** A statement, or a fragment of one: its text has a `?` for each value. */
export interface Sql {
  readonly text: string;
  readonly values: readonly SqlValue[];
}

/**
 * Template tag that builds SQL: each value is bound as a parameter, which prevents SQL injection. A nested
 * `sql` fragment is inserted with its own values.
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

/** Joins conditions with AND; true if there are none. */
export function every(conditions: readonly Sql[]): Sql {
  return conditions.reduce((all, condition) => sql`${all} AND ${condition}`, sql`TRUE`);
}
