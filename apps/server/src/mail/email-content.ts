import type { SentFor } from './mailer.ts';

/** The content of an email. Every value is plain text; the layout escapes it and keeps line breaks. */
export type EmailContent = {
  /** The practice that writes to its client. The email then shows its name first, and ours after “via”. */
  readonly sender?: EmailSender;
  readonly subject: string;
  /** Shown beside the subject in a list of messages. */
  readonly preheader: string;
  readonly heading: string;
  readonly paragraphs: readonly string[];
  readonly facts?: readonly EmailFact[];
  /** The email's one button. `path` is below /portal, so that an email never links to another site. */
  readonly action?: { readonly label: string; readonly path: string };
  /** Smaller text below the button. */
  readonly notes?: readonly string[];
  /** A text for the recipient to keep in full, one paragraph per line, such as an agreement. */
  readonly document?: string;
  /** Why the recipient gets this email, as a sentence. */
  readonly reason: string;
  /** The page below /portal that stops emails of this kind in one click. Email clients offer it too (RFC 8058). */
  readonly unsubscribePath?: string;
  /** The subject of a report that the email bounced. Account security emails have none, and are always sent. */
  readonly sentFor?: SentFor;
};

/** `colour` has enough contrast on white; null for ours. `logoOf`: the practice whose logo is shown, if it has one. */
export type EmailSender = { readonly name: string; readonly colour: string | null; readonly logoOf?: string };

export type EmailFact = readonly [label: string, value: string];

/** The content with the button's complete address, and the lines that every email ends with. */
export type EmailPage = Omit<EmailContent, 'action' | 'reason' | 'unsubscribePath' | 'sentFor'> & {
  readonly button: { readonly label: string; readonly url: string } | undefined;
  readonly brand: string;
  readonly unsubscribeUrl: string | undefined;
  /** The reason for the email, and how to get help. */
  readonly footer: readonly string[];
};
