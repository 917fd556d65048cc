/** Sends queued emails, and records the outcome of each on the client's timeline. */
import type { AppDeps } from '../app-deps.ts';
import type { JobPayloads } from '../jobs/job-kinds.ts';
import type { JobRun } from '../jobs/job-table.ts';
import { repeatAfterOutage } from '../repeat-after-outage.ts';
import { addLogo } from './add-logo.ts';
import { endClientEmail } from './end-client-email.ts';
import { RecipientRefusedError, type OutgoingEmail, type SentFor } from './mailer.ts';
import { describeSmtpError } from './send-by-smtp.ts';
import { describeUndeliverableAddress, findUndeliverableAddress } from './undeliverable-addresses.ts';

type Deps = Pick<AppDeps, 'mailer' | 'tokenCipher' | 'database' | 'metrics' | 'clock' | 'pause' | 'logger'>;
type Result = Parameters<typeof endClientEmail>[2];

const SAVE_RESULT_MS = 100_000;
const LOST_REASON = 'The portal stopped while sending.';

/** Sends a queued email, unless earlier emails to its address bounced. */
export async function sendQueuedEmail(
  deps: Deps,
  queuedEmail: JobPayloads['mail.send'],
  { id, isLastAttempt }: Pick<JobRun, 'id' | 'isLastAttempt'>,
): Promise<void> {
  const email = openEmail(deps, queuedEmail);
  const { to, sentFor } = email;
  const undeliverableReason = sentFor && !sentFor.isEssential && (await findUndeliverableAddress(deps.database.db, sentFor.companyId, to));
  if (undeliverableReason) {
    deps.metrics.emailsNotAttempted.inc();
    await endClientEmail(deps, sentFor, 'not_sent', describeUndeliverableAddress(undeliverableReason));
    return;
  }
  const mail = await addLogo(deps.database.db, email);
  try {
    await deps.mailer.send(mail, id);
  } catch (error) {
    await saveFailure(deps, sentFor, error, isLastAttempt);
    throw error;
  }
  await saveResult(deps, sentFor, 'sent', null);
}

/** Ends an email whose process died or hung on every attempt. */
export async function endParkedEmail(deps: Deps, queuedEmail: JobPayloads['mail.send']): Promise<void> {
  await endClientEmail(deps, openEmail(deps, queuedEmail).sentFor, 'unknown', LOST_REASON);
}

/** Emails queued by an earlier version aren't sealed. */
function openEmail({ tokenCipher }: Deps, queuedEmail: JobPayloads['mail.send']): OutgoingEmail {
  return 'sealed' in queuedEmail ? (JSON.parse(tokenCipher.open(queuedEmail.sealed, 'email')) as OutgoingEmail) : queuedEmail;
}

async function saveFailure(deps: Deps, sentFor: SentFor | undefined, error: unknown, isLastAttempt: boolean): Promise<void> {
  if (error instanceof RecipientRefusedError) return saveResult(deps, sentFor, 'not_sent', error.message);
  const { failure, reason } = describeSmtpError(error);
  if (failure === 'unknown') await saveResult(deps, sentFor, 'unknown', reason);
  // An earlier attempt may have sent the email, in which case its row is no longer queued.
  else if (isLastAttempt) await saveResult(deps, sentFor, 'not_sent', reason, ['queued']);
}

/** Doesn't throw, because retrying the job would send the email again or hide the reason it failed. */
async function saveResult(
  deps: Deps,
  sentFor: SentFor | undefined,
  status: Result,
  reason: string | null,
  from?: Parameters<typeof endClientEmail>[4],
): Promise<void> {
  try {
    await repeatAfterOutage(deps, SAVE_RESULT_MS, () => endClientEmail(deps, sentFor, status, reason, from));
  } catch (error) {
    deps.logger.error({ err: error, companyId: sentFor?.companyId, status }, 'the result of an email was not saved');
  }
}
