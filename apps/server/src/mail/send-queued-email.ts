/** Sends queued emails, and records the outcome of each on the client's timeline. */
import { AppError } from '@portal/domain/app-error.ts';
import type { AppDeps } from '../app-deps.ts';
import type { JobPayloads } from '../jobs/job-kinds.ts';
import type { JobRun } from '../jobs/job-table.ts';
import { repeatAfterOutage } from '../repeat-after-outage.ts';
import { tryOpenFacts } from '../secrets/sealed-facts.ts';
import { UNBOUND_EMAIL } from '../secrets/token-cipher.ts';
import { addLogo } from './add-logo.ts';
import { endClientEmail } from './end-client-email.ts';
import { RecipientRefusedError, type OutgoingEmail, type SentFor } from './mailer.ts';
import { describeSmtpError } from './send-by-smtp.ts';
import { describeUndeliverableAddress, findUndeliverableAddress } from './undeliverable-addresses.ts';

type Deps = Pick<AppDeps, 'mailer' | 'database' | 'metrics' | 'clock' | 'pause' | 'logger'>;
type Result = Parameters<typeof endClientEmail>[2];

const SAVE_RESULT_MS = 100_000;
const NOT_SEALED = 'This email was changed, belongs to another job, or is sealed with a key that this instance doesn’t have.';
const LOST_REASON = 'The portal stopped while sending.';

/** Sends a queued email, unless earlier emails to its address bounced. */
export async function sendQueuedEmail(
  deps: Deps,
  email: OutgoingEmail,
  { id, isLastAttempt }: Pick<JobRun, 'id' | 'isLastAttempt'>,
): Promise<void> {
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
export async function endParkedEmail(deps: Deps, { sentFor }: OutgoingEmail): Promise<void> {
  await endClientEmail(deps, sentFor, 'unknown', LOST_REASON);
}

/** Throws for an email that the portal didn't queue, or queued as another job. */
export function openQueuedEmail(
  { tokenCipher }: Pick<AppDeps, 'tokenCipher'>,
  { sealed }: JobPayloads['mail.send'],
  { id, retryOf = id }: Pick<JobRun, 'id' | 'retryOf'>,
): OutgoingEmail {
  const mail = tryOpenFacts(tokenCipher, sealed, `email:${retryOf}`) ?? tryOpenFacts(tokenCipher, sealed, UNBOUND_EMAIL);
  if (mail === undefined) throw new AppError('conflict', 'mail.not_sealed', NOT_SEALED);
  return JSON.parse(mail) as OutgoingEmail;
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
