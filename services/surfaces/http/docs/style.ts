/** The style of all pages; their policy allows it by its hash and nothing else. */
export const STYLE = `
:root { color-scheme: light dark; --line: #8884; --soft: #8881; --text: light-dark(#1c2321, #e4e8e6); --quiet: light-dark(#56615d, #a3ada9);
  --page: light-dark(#fff, #141817); --accent: light-dark(#0a6d5e, #4fd0b9); }
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { margin: 0; background: var(--page); color: var(--text); font: 16px/1.6 system-ui, sans-serif; overflow-wrap: break-word; }
a { color: var(--accent); text-underline-offset: .15em; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.skip { position: absolute; left: -100rem; } .skip:focus { left: 1rem; top: 1rem; padding: .5rem 1rem; background: var(--page); z-index: 1; }
header { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; align-items: baseline; padding: .8rem 1.5rem; border-bottom: 1px solid var(--line); }
header a { text-decoration: none; } header > a { font-weight: 700; font-size: 1.1rem; color: var(--text); }
header nav { display: flex; gap: 1.25rem; }
.columns { display: grid; grid-template-columns: 17rem minmax(0, 1fr); max-width: 84rem; margin: 0 auto; }
.contents { padding: 1.5rem 1rem 3rem 1.5rem; font-size: .92rem; line-height: 1.4; position: sticky; top: 0; align-self: start; max-height: 100vh; overflow-y: auto; }
.contents h2 { margin: 1.4rem 0 .4rem; font-size: .8rem; font-weight: 600; color: var(--quiet); text-transform: uppercase; letter-spacing: .05em; }
.contents ul { list-style: none; margin: 0; padding: 0; } .contents li ul { padding-left: .8rem; margin: .15rem 0 .5rem; border-left: 1px solid var(--line); font-size: .87rem; }
.contents a { display: block; padding: .2rem .5rem; border-radius: .3rem; text-decoration: none; color: inherit; }
.contents a:hover { background: var(--soft); } .contents a[aria-current] { color: var(--accent); font-weight: 600; background: var(--soft); }
main { padding: 1.5rem 2rem 4rem; min-width: 0; max-width: 60rem; }
h1 { margin: 0 0 1rem; font-size: 2rem; line-height: 1.2; } h2 { margin: 2.75rem 0 .75rem; font-size: 1.4rem; line-height: 1.3; }
h3 { margin: 2rem 0 .5rem; font-size: 1.1rem; } h4 { margin: 1.2rem 0 .4rem; font-size: .95rem; }
.anchor { color: var(--quiet); text-decoration: none; font-weight: 400; opacity: 0; } :is(h1, h2, h3, h4):hover .anchor, .anchor:focus { opacity: 1; }
code, pre { font: .86em/1.5 ui-monospace, "Cascadia Code", Menlo, Consolas, monospace; } code { padding: .1em .3em; background: var(--soft); border-radius: .25rem; }
pre { overflow-x: auto; padding: .9rem 1.1rem; background: var(--soft); border: 1px solid var(--line); border-radius: .4rem; } pre code { padding: 0; background: none; font-size: 1em; }
pre b { color: var(--accent); font-weight: 600; } pre i { font-style: normal; color: var(--quiet); user-select: none; }
button { font: inherit; font-size: .85rem; color: inherit; background: var(--page); border: 1px solid var(--line); border-radius: .35rem; padding: .15rem .6rem; cursor: pointer; }
kbd { font: .85em ui-monospace, monospace; border: 1px solid var(--line); border-radius: .2rem; padding: 0 .3em; }
[data-search] { margin-left: auto; }
.code { position: relative; } .copy { position: absolute; top: .4rem; right: .4rem; opacity: 0; } :is(.code:hover, .code:focus-within) > .copy { opacity: 1; } @media (hover: none) { .copy { opacity: 1; } }
.label { margin: 1rem 0 -.6rem; font-size: .85rem; color: var(--quiet); }
.tabs { margin: 1rem 0; } [role=tablist] { display: flex; flex-wrap: wrap; gap: .25rem; } [role=tab] { border-radius: .35rem .35rem 0 0; border-bottom: 0; } [role=tab][aria-selected=true] { color: var(--accent); font-weight: 600; background: var(--soft); } .tabs pre { margin-top: 0; border-top-left-radius: 0; }
.search { width: min(44rem, 94vw); max-height: 80vh; margin-top: 8vh; padding: 1rem; color: var(--text); background: var(--page); border: 1px solid var(--line); border-radius: .6rem; } .search::backdrop { background: #0006; }
.row { display: flex; gap: .5rem; } .row input { flex: 1; min-width: 0; font: inherit; padding: .4rem .7rem; color: inherit; background: var(--page); border: 1px solid var(--quiet); border-radius: .35rem; }
.quiet { color: var(--quiet); font-size: .9rem; } .search ol { list-style: none; margin: 0; padding: 0; } .search li a { display: block; padding: .5rem .6rem; border-radius: .35rem; color: inherit; text-decoration: none; } .search li a:is(:hover, :focus) { background: var(--soft); }
.excerpt { display: block; font-size: .88rem; color: var(--quiet); } mark { color: var(--accent); background: none; font-weight: 600; }
.table { overflow-x: auto; margin: 1rem 0; } table { border-collapse: collapse; font-size: .92rem; min-width: min(100%, 30rem); }
th, td { text-align: left; vertical-align: top; padding: .4rem 1rem .4rem 0; border-top: 1px solid var(--line); overflow-wrap: normal; } thead :is(th, td) { border-top: 0; }
img { max-width: 100%; height: auto; } blockquote { margin: 1rem 0; padding: 0 1rem; border-left: 3px solid var(--line); color: var(--quiet); }
.turn { display: flex; justify-content: space-between; gap: 1rem; margin-top: 4rem; padding-top: 1rem; border-top: 1px solid var(--line); }
.turn span { display: block; font-size: .85rem; color: var(--quiet); } .turn a { text-decoration: none; } .turn .next { margin-left: auto; text-align: right; }
article { margin: 1.5rem 0; padding: 1rem 1.25rem; border: 1px solid var(--line); border-radius: .5rem; } article h3 { margin: 0; }
.method { color: var(--accent); font-weight: 700; text-transform: uppercase; font-size: .85em; } .contents .method { font-size: .72rem; display: inline-block; min-width: 3.2rem; }
summary { cursor: pointer; }
/* Where a browser can't show what a closed <details> holds, its summary stays and opens it. */
@supports selector(::details-content) { @media (min-width: 56.01rem) { .contents summary { display: none; } .contents details::details-content { content-visibility: visible; } } }
@media (max-width: 56rem) {
  .columns { grid-template-columns: minmax(0, 1fr); } .contents { position: static; max-height: none; padding: .75rem 1.25rem; border-bottom: 1px solid var(--line); }
  .contents details[open] { padding-bottom: 1rem; } .contents h2 { margin-top: 1rem; } header { padding: .8rem 1.25rem; } main { padding: 1.25rem 1.25rem 3rem; }
}
@media print { header, .contents, .turn, .anchor { display: none; } .columns { display: block; } }
`;
