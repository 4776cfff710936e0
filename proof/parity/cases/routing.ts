import { asked, type ParityCase } from "../case.ts";

const found = (path: string, status = 200): ParityCase => asked(`GET ${path}`, status, path);

export const routingCases: readonly ParityCase[] = [
  ...["/", "/static", "/static/", "/static/deep/path", "/users/me", "/users/1"].map((path) =>
    found(path),
  ),
  ...["/s%74atic", "/%73%74%61%74%69%63", "/users/m%65", "/users/%6D%65", "/a%20b"].map((path) =>
    found(path),
  ),
  ...["/stra%C3%9Fe/%E6%97%A5%E6%9C%AC", "/escaped/a:b", "/escaped/a%3Ab"].map((path) =>
    found(path),
  ),
  ...["/users/a%2Fb", "/users/%2525", "/users/%25", "/users/a+b", "/users/a%2Bb"].map((path) =>
    found(path),
  ),
  ...["/users/%C3%BC", "/users/%F0%9F%98%80", "/users/__proto__", "/users/constructor"].map(
    (path) => found(path),
  ),
  ...["/users/a@b:c,d;e=f!$&'()*~", "/users/%00", "/users/%0A", "/users/%7F", "/users/%22"].map(
    (path) => found(path),
  ),
  ...["/users/1/books/2", "/number/12", "/number/abc", "/optional", "/optional/de"].map((path) =>
    found(path),
  ),
  ...["/two", "/two/1", "/two/1/2", "/mixed/a.txt", "/mixed/a.b.txt", "/version/v12"].map((path) =>
    found(path),
  ),
  ...["/range/1-2", "/range/a-b-c", "/files", "/files/", "/files/a/b/c.txt", "/files/a//b"].map(
    (path) => found(path),
  ),
  ...["/files/a%2Fb/c", "/anonymous", "/anonymous/x/y", "/group", "/group/", "/group/1/2"].map(
    (path) => found(path),
  ),
  ...["/backtrack/x/y", "/backtrack/x/z", "/backtrack/x/q", "/backtrack/a/b/c"].map((path) =>
    found(path),
  ),
  ...["/nowhere", "/Static", "/static//", "//static", "/users/", "/users//books/1"].map((path) =>
    found(path, 404),
  ),
  ...["/number/1a", "/number/A", "/mixed/atxt", "/version/v", "/static/deep", "/two/1/2/3"].map(
    (path) => found(path, 404),
  ),
  ...["/group/1", "/%", "/nowhere/%zz", "/static%00", "/static%2Fdeep"].map((path) =>
    found(path, 404),
  ),
  ...["/users/%", "/users/%zz", "/users/%E0%A4%A", "/users/%C3", "/files/a/%FF"].map((path) =>
    found(path, 400),
  ),
  asked("dot segments lead where they lead", 200, "/users/../static"),
  asked("a dot segment at the end", 200, "/static/."),
  asked("encoded dot segments lead there too", 200, "/users/%2e%2e/static"),
  asked("three dots are a name", 200, "/users/..."),
  asked("a backslash in a query", 200, "/query?a=\\b"),
  asked("a path over the limit", 414, `/users/${"x".repeat(17_000)}`),
  asked("a long path below it", 200, `/users/${"x".repeat(7_000)}`),
  asked("a path of many segments", 200, `/files/${"a/".repeat(2_000)}`),
  asked("queries", 200, "/query?a=1&b=x%20y+z&a=2"),
  asked("a query without values", 200, "/query?a&b=&=c&&"),
  asked("a query with signs", 200, "/query?a=b=c&d=%26%3D&e=%C3%BC&[x]=1"),
  asked("a query with broken escapes", 200, "/query?a=%zz&b=%E0%A4%A&c=%"),
  asked("a query with names of objects", 200, "/query?__proto__=1&toString=2&constructor=3"),
  asked("an empty query", 200, "/query?"),
  asked("a query with a second question mark", 200, "/query?a=b?c=d"),
  asked("the URL, as it is parsed", 200, "/url?b=%20&a=1"),
  asked("HEAD of a GET route", 200, "/users/1", { method: "HEAD" }),
  asked("HEAD of a HEAD route", 200, "/methods/head", { method: "HEAD" }),
  asked("HEAD of a stream", 200, "/answers/stream", { method: "HEAD" }),
  asked("HEAD of an error", 500, "/throws/error", { method: "HEAD" }),
  asked("HEAD of nothing", 404, "/nowhere", { method: "HEAD" }),
  asked("HEAD where only POST is", 405, "/methods", { method: "HEAD" }),
  asked("POST", 200, "/methods", { method: "POST" }),
  asked("PUT", 200, "/methods", { method: "PUT" }),
  asked("a method that is not allowed", 405, "/methods", { method: "DELETE" }),
  asked("GET that is not allowed", 405, "/methods", { method: "GET" }),
  asked("an unknown method", 405, "/methods", { method: "PROPFIND" }),
  asked("an unknown method on an unknown path", 404, "/nowhere", { method: "PROPFIND" }),
  asked("another method with a parameter", 405, "/users/1", { method: "POST" }),
  asked("OPTIONS", 204, "/methods", { method: "OPTIONS" }),
  asked("OPTIONS of a GET route", 204, "/users/1", { method: "OPTIONS" }),
  asked("OPTIONS of an OPTIONS route", 200, "/methods/options", { method: "OPTIONS" }),
  asked("OPTIONS of nothing", 404, "/nowhere", { method: "OPTIONS" }),
  ...["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "HEAD", "PROPFIND"].map((method) =>
    asked(`${method} of a route for all`, 200, "/methods/all", { method }),
  ),
  asked("a custom method", 200, "/methods/purge", { method: "PURGE" }),
  asked("TRACE is never routed", 405, "/methods/all", { method: "TRACE" }),
];
