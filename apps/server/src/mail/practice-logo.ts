/**
 * A practice's logo in the HTML of an email: attached and referenced by its Content-ID (RFC 2392), so that email clients don't have to
 * fetch anything. The practice's name appears beside it as text, for clients that don't show images.
 */

/** Placeholder for the logo. If the practice has since removed its logo, this remains as an invisible comment. */
export const LOGO_PLACEHOLDER = '<!--logo-->';

const CONTENT_ID = 'practice-logo';
const MAX_SHOWN_SIZE = { width: 200, height: 48 };

/** Nodemailer's attachments. */
export function attachLogo(logo: Uint8Array | undefined) {
  if (logo === undefined) return {};
  const content = Buffer.from(logo);
  return {
    attachments: [{ filename: 'logo.png', content, contentType: 'image/png', contentDisposition: 'inline' as const, cid: CONTENT_ID }],
  };
}

/** On white in both colour schemes, because logos are designed for paper. Outlook needs the size as attributes. */
export function showLogo(logo: Uint8Array): string {
  const { width, height } = getShownSize(logo);
  return `<img src="cid:${CONTENT_ID}" width="${width}" height="${height}" alt="" style="display:block;margin:0 0 8px;padding:8px;background:#FFFFFF;border:0;border-radius:8px">`;
}

/** A PNG's first chunk contains its size (RFC 2083, 4.1.1). */
function getShownSize(logo: Uint8Array): { width: number; height: number } {
  const view = new DataView(logo.buffer, logo.byteOffset, logo.byteLength);
  const [width, height] = [view.getUint32(16), view.getUint32(20)];
  const scale = Math.min(1, MAX_SHOWN_SIZE.width / width, MAX_SHOWN_SIZE.height / height);
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}
