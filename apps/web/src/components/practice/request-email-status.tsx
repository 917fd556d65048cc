/** Shows whether HMRC's link for a pending request was emailed to the client, to whom and when, or why not. */
import type { RequestEmail } from '@portal/contract/authorisations.ts';
import { InstantText, DateText } from '../formats/date-text.tsx';
import { Text } from '../../ui/text.tsx';

/** Returns whether someone must do something about the email. */
export function needsPerson(email: RequestEmail | null): boolean {
  return email === null || ['failed', 'bounced', 'unknown', 'cancelled', 'no_email'].includes(email.status);
}

/** Returns true if the status will soon change automatically. */
export function isUnderWay(email: RequestEmail | null): boolean {
  return email !== null && (email.status === 'sending' || (email.status === 'queued' && !email.is_waiting));
}

export function RequestEmailStatus({ email }: { email: RequestEmail | null }) {
  return (
    <div role="status">
      <Text size="small" tone={email !== null && needsPerson(email) ? 'warning' : 'quiet'}>
        <EmailText email={email} />
      </Text>
    </div>
  );
}

function EmailText({ email }: { email: RequestEmail | null }) {
  if (email === null) return 'Not emailed. Send the client this link, or email it from here.';
  const { kind, status, to, at, reason, is_waiting: isWaiting, reminds_on: remindsOn } = email;
  const actionText = kind === 'reminder' ? 'Reminder emailed' : 'Emailed';
  switch (status) {
    case 'no_email':
      return 'Not emailed: this client has no email address. Add one on the client’s profile, or send the link yourself.';
    case 'no_link':
      return 'HMRC hasn’t given us the link yet. We’ll email it as soon as we have it.';
    case 'queued':
      return isWaiting
        ? `The email to ${to} is on hold, because your mailbox isn’t connected. Reconnect or disconnect it in Settings.`
        : `Being emailed to ${to}.`;
    case 'sending':
      return `Being emailed to ${to}.`;
    case 'sent':
      return (
        <>
          {actionText} to {to}: <InstantText at={at} />. <ReminderText day={remindsOn} />
        </>
      );
    case 'unknown':
      return (
        <>
          The email to {to} may have been sent on <InstantText at={at} />. Ask the client before you email it again.{' '}
          <ReminderText day={remindsOn} />
        </>
      );
    case 'failed':
      return `Not delivered to ${to}${reason === null ? '' : ` (${reason})`}. Check the address, then email it again.`;
    case 'bounced':
      return `The email to ${to} bounced${reason === null ? '' : ` (${reason})`}. Correct the address, then email it again.`;
    case 'cancelled':
      return `The email to ${to} was cancelled before it was sent.`;
  }
}

function ReminderText({ day }: { day: RequestEmail['reminds_on'] }) {
  if (day === null) return null;
  return (
    <>
      We’ll remind the client once, on <DateText date={day} />, if they haven’t responded by then.
    </>
  );
}
