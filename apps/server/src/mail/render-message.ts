import { showLogo } from './practice-logo.ts';

/** How a practice signs its messages. `colour` has enough contrast on white. */
export type MessageSignature = { readonly name: string; readonly colour: string | null; readonly logo: Uint8Array | undefined };

/**
 * Renders a practice member's message as plain text and as plain HTML, as if typed in an email client, without our layout. The HTML ends
 * with the logo and name of a practice that has set up its branding.
 */
export function renderMessage(
  body: string,
  signature: MessageSignature | null = null,
): { readonly text: string; readonly html: string; readonly logo?: Uint8Array } {
  const text = body.replaceAll('\r\n', '\n').trim();
  const paragraphs = text.split(/\n{2,}/).map((paragraph) => `<p>${escapeHtml(paragraph).replaceAll('\n', '<br>')}</p>`);
  const signatureHtml = signature ? renderSignature(signature) : '';
  const html = `<!doctype html><html lang="en-GB"><body>${paragraphs.join('')}${signatureHtml}</body></html>`;
  return { text: `${text}\n`, html, ...(signature?.logo === undefined ? {} : { logo: signature.logo }) };
}

/** On white in both colour schemes, so that the colour keeps its contrast. */
function renderSignature({ name, colour, logo }: MessageSignature): string {
  const style = `margin:24px 0 0;padding:8px;background:#FFFFFF;font-weight:600;color:${colour ?? '#022F2A'}`;
  return `<div style="${style}">${logo === undefined ? '' : showLogo(logo)}${escapeHtml(name)}</div>`;
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
