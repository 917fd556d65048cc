/** Builds the download's start page. It doesn't need a network connection or run scripts. */
import { formatInstant, type Instant } from '@portal/domain/clock.ts';
import { formatPounds, pence } from '@portal/domain/money.ts';
import type { DataRow } from './stream-rows.ts';

export type IndexedFile = { readonly name: string; readonly title: string; readonly count: number; readonly preview: readonly DataRow[] };

export type IndexPage = {
  readonly title: string;
  readonly lead: readonly string[];
  readonly files: readonly IndexedFile[];
  readonly missing: readonly { readonly what: string; readonly why: string }[];
};

/** The number of rows of each file that the page shows. */
export const PREVIEW_ROWS = 50;
const MAX_CELL_LENGTH = 300;

const STYLE = `:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:70rem;margin:0 auto;padding:1.5rem}
h1{font-size:2rem}h2{font-size:1.25rem;margin:2.5rem 0 .5rem}nav li{margin:.25rem 0}.scroll{overflow-x:auto}
table{border-collapse:collapse;font-size:.875rem}th,td{text-align:left;vertical-align:top;padding:.375rem .75rem .375rem 0;border-bottom:1px solid #8888;overflow-wrap:anywhere;min-width:6rem;max-width:24rem}
.quiet{opacity:.75}`;

export function* writeIndexPage({ title, lead, files, missing }: IndexPage): Generator<string> {
  const filledFiles = files.filter(({ count }) => count > 0);
  yield `<!doctype html><html lang="en-GB"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escape(title)}</title><style>${STYLE}</style>
<h1>${escape(title)}</h1>${lead.map((text) => `<p>${escape(text)}</p>`).join('')}
<nav><h2>Contents</h2><ul>${filledFiles.map((file, index) => `<li><a href="#part-${index}">${escape(file.title)}</a> <span class="quiet">${countRows(file)}</span></li>`).join('')}</ul></nav>`;
  for (const [index, file] of filledFiles.entries()) yield writePart(file, index);
  const empty = files.filter(({ count }) => count === 0);
  if (empty.length > 0) yield `<h2>Nothing stored</h2><ul>${empty.map((file) => `<li>${escape(file.title)}</li>`).join('')}</ul>`;
  yield `<h2>What isn’t in this download</h2><ul>${missing.map(({ what, why }) => `<li><strong>${escape(what)}</strong>: ${escape(why)}</li>`).join('')}</ul></html>`;
}

const countRows = ({ count }: IndexedFile): string => (count === 1 ? '1 record' : `${count.toLocaleString('en-GB')} records`);

function writePart(file: IndexedFile, index: number): string {
  // Omit columns that are empty in all rows shown, because they would push the others off the page.
  const columns = Object.keys(file.preview[0] ?? {}).filter((name) => file.preview.some((row) => toText(name, row[name]) !== ''));
  const previewNote = file.count > PREVIEW_ROWS ? ` The first ${PREVIEW_ROWS} are shown here.` : '';
  return `<h2 id="part-${index}">${escape(file.title)}</h2><p class="quiet">${countRows(file)}, complete in ${escape(file.name)}.${previewNote}</p>
<div class="scroll"><table>${file.count === 1 ? writeFacts(columns, file.preview[0] ?? {}) : writeRows(columns, file.preview)}</table></div>`;
}

const writeFacts = (columns: readonly string[], row: DataRow): string =>
  columns.map((name) => `<tr><th scope="row">${escape(toHeading(name))}</th><td>${escape(toText(name, row[name]))}</td></tr>`).join('');

function writeRows(columns: readonly string[], rows: readonly DataRow[]): string {
  const head = columns.map((name) => `<th scope="col">${escape(toHeading(name))}</th>`).join('');
  const body = rows.map((row) => `<tr>${columns.map((name) => `<td>${escape(toText(name, row[name]))}</td>`).join('')}</tr>`).join('');
  return `<thead><tr>${head}</tr></thead><tbody>${body}</tbody>`;
}

const ABBREVIATIONS = /\b(arn|ct|hmrc|id|ip|nino|paye|sa|utr|vat|vrn)\b/gi;

/** Turns "accepted_ip" into "Accepted IP". */
export function toHeading(name: string): string {
  const words = name.replace(/_(pence|pounds)$/, '').replaceAll('_', ' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`.replaceAll(ABBREVIATIONS, (word) => word.toUpperCase());
}

const INSTANT = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/;

function toText(name: string, value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' && name.endsWith('_pence')) return formatPounds(pence(value));
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof value === 'string' && INSTANT.test(value)) return formatInstant(value as Instant);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > MAX_CELL_LENGTH ? `${text.slice(0, MAX_CELL_LENGTH)}…` : text;
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function escape(text: string): string {
  return text.replaceAll(/[&<>"']/g, (letter) => ESCAPES[letter] ?? letter);
}
