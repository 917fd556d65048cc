/** Sends one email over SMTP. Callers never send directly: they enqueue `mail.send` in their transaction, so that no mail is lost or sent for a change that was rolled back. */
import { createTransport } from 'nodemailer';

export type Mail = { readonly to: string; readonly subject: string; readonly text: string };

export type Mailer = { send(mail: Mail): Promise<void>; close(): void };

export function createMailer(settings: { smtpUrl: string; from: string }): Mailer {
  const transport = createTransport({ url: settings.smtpUrl, connectionTimeout: 5_000, socketTimeout: 10_000 });
  return {
    send: async (mail) => {
      await transport.sendMail({ from: settings.from, to: mail.to, subject: mail.subject, text: mail.text });
    },
    close: () => transport.close(),
  };
}
