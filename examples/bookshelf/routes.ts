import type { Router } from "espalier";
import { CreateBook, RemoveBook, ReplaceBook, ShowBook } from "./controllers/books.ts";
import { ShowCover, UploadCover } from "./controllers/covers.ts";
import { ExportBooks } from "./controllers/export-books.ts";
import { chooseTheme, HomePage, openShortLink, stylesheet } from "./controllers/home.ts";
import { ListBooks } from "./controllers/list-books.ts";
import { LendBook, ListBookLoans, ListLoans, ShowLoan } from "./controllers/loans.ts";
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
const coverLimitBytes = 512 * 1024;

/** Every path of the application, and what answers it. */
export function registerRoutes(router: Router): void {
  router.group("/api/v1", { middleware: ["read-only"] }, (api) => {
    api.group("/books", { name: "books" }, (books) => {
      books.get("/", ListBooks, { name: "list" });
      books.post("/", CreateBook, { name: "create", middleware: [json] });
      books.get("/export.csv", ExportBooks, { name: "export" });

      books.group("/:id(\\d{13})", (book) => {
        book.get("/", ShowBook, { name: "show" });
        book.put("/", ReplaceBook, { name: "replace", middleware: [json] });
        book.delete("/", RemoveBook, { name: "remove" });

        book.get("/cover", ShowCover, { name: "cover.show", middleware: ["cache:300"] });
        book.put("/cover", UploadCover, {
          name: "cover.upload",
          middleware: ["consumes:multipart/form-data"],
          bodyLimit: coverLimitBytes,
        });

        book.group("/loans", { name: "loans" }, (loans) => {
          loans.get("/", ListBookLoans, { name: "list" });
          loans.post("/", LendBook, { name: "lend", middleware: [json] });
        });
      });
    });

    api.group("/loans", { name: "loans" }, (loans) => {
      loans.get("/", ListLoans, { name: "list" });
      loans.get("/:id", ShowLoan, { name: "show" });
      loans.post("/:id/return", ReturnBook, { name: "return", middleware: [json] });
    });

    const members = { index: listMembers, store: AddMember, show: ShowMember };
    api.resource("/members", { ...members, destroy: RemoveMember }, { name: "members" });
    api.get("/members/:id/loans", ListMemberLoans, { name: "members.loans" });
    api.get("/members/:id/notices", ListNotices, { name: "members.notices" });
    api.post("/notices", sendNotices, { name: "notices.send" });
  });

  router.get("/", HomePage, { name: "home" });
  router.get("/bookshelf.css", stylesheet, { name: "stylesheet", middleware: ["cache:3600"] });
  router.post("/theme", chooseTheme, {
    name: "theme",
    middleware: ["consumes:application/x-www-form-urlencoded"],
    validation: { theme: { enum: ["system", "light", "dark"], required: true } },
  });
  router.get("/b/:isbn", openShortLink, { name: "short-link" });
}
