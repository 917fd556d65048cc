import type { SentFor } from './mailer.ts';

/** What an email says. Every value is plain text; the layout escapes it. A line break in a value stays one. */
export type EmailContent = {
  /** The practice that writes to its client; the email then names it first, and us as “via”. */
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
  /** A text that the person keeps in full, one paragraph per line, such as an agreement. */
  readonly document?: string;
  /** Why the person receives this email, as a sentence. */
  readonly reason: string;
  /** The page below /portal that ends emails of this kind in one click, which mail programs offer too (RFC 8058). */
  readonly unsubscribePath?: string;
  /** What a report that it came back concerns. Emails about an account’s security have none, and always leave. */
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
  /** The reason, and how to get help. */
  readonly footer: readonly string[];
};
