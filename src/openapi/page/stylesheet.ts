/** Style sheet of the documentation page, for light and dark mode, narrow and wide screens, and print. */
export const stylesheet: string = `:root {
  color-scheme: light dark;
  --page: #fdfdfc; --panel: #f4f4f1; --line: #dcdcd6; --text: #22241f; --quiet: #62655c;
  --accent: #2f6b3c; --code: #f0f1ec; --mark: #8a4b08;
  --get: #20638f; --post: #2f6b3c; --put: #8a5a00; --patch: #7a4a8f; --delete: #a3312a;
  --other: #55585e;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #171815; --panel: #1f201c; --line: #383a34; --text: #e7e8e1; --quiet: #a5a89d;
    --accent: #8fce9a; --code: #262822; --mark: #e5b069;
    --get: #7fbde6; --post: #8fce9a; --put: #e5b964; --patch: #cfa4e2; --delete: #f2938c;
    --other: #b4b8be;
  }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body {
  margin: 0; background: var(--page); color: var(--text);
  font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
  display: grid; grid-template-columns: minmax(15rem, 19rem) minmax(0, 1fr);
}
a { color: var(--accent); }
a:focus-visible, summary:focus-visible, pre:focus-visible {
  outline: 2px solid var(--accent); outline-offset: 2px;
}
.skip { position: absolute; left: -100vw; }
.skip:focus { left: 1rem; top: 1rem; background: var(--page); padding: .5rem; }
code, pre, .method {
  font-family: ui-monospace, "SF Mono", "Cascadia Mono", "DejaVu Sans Mono", monospace;
}
code { font-size: .9em; overflow-wrap: anywhere; }
nav {
  position: sticky; top: 0; height: 100vh; overflow-y: auto; padding: 1.25rem 1rem 2rem;
  background: var(--panel); border-right: 1px solid var(--line);
}
nav .title { margin: 0 0 1rem; font-weight: 650; }
nav .title a { color: inherit; text-decoration: none; }
nav summary { cursor: pointer; font-weight: 600; padding: .25rem 0; }
nav ul { list-style: none; margin: 0 0 .75rem; padding: 0; }
nav li a {
  display: grid; grid-template-columns: 3.6rem minmax(0, 1fr); gap: .4rem; align-items: baseline;
  padding: .2rem .4rem; border-radius: .35rem; color: inherit; text-decoration: none;
  font-size: .875rem; overflow-wrap: anywhere;
}
nav li a:hover { background: var(--code); }
nav .deprecated { text-decoration: line-through; color: var(--quiet); }
small { color: var(--quiet); font-weight: 400; font-size: .75em; }
main { padding: 2rem clamp(1rem, 4vw, 3.5rem) 6rem; max-width: 60rem; min-width: 0; }
h1 { margin: 0 0 .5rem; font-size: 2rem; line-height: 1.2; overflow-wrap: anywhere; }
h2 {
  margin: 3rem 0 1rem; padding-bottom: .35rem; border-bottom: 1px solid var(--line);
  font-size: 1.35rem; overflow-wrap: anywhere;
}
h3 { margin: 0; font-size: 1.02rem; font-weight: 600; overflow-wrap: anywhere; }
h4 { margin: 1.4rem 0 .4rem; font-size: .85rem; letter-spacing: .02em; color: var(--quiet); }
p { margin: .5rem 0; overflow-wrap: anywhere; }
.summary { font-size: 1.05rem; }
.operation {
  margin: 0 0 1.5rem; padding: 1.1rem 1.25rem 1.25rem; border: 1px solid var(--line);
  border-radius: .6rem;
}
.operation:target { border-color: var(--accent); box-shadow: 0 0 0 1px var(--accent); }
.operation > header { display: flex; flex-wrap: wrap; gap: .4rem .75rem; align-items: baseline; }
.method { font-size: .75rem; font-weight: 700; color: var(--other); }
.operation .method { font-size: .85rem; }
.method.get { color: var(--get); } .method.post { color: var(--post); }
.method.put { color: var(--put); } .method.patch { color: var(--patch); }
.method.delete { color: var(--delete); }
.badge {
  padding: .05rem .5rem; border: 1px solid var(--line); border-radius: 1rem; font-size: .78rem;
  color: var(--mark);
}
.fields { list-style: none; margin: 0; padding: 0; }
.fields > li { padding: .4rem 0; border-top: 1px solid var(--line); overflow-wrap: anywhere; }
.fields > li:first-child { border-top: 0; }
.fields .fields {
  margin: .4rem 0 0 .25rem; padding-left: .9rem; border-left: 2px solid var(--line);
}
.fields p { margin: .15rem 0 0; font-size: .92rem; color: var(--quiet); }
.name { font-weight: 600; }
.type, .place, .constraint { margin-left: .35rem; font-size: .85rem; color: var(--quiet); }
.required { margin-left: .35rem; font-size: .8rem; color: var(--mark); }
.constraint::before { content: "· "; }
.constraint code { color: var(--text); }
pre {
  margin: .3rem 0; padding: .8rem 1rem; overflow-x: auto; background: var(--code);
  border-radius: .4rem; font-size: .85rem; line-height: 1.5;
}
pre code { overflow-wrap: normal; font-size: inherit; }
.response { margin: .3rem 0; }
.response > summary, details > summary { cursor: pointer; }
details.response > :not(summary) { margin-left: 1.1rem; }
p.response { padding-left: 1.1rem; }
.status { font-weight: 650; font-variant-numeric: tabular-nums; }
.status-2 { color: var(--post); } .status-3 { color: var(--get); }
.status-4 { color: var(--put); } .status-5 { color: var(--delete); }
.media { margin: .4rem 0 .2rem; }
@media (max-width: 52rem) {
  body { display: block; }
  nav {
    position: static; height: auto; max-height: 45vh; padding-bottom: 1rem;
    border-right: 0; border-bottom: 1px solid var(--line);
  }
  .operation { padding: .9rem; }
  h1 { font-size: 1.6rem; }
}
@media print {
  body { display: block; } nav { display: none; } .operation { break-inside: avoid; }
}
`;
