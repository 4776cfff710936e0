/** Stylesheet of the page: responsive, with a light and a dark theme. */
export const stylesheet = `
:root {
  color-scheme: light dark;
  --paper: light-dark(#faf6ee, #16191d);
  --card: light-dark(#fffdf8, #1e2227);
  --ink: light-dark(#2b2622, #e9e4da);
  --soft: light-dark(#675d53, #aba396);
  --line: light-dark(#e2d8c6, #343a42);
  --link: light-dark(#7a3b12, #f0b37e);
  --board: light-dark(#8a6642, #4a3a2b);
  --serif: "Iowan Old Style", "Palatino Linotype", Palatino, Georgia, serif;
  font: 1rem/1.55 system-ui, sans-serif;
}
[data-theme="light"] { color-scheme: light; }
[data-theme="dark"] { color-scheme: dark; }
* { box-sizing: border-box; }
body {
  margin: 0 auto;
  padding: 0 1.25rem 3rem;
  max-width: 72rem;
  background: var(--paper);
  color: var(--ink);
}
h1, h2 { font-family: var(--serif); line-height: 1.15; }
h1 { margin: 0 0 0.5rem; font-size: clamp(2.25rem, 7vw, 3.5rem); letter-spacing: -0.02em; }
h2 { margin: 3rem 0 1rem; font-size: 1.6rem; }
h3 { margin: 0; font-size: 1rem; }
a { color: var(--link); text-underline-offset: 0.2em; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
code { font: 0.875rem/1.5 ui-monospace, "Cascadia Mono", Menlo, Consolas, monospace; }
header { padding: 3rem 0 1rem; }
header p { margin: 0; max-width: 38rem; font-size: 1.125rem; }
header .facts { margin-top: 0.5rem; color: var(--soft); font-size: 0.95rem; }

.shelf {
  border-bottom: 0.8rem solid var(--board);
  border-radius: 0 0 0.2rem 0.2rem;
  overflow-x: auto;
}
.shelf ul {
  display: flex;
  align-items: end;
  gap: 0.2rem;
  margin: 0;
  padding: 1.5rem 0.5rem 0;
  list-style: none;
}
.shelf li { flex: 1 0 2.6rem; }
.spine {
  display: flex;
  align-items: center;
  justify-content: center;
  padding: 0.75rem 0.25rem;
  border: 1px solid transparent;
  border-radius: 0.2rem 0.2rem 0 0;
  color: #fff;
  text-decoration: none;
}
.spine span {
  writing-mode: vertical-rl;
  max-height: 100%;
  overflow: hidden;
  text-overflow: ellipsis;
  white-space: nowrap;
  font: 0.9rem/1.2 var(--serif);
}
.spine:hover { translate: 0 -0.3rem; }
.tall { height: 17.5rem; }
.medium { height: 16rem; }
.low { height: 14.5rem; }
.hue-0 { background: #7b2d26; }
.hue-1 { background: #2f4858; }
.hue-2 { background: #4c5b2c; }
.hue-3 { background: #6d4c1d; }
.hue-4 { background: #453a62; }
.hue-5 { background: #1f5c52; }
.spine.lent { background: none; border: 1px dashed var(--soft); color: var(--soft); }

section {
  display: grid;
  grid-template-columns: repeat(auto-fill, minmax(min(100%, 30rem), 1fr));
  gap: 1rem;
}
section h2 { grid-column: 1 / -1; margin-bottom: 0; }
article {
  min-width: 0;
  padding: 1rem 1.1rem;
  border: 1px solid var(--line);
  border-radius: 0.6rem;
  background: var(--card);
}
article p { margin: 0.35rem 0 0.75rem; overflow-wrap: anywhere; }
article pre {
  margin: 0;
  padding: 0.65rem 0.8rem;
  white-space: pre-wrap;
  overflow-wrap: anywhere;
  border-radius: 0.4rem;
  background: var(--paper);
}
.method { margin-right: 0.4rem; color: var(--soft); font-size: 0.8rem; letter-spacing: 0.04em; }

footer {
  margin-top: 3rem;
  padding-top: 1rem;
  border-top: 1px solid var(--line);
  color: var(--soft);
}
footer form { display: flex; flex-wrap: wrap; align-items: center; gap: 0.5rem; }
button {
  padding: 0.4rem 0.9rem;
  border: 1px solid var(--line);
  border-radius: 2rem;
  background: var(--card);
  color: var(--ink);
  font: inherit;
  cursor: pointer;
}
button[aria-pressed="true"] { border-color: var(--link); color: var(--link); font-weight: 600; }
`;
