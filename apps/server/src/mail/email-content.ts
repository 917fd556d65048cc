import type { SentFor } from './mailer.ts';

/** The content of an email. Every value is plain text; the layout escapes it and keeps line breaks. */
export type EmailContent = {
  /** The practice that is writing to its client. The email then shows its name first, and ours after “via”. */
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
  /** A text that the recipient should keep in full, such as an agreement, with one paragraph per line. */
  readonly document?: string;
  /** Why the recipient gets this email, as a sentence. */
  readonly reason: string;
  /** The page below /portal that stops emails of this kind in one click. Email clients offer it as well (RFC 8058). */
  readonly unsubscribePath?: string;
  /** What the email was sent for, so that a bounce can be traced to it. Account security emails don't have this, and are always sent. */
  readonly sentFor?: SentFor;
};

/** `colour` has enough contrast on white; null for our colour. `logoOf`: the practice whose logo is shown, if it has one. */
export type EmailSender = { readonly name: string; readonly colour: string | null; readonly logoOf?: string };

export type EmailFact = readonly [label: string, value: string];

/** The content with the button's full URL, and the lines that end every email. */
export type EmailPage = Omit<EmailContent, 'action' | 'reason' | 'unsubscribePath' | 'sentFor'> & {
  readonly button: { readonly label: string; readonly url: string } | undefined;
  readonly brand: string;
  readonly unsubscribeUrl: string | undefined;
  /** The reason for the email, and how to get help. */
  readonly footer: readonly string[];
};
