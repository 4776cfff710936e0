import { asked, type Call, type ParityCase } from "../case.ts";

const sending = (title: string, path: string, cookie: string): ParityCase =>
  asked(title, 200, path, { headers: { cookie } });

/** Returns a case in which a browser requests paths sequentially. */
function browsed(title: string, status: number, ...paths: readonly string[]): ParityCase {
  const calls: readonly Call[] = paths.map((path) => ({ path, withCookies: true }));
  return { title, status, calls };
}

const sessions = ["cookie", "store"].flatMap((kind) => {
  const at = (path: string): string => `/session/${kind}/${path}`;
  return [
    browsed(`visits with a session in the ${kind}`, 200, at("visit"), at("visit"), at("visit")),
    browsed(`an empty session in the ${kind}`, 200, at("all")),
    browsed(`what a session in the ${kind} holds`, 200, at("visit"), at("all")),
    browsed(`a regenerated session in the ${kind}`, 200, at("visit"), at("regenerate"), at("all")),
    browsed(`a destroyed session in the ${kind}`, 200, at("visit"), at("destroy"), at("all")),
    sending(`a forged session in the ${kind}`, at("visit"), "session=forged.x; stored=forged.x"),
  ];
});

export const cookieCases: readonly ParityCase[] = [
  sending("cookies", "/cookies", "a=1; b=two"),
  sending("cookies in an odd form", "/cookies", 'a=1;b="two";; c;=d; e==f ; a=3'),
  sending("cookies with names of objects", "/cookies", "__proto__=1; constructor=2"),
  sending("encoded cookies", "/cookies", "a=%C3%BC%20"),
  asked("no cookies", 200, "/cookies"),
  asked("cookies that are set", 200, "/cookies/set"),
  asked("a cookie that is deleted", 200, "/cookies/delete"),
  asked("a cookie that cannot be", 500, "/cookies/bad"),
  asked("a cookie before an error", 500, "/cookies/throws"),
  asked("cookies set as raw headers", 200, "/cookies/raw"),
  asked("a signed cookie is set", 200, "/cookies/sign"),
  browsed("a signed cookie comes back", 200, "/cookies/sign", "/cookies/signed"),
  sending("a forged cookie", "/cookies/signed", "signed=value.AAAA"),
  sending("a cookie without its signature", "/cookies/signed", "signed=value"),
  ...sessions,
];
