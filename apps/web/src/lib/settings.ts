/** What the server tells every page about itself, in its head. */

export const PORTAL_BASE = '/portal';

function readMeta(name: string): string {
  const content = document.querySelector(`meta[name="${name}"]`)?.getAttribute('content') ?? '';
  // The server fills %PORTAL_...%; an unfilled one means that nobody set it.
  return content.startsWith('%') ? '' : content;
}

/** The brand's name, for titles and the logo's text. */
export const brandName = (): string => readMeta('portal-brand') || 'Tidewater';

/** Where the doubles' own pages are, while any provider is a double; empty otherwise. */
export const sandboxUrl = (): string => readMeta('portal-sandbox');
