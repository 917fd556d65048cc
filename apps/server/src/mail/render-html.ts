/**
 * HTML for email clients. Outlook on Windows uses Word for layout, so the layout is tables with inline styles; clients that support style
 * sheets also get the dark scheme. The only image is a practice's logo, which is attached (practice-logo.ts). No scripts.
 */
import type { EmailPage } from './email-content.ts';
import { LOGO_PLACEHOLDER } from './practice-logo.ts';

/** The web app's colours (apps/web/src/core/tokens.ts), with the brand's green as text. */
const LIGHT = { ground: '#FAF9F7', paper: '#FFFFFF', text: '#022F2A', quiet: '#52678A', line: '#E4E1DC', soft: '#FAF9F7' } as const;
const DARK = { ground: '#111315', paper: '#1A1D20', text: '#F0EEEB', quiet: '#ABB0B7', line: '#32363B', soft: '#111315' } as const;
/** White text on it has a contrast of 5.5:1 in both schemes. */
const BUTTON = '#7440F5';

const FONT = `font-family:'Work Sans','Segoe UI',Helvetica,Arial,sans-serif`;
const WIDTH = 600;

const STYLE = `
body{margin:0;padding:0;width:100%;-webkit-text-size-adjust:100%}
a{color:${BUTTON}}
@media (max-width:480px){.page{padding:16px 8px!important}.card{padding:24px 20px!important}.button a{display:block!important}.button{width:100%!important}}
@media (prefers-color-scheme:dark){
.ground{background:${DARK.ground}!important}.card{background:${DARK.paper}!important;border-color:${DARK.line}!important}
.text{color:${DARK.text}!important}.quiet{color:${DARK.quiet}!important}.line{border-color:${DARK.line}!important}
.soft{background:${DARK.soft}!important;border-color:${DARK.line}!important}
}`;

/** Stops email clients from filling the preview in their list with the text after the preheader. */
const PREVIEW_FILLER = '&#847;&zwnj;&nbsp;'.repeat(40);

export function renderHtml(page: EmailPage): string {
  const { subject, preheader, brand, heading, paragraphs, facts = [], button, notes = [], document, footer, unsubscribeUrl, sender } = page;
  const body = [
    `<h1 class="text" style="margin:0 0 16px;${FONT};font-size:24px;line-height:32px;font-weight:600;color:${LIGHT.text}">${escape(heading)}</h1>`,
    ...paragraphs.map((text) => renderParagraph(text)),
    facts.length > 0 ? renderFactTable(facts) : '',
    button ? renderButtonTable(button) : '',
    ...notes.map((text) => renderSmallText(text, 16)),
    document === undefined ? '' : renderDocumentBox(document),
  ].join('\n');
  return `<!doctype html>
<html lang="en-GB" dir="ltr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no,date=no,address=no,email=no,url=no">
<title>${escape(subject)}</title>
<style>:root{color-scheme:light dark;supported-color-schemes:light dark}${STYLE}</style>
</head>
<body class="ground" style="margin:0;padding:0;background:${LIGHT.ground}">
<div style="display:none;max-height:0;max-width:0;overflow:hidden;opacity:0;mso-hide:all">${escape(preheader)}${PREVIEW_FILLER}</div>
<table role="presentation" class="ground" width="100%" cellpadding="0" cellspacing="0" border="0" bgcolor="${LIGHT.ground}" style="background:${LIGHT.ground}">
<tr><td class="page" align="center" style="padding:32px 16px">
<!--[if mso]><table role="presentation" width="${WIDTH}" cellpadding="0" cellspacing="0" border="0"><tr><td><![endif]-->
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:${WIDTH}px">
<tr><td class="text" style="padding:0 0 16px;${FONT};font-size:20px;line-height:28px;font-weight:600;color:${sender?.colour ?? LIGHT.text}">${sender?.logoOf === undefined ? '' : LOGO_PLACEHOLDER}${escape(sender?.name ?? brand)}</td></tr>
<tr><td class="card" bgcolor="${LIGHT.paper}" style="padding:32px;background:${LIGHT.paper};border:1px solid ${LIGHT.line};border-radius:8px">
${body}
</td></tr>
<tr><td style="padding:16px 0 0">${footer.map((text) => renderSmallText(text, 0)).join('\n')}${unsubscribeUrl === undefined ? '' : renderUnsubscribeLink(unsubscribeUrl)}</td></tr>
</table>
<!--[if mso]></td></tr></table><![endif]-->
</td></tr>
</table>
</body>
</html>
`;
}

function renderParagraph(text: string): string {
  return `<p class="text" style="margin:0 0 16px;${FONT};font-size:16px;line-height:24px;color:${LIGHT.text}">${escapeLines(text)}</p>`;
}

function renderSmallText(text: string, marginTop: number): string {
  return `<p class="quiet" style="margin:${marginTop}px 0 8px;${FONT};font-size:14px;line-height:20px;color:${LIGHT.quiet}">${escapeLines(text)}</p>`;
}

function renderUnsubscribeLink(url: string): string {
  return `<p class="quiet" style="margin:0 0 8px;${FONT};font-size:14px;line-height:20px;color:${LIGHT.quiet}"><a class="quiet" href="${escape(url)}" style="color:${LIGHT.quiet}">Unsubscribe from these emails</a></p>`;
}

function renderFactTable(facts: readonly (readonly [label: string, value: string])[]): string {
  const cell = `padding:12px 0;border-bottom:1px solid ${LIGHT.line};${FONT};font-size:16px;line-height:24px;vertical-align:top`;
  const rows = facts.map(
    ([label, value]) =>
      `<tr><th class="quiet line" scope="row" align="left" style="${cell};padding-right:16px;font-weight:400;color:${LIGHT.quiet}">${escape(label)}</th>` +
      `<td class="text line" align="right" style="${cell};font-weight:600;color:${LIGHT.text};word-break:break-word">${preventDateWrapping(escapeLines(value))}</td></tr>`,
  );
  return `<table class="line" width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:8px 0 0;border-top:1px solid ${LIGHT.line}">${rows.join('\n')}</table>`;
}

/**
 * The cell carries the colour and Outlook's padding; the link carries the padding for all other clients, so that the whole button is
 * clickable.
 */
function renderButtonTable({ label, url }: { readonly label: string; readonly url: string }): string {
  return `<table role="presentation" class="button" cellpadding="0" cellspacing="0" border="0" style="margin:24px 0 8px"><tr>
<td align="center" bgcolor="${BUTTON}" style="border-radius:8px;background:${BUTTON};mso-padding-alt:14px 24px"><a href="${escape(url)}" style="display:inline-block;padding:14px 24px;${FONT};font-size:16px;line-height:20px;font-weight:600;color:#FFFFFF;text-decoration:none;border-radius:8px">${escape(label)}</a></td>
</tr></table>`;
}

function renderDocumentBox(text: string): string {
  return `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:24px 0 0"><tr>
<td class="soft text" style="padding:16px;background:${LIGHT.soft};border:1px solid ${LIGHT.line};border-radius:8px;${FONT};font-size:14px;line-height:20px;color:${LIGHT.text};word-break:break-word">${escapeLines(text).replaceAll('<br>', '<br><br>')}</td>
</tr></table>`;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function escape(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

/** Escapes text and keeps its line breaks; Outlook ignores `white-space`. */
function escapeLines(text: string): string {
  return escape(text).replaceAll(/\r?\n/g, '<br>');
}

/** Keeps dates such as "30 September 2026" on one line in a narrow column. */
function preventDateWrapping(markup: string): string {
  return markup.replaceAll(/\b(\d{1,2}) ([A-Z][a-z]+) (\d{4})\b/g, '$1&nbsp;$2&nbsp;$3');
}
