const MAX_COLUMNS = 8;

/** Style sheet of the sandbox. Uses the product's colours and sizes, without its fonts or scripts. */
export const CSS = `
:root { color-scheme: light; --ink: #022F2A; --soft: #52678A; --line: #DDD9D2; --ground: #FAF8F5; --primary: #7440F5; --good: #067F71; --warn: #9C3D17; }
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 16px/1.5 "Work Sans", system-ui, -apple-system, "Segoe UI", sans-serif; }
a { color: var(--primary); text-underline-offset: 2px; }
a:focus-visible, button:focus-visible, input:focus-visible, select:focus-visible, [tabindex]:focus-visible, summary:focus-visible, iframe:focus-visible { outline: 3px solid var(--primary); outline-offset: 2px; border-radius: 4px; }
.skip { position: absolute; left: -999px; } .skip:focus { left: 8px; top: 8px; background: #fff; padding: 8px; z-index: 1; }
.mark { margin: 0; padding: 8px 16px; background: var(--ink); color: #fff; font-size: 14px; text-align: center; }
header { background: #fff; border-bottom: 1px solid var(--line); }
nav ul { list-style: none; display: flex; flex-wrap: wrap; gap: 4px; max-width: 1080px; margin: 0 auto; padding: 8px 12px; }
nav a { display: block; padding: 8px 12px; min-height: 40px; border-radius: 8px; color: var(--ink); text-decoration: none; font-weight: 500; }
nav a:hover { background: var(--ground); } nav a[aria-current] { background: #F1ECFF; color: #5B2BD1; }
main { max-width: 1080px; margin: 0 auto; padding: 16px 16px 64px; }
h1 { font-size: 32px; line-height: 1.2; font-weight: 600; margin: 16px 0 8px; } h2 { font-size: 20px; font-weight: 600; margin: 32px 0 8px; } h3 { font-size: 16px; font-weight: 600; margin: 16px 0 4px; }
p { margin: 8px 0; } .lead { font-size: 20px; max-width: 46em; } .soft, .hint { color: var(--soft); font-size: 14px; }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 300px), 1fr)); gap: 16px; margin: 16px 0; padding: 0; list-style: none; } .cards.forms { align-items: start; }
main > form.card { max-width: 640px; }
.card, form.card { background: #fff; border: 1px solid var(--line); border-radius: 8px; padding: 16px; } .card > :first-child { margin-top: 0; } .card > :last-child { margin-bottom: 0; }
.figure { font-size: 24px; font-weight: 600; font-variant-numeric: tabular-nums; margin: 0; overflow-wrap: anywhere; }
.wide { position: relative; overflow-x: auto; background: #fff; border: 1px solid var(--line); border-radius: 8px; }
table { border-collapse: collapse; width: 100%; font-size: 14px; } th, td { text-align: left; padding: 8px 12px; border-bottom: 1px solid var(--line); vertical-align: top; } tr:last-child td { border-bottom: 0; }
th { color: var(--soft); font-weight: 500; white-space: nowrap; } td.amount, th.amount { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; } td.short { white-space: nowrap; }
code { font: 13px/1.5 ui-monospace, "DejaVu Sans Mono", monospace; overflow-wrap: anywhere; } td code { overflow-wrap: normal; }
.field { display: flex; flex-direction: column; gap: 2px; margin: 12px 0; } label { font-weight: 500; }
input, select { font: inherit; color: inherit; width: 100%; min-height: 44px; padding: 8px 12px; border: 1px solid #8A8F98; border-radius: 8px; background: #fff; }
button { font: inherit; font-weight: 500; min-height: 44px; padding: 8px 16px; border: 1px solid var(--primary); border-radius: 8px; background: var(--primary); color: #fff; cursor: pointer; }
button:hover { background: #5B2BD1; } button.plain { background: #fff; color: var(--primary); } button.plain:hover { background: #F1ECFF; } button.final { background: #fff; color: #C70054; border-color: #C70054; } button.final:hover { background: #FFF0F5; }
td form { display: flex; gap: 8px; align-items: end; } td input, td select { width: auto; min-width: 9em; min-height: 36px; padding: 4px 8px; } td button { min-height: 36px; padding: 4px 12px; white-space: nowrap; }
.row { display: flex; flex-wrap: wrap; gap: 12px; align-items: end; } .row p { margin: 0; } .row .field { margin: 0; flex: 1 1 220px; }
.done { background: #E7F6F3; border-left: 4px solid var(--good); padding: 12px 16px; border-radius: 0 8px 8px 0; } .empty { background: #fff; border: 1px dashed #B9B3A8; border-radius: 8px; padding: 16px; color: var(--soft); }
.warn { background: #FFF3EE; border-left: 4px solid var(--warn); padding: 12px 16px; border-radius: 0 8px 8px 0; }
.mails { list-style: none; margin: 16px 0; padding: 0; background: #fff; border: 1px solid var(--line); border-radius: 8px; } .mails li { padding: 12px 16px; border-bottom: 1px solid var(--line); } .mails li:last-child { border: 0; } .mails a { font-weight: 500; overflow-wrap: anywhere; } .mails p { margin: 2px 0 0; }
details { margin: 8px 0; } summary { cursor: pointer; min-height: 40px; padding: 8px 0; font-weight: 500; }
.text { white-space: pre-wrap; overflow-wrap: anywhere; background: #fff; border: 1px solid var(--line); border-radius: 8px; padding: 16px; margin: 8px 0; }
iframe { width: 100%; height: 760px; resize: vertical; border: 1px solid var(--line); border-radius: 8px; background: #fff; } dl { display: grid; grid-template-columns: auto 1fr; gap: 4px 16px; margin: 8px 0; } dt { color: var(--soft); } dd { margin: 0; overflow-wrap: anywhere; }
.links a { overflow-wrap: anywhere; }
@media (max-width: 599.95px) {
.wide :is(table, tbody, tr) { display: block; } .wide thead { position: absolute; width: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; } .wide tr { padding: 8px 12px; border-bottom: 1px solid var(--line); } .wide tr:last-child { border: 0; }
.wide tbody :is(th, td) { display: block; padding: 2px 0; border: 0; text-align: left; white-space: normal; overflow-wrap: anywhere; } .wide td:empty { display: none; } td code { overflow-wrap: anywhere; } td form { flex-wrap: wrap; margin-top: 4px; }
.wide td::before { color: var(--soft); } ${Array.from({ length: MAX_COLUMNS }, (_, index) => `.wide td:nth-child(${index + 1})::before { content: var(--heading-${index + 1}) ": "; }`).join(' ')}
}
.sr { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
`;
