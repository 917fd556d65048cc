/** Builds a complete email message (RFC 5322), for providers that accept one. */
import { createTransport } from 'nodemailer';
import { toDisplayName } from './display-name.ts';
import { getHeaders } from './mail-headers.ts';
import { attachLogo } from './practice-logo.ts';

type MessageFacts = {
  readonly from: { readonly name: string; readonly address: string };
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html?: string;
  /** A PNG shown in the HTML. */
  readonly logo?: Uint8Array;
  /** The URL that stops emails of this kind in one click. */
  readonly unsubscribeUrl?: string;
  /** The portal wrote the text. */
  readonly isAutomatic?: true;
};

/** A Nodemailer transport that sends nothing and returns the message (nodemailer.com/transports/stream). */
const messageBuilder = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });

/** `id` identifies the attempt and becomes part of the message's own ID. */
export async function buildMessage(
  { logo, from, to, subject, text, html, unsubscribeUrl, isAutomatic }: MessageFacts,
  id: string,
): Promise<Uint8Array> {
  const domain = from.address.split('@')[1] ?? 'localhost';
  const sender = { ...from, name: toDisplayName(from.name) };
  const { message } = await messageBuilder.sendMail({
    from: sender,
    to,
    subject,
    text,
    ...(html === undefined ? {} : { html }),
    ...attachLogo(logo),
    messageId: `<${id}@${domain}>`,
    headers: getHeaders({ isAutomatic: isAutomatic === true, unsubscribeUrl }),
  });
  if (!Buffer.isBuffer(message)) throw new TypeError('the message was built as a stream');
  return message;
}
