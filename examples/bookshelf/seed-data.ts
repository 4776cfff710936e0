import type { Book } from "./repositories/books.ts";
import type { Member } from "./repositories/members.ts";

const saltAndSons = { name: "Salt & Sons", city: "Port Averil" };
const ninthGate = { name: "Ninth Gate Press", city: "Harrowmere" };

/** Books, authors and publishers are fictitious. */
export const books: readonly Book[] = [
  {
    id: "9799410000014",
    isbn: "979-9-4100-0001-4",
    title: "The Lamplighter's Atlas",
    authors: ["Ilse Quillmarrow"],
    publishedOn: "2019-03-14",
    pages: 312,
    tags: ["maps", "night"],
    publisher: saltAndSons,
  },
  {
    id: "9799410000021",
    isbn: "979-9-4100-0002-1",
    title: "Salt Road, Slow Boat",
    authors: ["Tobin Alderwisp", "Wenna Saltgrave"],
    publishedOn: "2021-09-02",
    pages: 264,
    tags: ["sea", "travel"],
    publisher: saltAndSons,
  },
  {
    id: "9799410000038",
    isbn: "979-9-4100-0003-8",
    title: "A Field Guide to Quiet Machines",
    authors: ["Odrun Tackleberg"],
    publishedOn: "2016-11-21",
    pages: 188,
    tags: ["machines"],
    publisher: ninthGate,
  },
  {
    id: "9799410000045",
    isbn: "979-9-4100-0004-5",
    title: "Orchards Against the Wall",
    authors: ["Perrin Espaliard"],
    publishedOn: "2023-04-18",
    pages: 224,
    tags: ["gardens"],
    publisher: ninthGate,
  },
  {
    id: "9799410000052",
    isbn: "979-9-4100-0005-2",
    title: "Nine Winters at the Weather Station",
    authors: ["Halka Frostenby"],
    publishedOn: "2009-01-30",
    pages: 402,
    tags: ["weather", "travel"],
  },
  {
    id: "9799410000069",
    isbn: "979-9-4100-0006-9",
    title: "The Ferrywoman Counts to Ten",
    authors: ["Wenna Saltgrave"],
    publishedOn: "2014-06-05",
    pages: 176,
    tags: ["sea", "children"],
    publisher: saltAndSons,
  },
  {
    id: "9799410000076",
    isbn: "979-9-4100-0007-6",
    title: "Bread for a Small Moon",
    authors: ["Mirel Ovenhart"],
    publishedOn: "2018-10-09",
    pages: 96,
    tags: ["cooking", "night"],
  },
  {
    id: "9799410000083",
    isbn: "979-9-4100-0008-3",
    title: "The Clockmender of Harrowmere",
    authors: ["Odrun Tackleberg"],
    publishedOn: "2020-02-27",
    pages: 348,
    tags: ["machines", "night"],
    publisher: ninthGate,
  },
  {
    id: "9799410000090",
    isbn: "979-9-4100-0009-0",
    title: "Letters to an Unbuilt Bridge",
    authors: ["Casimir Spanwright"],
    publishedOn: "2011-08-16",
    pages: 290,
    tags: ["building"],
  },
  {
    id: "9799410000106",
    isbn: "979-9-4100-0010-6",
    title: "Tidal Arithmetic",
    authors: ["Tobin Alderwisp"],
    publishedOn: "2022-05-24",
    pages: 152,
    tags: ["sea", "numbers"],
    publisher: saltAndSons,
  },
  {
    id: "9799410000113",
    isbn: "979-9-4100-0011-3",
    title: "How the Hedgerow Keeps Its Books",
    authors: ["Perrin Espaliard"],
    publishedOn: "2017-07-03",
    pages: 208,
    tags: ["gardens", "numbers"],
    publisher: ninthGate,
  },
  {
    id: "9799410000120",
    isbn: "979-9-4100-0012-0",
    title: "The Last Tram Sings",
    authors: ["Mirel Ovenhart", "Casimir Spanwright"],
    publishedOn: "2024-12-12",
    pages: 336,
    tags: ["machines", "music"],
  },
];

export const members: readonly Member[] = [
  {
    id: "5ebaa98e-f510-4a62-ad07-378c3b33c337",
    name: "Brannoch Vell",
    email: "brannoch@members.example",
    address: { street: "4 Ropewalk", city: "Port Averil", postcode: "PA2" },
    phones: [{ kind: "home", number: "+00 000 0001" }],
    joinedOn: "2022-01-17",
  },
  {
    id: "9ba984f8-584b-490a-9ffe-11a47857c356",
    name: "Sunniva Thrushcross",
    email: "sunniva@members.example",
    address: { street: "19 Mill Stairs", city: "Harrowmere" },
    phones: [],
    joinedOn: "2023-10-02",
  },
  {
    id: "4e7f8288-fa18-486a-8be3-3ecfe3856d61",
    name: "Ottoline Ferrow",
    email: "ottoline@members.example",
    phones: [{ kind: "mobile", number: "+00 000 0002" }],
    joinedOn: "2024-06-11",
  },
  {
    id: "6200178e-6844-46c2-9345-a02c5da24c60",
    name: "Edda Pellwick",
    email: "edda@members.example",
    phones: [],
    joinedOn: "2025-02-20",
  },
];

/** Logs in with the password from the configuration. */
export const librarian: Member = {
  id: "d0a7a1b6-4d3c-4e8e-9a51-7c2f0e6b9d18",
  name: "Maunella Inkhaven",
  email: "librarian@members.example",
  phones: [],
  joinedOn: "2020-05-04",
};

/** A cover small enough to be inlined: an espaliered tree. */
export const cover = {
  bookId: "9799410000045",
  type: "image/png",
  base64:
    "iVBORw0KGgoAAAANSUhEUgAAADwAAABaBAMAAAAWfygGAAAACVBMVEXz6dJKNihPekXBXzfaAAAAYElEQVR42mNgGF" +
    "CghBOApRVw6WMalR4E0owCg05aSYGBCZh2lBQFwJQCqjQTMF0pKSkAKQEIRU1pAnYzCGIAUqQHcZiPxthojI3G2Kj0" +
    "qDSp0kipkAzpwdc4INCcGzAAAAhAMhAHFH8RAAAAAElFTkSuQmCC",
};
