/** A person's message as plain text and as plain HTML: as if typed in a mail program, without our layout. */
export function renderMessage(body: string): { readonly text: string; readonly html: string } {
  const text = body.replaceAll('\r\n', '\n').trim();
  const paragraphs = text.split(/\n{2,}/).map((paragraph) => `<p>${escapeHtml(paragraph).replaceAll('\n', '<br>')}</p>`);
  return { text: `${text}\n`, html: `<!doctype html><html lang="en-GB"><body>${paragraphs.join('')}</body></html>` };
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
