import { expect } from "vitest";
import type { BookshelfAssertion } from "./assertions.ts";
import {
  addBook,
  addMember,
  giveBack,
  type LoanAnswer,
  lend,
  newEmail,
  testPassword,
} from "./records.ts";
import { dataOf, errorsOf, problemOf, withJson } from "./send.ts";

const members = "/api/v1/members";

export const memberAssertions: readonly BookshelfAssertion[] = [
  {
    title: "a member is added with nested data, shown and deleted",
    async run(send) {
      const input = {
        name: "Yrsa Tollgate",
        email: newEmail(),
        address: { street: "1 Toll Bridge", city: "Harrowmere" },
        phones: [{ kind: "mobile", number: "+00 12" }],
      };
      const added = await send(
        members,
        withJson("POST", { ...input, password: testPassword, id: "chosen", role: "librarian" }),
      );
      const member = await dataOf<{ id: string; joinedOn: string }>(added);
      expect(added.headers.get("location")).toBe(`${members}/${member.id}`);
      expect(member).toMatchObject(input);
      expect(member.id).toMatch(/^[\da-f-]{36}$/);
      for (const name of ["role", "password", "passwordHash"]) {
        expect(member).not.toHaveProperty(name);
      }
      expect(await dataOf(await send(`${members}/${member.id}`))).toEqual(member);
      expect(await dataOf(await send(members))).toContainEqual(member);

      const removed = await send(`${members}/${member.id}`, { method: "DELETE" });
      expect(removed.status).toBe(204);
      const gone = await problemOf(await send(`${members}/${member.id}`));
      expect(gone).toEqual([404, `Member ${member.id} not found.`]);
    },
  },
  {
    title: "every invalid field of a member is reported, at any depth",
    async run(send) {
      const wrong = {
        name: "N",
        email: "no-address",
        password: "too short",
        address: { city: "Harrowmere" },
        phones: [{ kind: "fax", number: "12" }, { kind: "home" }, "x"],
      };
      const [status, errors] = await errorsOf(await send(members, withJson("POST", wrong)));
      expect(status).toBe(422);
      expect(errors).toMatchObject({
        email: "email must be a valid email",
        password: "password must be at least 12 characters",
        "address.street": "address.street is required",
        "phones.0.kind": "phones.0.kind must be one of: home, mobile, work",
        "phones.0.number": "phones.0.number format is invalid",
        "phones.1.number": "phones.1.number is required",
      });
      expect(Object.keys(errors as object).some((field) => field.startsWith("phones.2"))).toBe(
        true,
      );
    },
  },
  {
    title: "a member with open loans cannot be deleted",
    async run(send) {
      const [book, member] = [await addBook(send), await addMember(send)];
      const { id } = await dataOf<LoanAnswer>(await lend(send, book, member));
      const refused = await send(`${members}/${member}`, { method: "DELETE" });
      expect(await problemOf(refused)).toEqual([
        409,
        `Member ${member} must return all books first.`,
      ]);
      await giveBack(send, id);
      expect((await send(`${members}/${member}`, { method: "DELETE" })).status).toBe(204);
    },
  },
  {
    title: "an invalid id responds with 422, an unknown one with 404",
    async run(send) {
      const unknownId = "00000000-0000-4000-8000-000000000000";
      for (const path of ["", "/loans"]) {
        expect((await send(`${members}/17${path}`)).status).toBe(422);
        expect((await send(`${members}/${unknownId}${path}`)).status).toBe(404);
      }
      expect((await send(`${members}/${unknownId}`, { method: "DELETE" })).status).toBe(404);
    },
  },
];
