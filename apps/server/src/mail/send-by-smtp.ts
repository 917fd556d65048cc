/** Sends by SMTP. If that fails, the error records whether the message may have been sent. */
import { ProviderError, type ProviderFailure } from '@portal/providers/http/provider-error.ts';
import { RecipientRefusedError, type OutgoingEmail, type Mailer } from './mailer.ts';

export async function sendBySmtp(mailer: Mailer, email: OutgoingEmail, id: string): Promise<void> {
  try {
    await mailer.send(email, id);
  } catch (error) {
    const smtpError = (error instanceof RecipientRefusedError ? error.cause : error) as SmtpError;
    const { response, responseCode } = smtpError;
    const facts = {
      provider: 'smtp',
      operation: 'smtp.send_mail',
      ...(responseCode === undefined ? {} : { status: responseCode }),
      ...(response === undefined ? {} : { detail: response.slice(0, 300) }),
    };
    throw new ProviderError(toSmtpFailure(smtpError), facts, error);
  }
}

/** Returns what a Nodemailer error means for the message, with the reason given by the mail server or Node. */
export function describeSmtpError(error: unknown): { readonly failure: ProviderFailure; readonly reason: string | null } {
  const { response, message } = error as SmtpError & { readonly message?: string };
  return { failure: toSmtpFailure(error as SmtpError), reason: (response ?? message)?.slice(0, 300) ?? null };
}

/** Nodemailer's errors. `responseCode` is the server's last reply; `syscall` is Node's. */
type SmtpError = { readonly code?: string; readonly syscall?: string; readonly responseCode?: number; readonly response?: string };

/**
 * RFC 5321 section 4.2.1: after a 4xx reply, the message wasn't accepted and may be sent again; after a 5xx reply, it must not be. If a
 * connection was lost or timed out, Nodemailer's error is the same before and after sending the text, so the outcome is unknown.
 */
function toSmtpFailure({ code, syscall, responseCode }: SmtpError): ProviderFailure {
  if (code === 'EAUTH' || code === 'ENOAUTH') return 'unavailable';
  if (responseCode !== undefined && responseCode >= 400) return responseCode < 500 ? 'throttled' : 'refused';
  // Nodemailer itself rejected the address or the text.
  if (code === 'EENVELOPE' || code === 'EMESSAGE') return 'refused';
  return code === 'EDNS' || syscall === 'connect' ? 'unavailable' : 'unknown';
}
