import type { Router } from "espalier";
import { CreateBook, RemoveBook, ReplaceBook, ShowBook } from "./controllers/books.ts";
import { ShowCover, UploadCover } from "./controllers/covers.ts";
import { ExportBooks } from "./controllers/export-books.ts";
import { ChooseTheme, HomePage, openShortLink, stylesheet } from "./controllers/home.ts";
import { ListBooks } from "./controllers/list-books.ts";
import { LendBook, ListBookLoans, ListLoans, ShowLoan } from "./controllers/loans.ts";
import { LogIn } from "./controllers/log-in.ts";
import {
  AddMember,
  ListMemberLoans,
  listMembers,
  RemoveMember,
  ShowMember,
} from "./controllers/members.ts";
import { ListNotices, sendNotices } from "./controllers/notices.ts";
import { ReturnBook } from "./controllers/return-book.ts";

const json = "consumes:application/json";
const form = "application/x-www-form-urlencoded";
const multipart = "multipart/form-data";
const coverLimitBytes = 512 * 1024;

const librarian = ["auth", "can:librarian"];
const ownAccount = ["auth", "can:own-account"];
const ownLoan = ["auth", "can:own-loan"];

/** Registers all routes, with their controllers and access rules. */
export function registerRoutes(router: Router): void {
  router.group("/api/v1", { middleware: ["read-only"] }, (api) => {
    registerMembers(api);
    registerBooks(api);
    registerLoans(api);
  });
  registerPages(router);
}

function registerMembers(api: Router): void {
  api.post("/log-in", LogIn, {
    name: "log-in",
    summary: "Log in",
    description: "Returns an access token for an email address and a password.",
    tags: ["members"],
    middleware: ["log-in-limit", json],
  });
  api.group("/members", { name: "members" }, (members) => {
    members.post("/", AddMember, {
      name: "join",
      summary: "Register a member",
      description: "Creates a member with an account.",
      middleware: ["join-limit", json],
    });
    members.get("/", listMembers, {
      name: "list",
      summary: "All members",
      description: "Only for librarians.",
      middleware: librarian,
    });
    members.group("/:id", { middleware: ownAccount }, (member) => {
      member.get("/", ShowMember, {
        name: "show",
        summary: "One member",
        description: "Only for the member and for librarians.",
      });
      member.get("/loans", ListMemberLoans, {
        name: "loans",
        summary: "List a member's current loans",
        description: "Loans that have not been returned, the latest first.",
      });
      member.get("/notices", ListNotices, {
        name: "notices",
        summary: "List the notices sent to a member",
        description: "Reminders of overdue loans, the oldest first.",
      });
      member.delete("/", RemoveMember, {
        name: "leave",
        summary: "Delete a member without open loans",
        description: "Also deletes the account. A member with open loans is a 409.",
      });
    });
  });
}

function registerBooks(api: Router): void {
  api.group("/books", { name: "books" }, (books) => {
    books.get("/", ListBooks, {
      name: "list",
      summary: "Search books, with pagination",
      description: "By title or author, tag and availability.",
    });
    books.post("/", CreateBook, {
      name: "create",
      summary: "Add a book",
      description: "A book is identified by its ISBN. Only for librarians.",
      middleware: [...librarian, json],
    });
    books.get("/export.csv", ExportBooks, {
      name: "export",
      summary: "Export all books as CSV, streamed",
      description: "One line for each book, after a line with the names of the columns.",
      responses: { 200: { description: "The books.", type: "text/csv" } },
    });

    books.group("/:id(\\d{13})", (book) => {
      book.get("/", ShowBook, {
        name: "show",
        summary: "One book",
        description: "Includes whether it is available.",
      });
      book.put("/", ReplaceBook, {
        name: "replace",
        summary: "Update a book",
        description: "Replaces all fields of the book. Only for librarians.",
        middleware: [...librarian, json],
      });
      book.delete("/", RemoveBook, {
        name: "remove",
        summary: "Delete a book",
        description: "A book with open loans is a 409. Only for librarians.",
        middleware: librarian,
      });

      book.get("/cover", ShowCover, {
        name: "cover.show",
        summary: "Get the cover of a book",
        description: "The image as it was uploaded, with an ETag.",
        middleware: ["cache:300"],
      });
      book.put("/cover", UploadCover, {
        name: "cover.upload",
        summary: "Upload a cover: PNG, JPEG or WebP, up to 512 KiB",
        description:
          "Replaces the cover. The content must match the declared type. Only for librarians.",
        middleware: [...librarian, `consumes:${multipart}`],
        bodyLimit: coverLimitBytes,
      });

      book.group("/loans", { name: "loans" }, (loans) => {
        loans.get("/", ListBookLoans, {
          name: "list",
          summary: "List the loans of a book",
          description: "Open and returned loans, the latest first. Only for librarians.",
          middleware: librarian,
        });
        loans.post("/", LendBook, {
          name: "lend",
          summary: "Borrow a book; librarians can lend it to any member",
          description:
            "Fails with 409 if the book is on loan, or if the member has too many loans.",
          middleware: ["auth", json],
        });
      });
    });
  });
}

function registerLoans(api: Router): void {
  api.group("/loans", { name: "loans" }, (loans) => {
    loans.get("/", ListLoans, {
      name: "list",
      summary: "List your loans; librarians see all loans",
      description: "The latest first.",
      middleware: ["auth"],
    });
    loans.get("/:id", ShowLoan, {
      name: "show",
      summary: "One loan",
      description: "Only for its member and for librarians.",
      middleware: ownLoan,
    });
    loans.post("/:id/return", ReturnBook, {
      name: "return",
      summary: "Return a book",
      description: "Ends a loan. A loan that has ended is a 409.",
      middleware: [...ownLoan, json],
    });
  });
  api.post("/notices", sendNotices, {
    name: "notices.send",
    summary: "Enqueue the notices that are due",
    description: "A schedule does so every morning. Only for librarians.",
    tags: ["loans"],
    middleware: librarian,
  });
}

function registerPages(router: Router): void {
  const tags = ["pages"];
  router.get("/", HomePage, {
    name: "home",
    summary: "This page",
    description: "An overview of the service, as HTML.",
    responses: { 200: { description: "The page.", type: "text/html" } },
    tags,
  });
  router.get("/bookshelf.css", stylesheet, {
    name: "stylesheet",
    summary: "Stylesheet of this page",
    description: "Cached by browsers for an hour.",
    responses: { 200: { description: "The stylesheet.", type: "text/css" } },
    tags,
    middleware: ["cache:3600"],
  });
  router.post("/theme", ChooseTheme, {
    name: "theme",
    summary: "Choose a theme, stored in a cookie",
    description: "Redirects back to the page.",
    tags,
    middleware: [`consumes:${form}`],
    bodyTypes: [form],
  });
  router.get("/b/:isbn", openShortLink, {
    name: "short-link",
    summary: "Short link of a book, with or without hyphens",
    description: "Redirects to the book.",
    tags,
  });
}
