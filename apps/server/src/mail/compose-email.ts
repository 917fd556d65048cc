/** The single layout for all emails: the content as HTML with one button, and the same content as plain text. */
import type { EmailContent, EmailPage } from './email-content.ts';
import type { OutgoingEmail } from './mailer.ts';
import { renderHtml } from './render-html.ts';

/** The site settings that appear in emails. */
export type EmailSite = { readonly brand: string; readonly publicUrl: string; readonly contact: { readonly email: string } };

/** Renders an email. Pure: the same content always gives the same email. */
export function composeEmail(site: EmailSite, to: string, content: EmailContent): OutgoingEmail & { readonly html: string } {
  const { action, reason, unsubscribePath, sentFor, ...rest } = content;
  const { sender } = rest;
  const button = action && { label: action.label, url: `${site.publicUrl}/portal${action.path}` };
  // Our own mailbox also receives emails, such as messages from visitors.
  const help = to === site.contact.email ? [] : [`Need help? Email ${site.contact.email}`];
  const unsubscribeUrl = unsubscribePath === undefined ? undefined : `${site.publicUrl}/portal${unsubscribePath}`;
  const footer = [...(sender ? [`${sender.name} via ${site.brand}`] : []), reason, ...help];
  const page: EmailPage = { ...rest, button, brand: site.brand, unsubscribeUrl, footer };
  const unsubscribe = unsubscribeUrl === undefined ? {} : { unsubscribeUrl };
  const logo = sender?.logoOf === undefined ? {} : { logoOf: sender.logoOf };
  return {
    to,
    subject: content.subject,
    text: renderText(page),
    html: renderHtml(page),
    ...logo,
    ...unsubscribe,
    ...(sentFor && { sentFor }),
  };
}

function renderText({ heading, paragraphs, facts = [], button, notes = [], document, brand, unsubscribeUrl, footer }: EmailPage): string {
  const blocks = [
    heading,
    ...paragraphs,
    facts.map(([label, value]) => `${label}: ${value}`).join('\n'),
    // The URL is on its own line, so that every email client recognises it.
    button ? `${button.label}:\n${button.url}` : '',
    ...notes,
    document?.replaceAll('\n', '\n\n') ?? '',
    // Email clients recognise "-- " as the start of a signature (RFC 3676 section 4.3).
    ['-- ', brand, ...footer, ...(unsubscribeUrl === undefined ? [] : [`Unsubscribe from these emails:\n${unsubscribeUrl}`])].join('\n'),
  ];
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}

/** Returns the text without URLs of our pages, because a link may sign its reader in. */
export function hideLinks({ publicUrl }: Pick<EmailSite, 'publicUrl'>, text: string): string {
  return text
    .split(`${publicUrl}/portal`)
    .map((part, index) => (index === 0 ? part : part.replace(/^\S*/, '[link]')))
    .join('');
}
