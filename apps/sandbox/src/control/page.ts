/** Layout shared by every sandbox page, clearly marked as not belonging to a provider. */
import type { FastifyReply } from 'fastify';
import { requestUrl } from '../simulator/request.ts';
import { CSS } from './page-css.ts';
import { h, type Markup } from './markup.ts';

const NAV_LINKS = [
  ['/', 'Overview'],
  ['/mailbox', 'Mailbox'],
  ['/control/bank', 'Bank'],
  ['/control/hmrc', 'HMRC'],
  ['/control/clock', 'Clock'],
  ['/control/faults', 'Faults'],
] as const;

/** No scripts are allowed. The only frame is the mailbox's sandboxed HTML preview. */
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/** Sends a page with the reply's status, which is 200 by default. */
export function sendPage(reply: FastifyReply, title: string, content: Markup): FastifyReply {
  const url = requestUrl(reply.request);
  const doneMessage = url.searchParams.get('done');
  const links = NAV_LINKS.map(
    ([path, name]) => h`<li><a href="${path}"${isCurrentPage(url.pathname, path) && h` aria-current="page"`}>${name}</a></li>`,
  );
  const { markup } = h`<!doctype html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title === 'Sandbox' ? title : `${title} – Sandbox`}</title>
<link rel="icon" href="data:,">
<style>${{ markup: CSS }}</style>
</head>
<body>
<a class="skip" href="#content">Skip to main content</a>
<header><p class="mark"><strong>Sandbox:</strong> this isn’t HMRC or a real bank.</p>
<nav aria-label="Sandbox"><ul>${links}</ul></nav></header>
<main id="content">
<h1>${title}</h1>
${doneMessage !== null && h`<p class="done" role="status"><strong>Done.</strong> ${doneMessage}</p>`}
${content}
</main>
</body>
</html>`;
  return reply
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': CONTENT_SECURITY_POLICY,
      'referrer-policy': 'same-origin',
      'cache-control': 'no-store',
    })
    .send(markup);
}

function isCurrentPage(pathname: string, linkPath: string): boolean {
  return linkPath === '/' ? pathname === '/' : pathname === linkPath || pathname.startsWith(`${linkPath}/`);
}

/**
 * Renders a table, or the `empty` text when it has no rows. Amount columns are right-aligned. On a narrow screen the cells come below each
 * other, each after its column's heading, which the style sheet reads from a property of the table.
 */
export function renderTable(caption: string, headings: readonly Heading[], rows: readonly Markup[], emptyText: string): Markup {
  if (rows.length === 0) return h`<h2>${caption}</h2><p class="empty">${emptyText}</p>`;
  const names = headings.map((heading, index) => `--heading-${index + 1}:${JSON.stringify(toName(heading))}`).join(';');
  return h`<h2>${caption}</h2>
<div class="wide" role="region" aria-label="${caption}" tabindex="0"><table style="${names}">
<thead><tr>${headings.map((heading) => h`<th scope="col"${typeof heading !== 'string' && h` class="amount"`}>${toName(heading)}</th>`)}</tr></thead>
<tbody>${rows}</tbody>
</table></div>`;
}

type Heading = string | { readonly amount: string };

const toName = (heading: Heading): string => (typeof heading === 'string' ? heading : heading.amount);

function toFieldId(name: string, label: string): string {
  return `${name}-${label.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}`;
}

/** Renders a labelled text field. */
export function renderField(label: string, name: string, value = '', hint?: string): Markup {
  const id = toFieldId(name, label);
  return h`<p class="field"><label for="${id}">${label}</label>${hint !== undefined && h`<span class="hint" id="${id}-hint">${hint}</span>`}<input id="${id}" name="${name}" value="${value}"${hint !== undefined && h` aria-describedby="${id}-hint"`} required></p>`;
}

/** Renders a labelled select. */
export function renderChoice(
  label: string,
  name: string,
  options: readonly (readonly [value: string, text: string])[],
  selectedValue?: string,
): Markup {
  const id = toFieldId(name, label);
  const list = options.map(([value, text]) => h`<option value="${value}"${value === selectedValue && h` selected`}>${text}</option>`);
  return h`<p class="field"><label for="${id}">${label}</label><select id="${id}" name="${name}">${list}</select></p>`;
}
