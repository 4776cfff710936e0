import { hashPassword } from "espalier";
import { Accounts } from "./repositories/accounts.ts";
import { Books } from "./repositories/books.ts";
import { Covers } from "./repositories/covers.ts";
import { type Loan, Loans } from "./repositories/loans.ts";
import { Members } from "./repositories/members.ts";
import { books, cover, librarian, members } from "./seed-data.ts";
import { addDays, type Calendar } from "./services/calendar.ts";
import type { Storage } from "./storage/storage.ts";

/**
 * Adds the first books, members, loans and a librarian to a new store; a seeded store is left unchanged.
 *
 * Idempotent, since two concurrent first requests may both run it: only missing records are added.
 */
export async function seed(
  { documents, files }: Storage,
  calendar: Calendar,
  librarianPassword: string,
): Promise<void> {
  if ((await documents.get("opened")) !== undefined) return;
  const bookRecords = new Books(documents);
  for (const book of books) await bookRecords.add(book);
  const memberRecords = new Members(documents);
  for (const member of [...members, librarian]) await memberRecords.add(member);
  await new Accounts(documents).add(librarian.email, {
    memberId: librarian.id,
    role: "librarian",
    passwordHash: await hashPassword(librarianPassword),
  });
  const loanRecords = new Loans(documents);
  for (const loan of firstLoans(calendar.today())) await loanRecords.record(loan);
  const bytes = Uint8Array.from(atob(cover.base64), (character) => character.charCodeAt(0));
  await new Covers(files).save(cover.bookId, new Blob([bytes], { type: cover.type }));
  await documents.put("opened", { on: calendar.today() });
}

/** Returns an overdue, a current and a returned loan. */
function firstLoans(today: string): readonly Loan[] {
  return [
    {
      id: "98fa51cf-47f0-4bfd-bdeb-f40ffe26a9b7",
      bookId: "9799410000021",
      memberId: "5ebaa98e-f510-4a62-ad07-378c3b33c337",
      lentOn: addDays(today, -40),
      dueOn: addDays(today, -19),
      returnedOn: null,
    },
    {
      id: "5a18eb50-83c0-4300-a316-f7692936e0f5",
      bookId: "9799410000069",
      memberId: "9ba984f8-584b-490a-9ffe-11a47857c356",
      lentOn: addDays(today, -5),
      dueOn: addDays(today, 16),
      returnedOn: null,
    },
    {
      id: "9b211410-a3fe-4e3b-b705-54bc12cacea6",
      bookId: "9799410000090",
      memberId: "5ebaa98e-f510-4a62-ad07-378c3b33c337",
      lentOn: addDays(today, -90),
      dueOn: addDays(today, -69),
      returnedOn: addDays(today, -71),
      condition: "good",
    },
  ];
}
