import PostalMime, { type Address } from 'postal-mime';
import type { ReceivedEmail } from './mailbox.ts';

/** Parses a message as its recipient's mail client would. Throws if it isn't a message. */
export async function parseEmail(raw: Uint8Array): Promise<ReceivedEmail> {
  const { from, to = [], replyTo = [], subject, text, html } = await PostalMime.parse(raw);
  return {
    to: to.flatMap(({ address }) => (address === undefined ? [] : [address])),
    from: formatAddress(from),
    replyTo: replyTo.map(formatAddress).join(', ') || null,
    subject: subject ?? '',
    text: text ?? '',
    html: html ?? null,
  };
}

function formatAddress(address: Address | undefined): string {
  if (!address?.address) return '';
  return address.name ? `${address.name} <${address.address}>` : address.address;
}
