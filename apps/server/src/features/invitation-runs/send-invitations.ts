/**
 * Sends a run's invitations sequentially, each at most once: the attempt and its invitation are committed before the email is sent, and the
 * outcome afterwards. An attempt without an outcome is never repeated automatically.
 */
import { randomUUID } from 'node:crypto';
import type { Tx } from '@portal/db/database.ts';
import {
  clientEmails,
  clientInvitations,
  clients,
  invitationRunClients as invited,
  invitationRuns,
  users,
} from '@portal/db/schema/schema.ts';
import { and, asc, eq, inArray, isNull } from '@portal/db/sql.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { CLIENT_INVITATION_DAYS, getInvitationState } from '@portal/domain/clients/invitation-state.ts';
import type { Instant } from '@portal/domain/clock.ts';
import { ProviderError } from '@portal/providers/http/provider-error.ts';
import type { AppDeps } from '../../app-deps.ts';
import { endClientEmail } from '../../mail/end-client-email.ts';
import type { OutgoingEmail } from '../../mail/mailer.ts';
import { addLogo } from '../../mail/add-logo.ts';
import { describeUndeliverableAddress, findUndeliverableAddress } from '../../mail/undeliverable-addresses.ts';
import { sendBySmtp } from '../../mail/send-by-smtp.ts';
import { repeatAfterOutage } from '../../repeat-after-outage.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { storeClientEmail } from '../client-emails/enqueue-client-email.ts';
import { composeClientInvitation } from '../client-portal/client-portal-emails.ts';
import { hasAccess } from '../client-portal/invite-client-person.ts';
import { createInvitationLink } from '../invitations/invitation-link.ts';
import { limitInvitations, reverseInvitationCount } from '../invitations/limit-invitations.ts';
import { enqueueInvitations, type InvitationRunKey } from './enqueue-invitations.ts';

const TIME_BUDGET_MS = 15_000;
const SAVE_RESULT_MS = 100_000;
const DAY_MS = 86_400_000;
const LOST_REASON = 'The portal stopped while sending.';

type InvitedClient = typeof invited.$inferSelect;
type Run = typeof invitationRuns.$inferSelect;
type InvitationAttempt = {
  readonly client: InvitedClient;
  readonly attemptId: string;
  readonly invitationId: string;
  readonly mail: OutgoingEmail;
  /** When it was counted for the daily limits, by the wall clock. */
  readonly countedAt: Instant;
};

const isRun = ({ companyId, runId }: InvitationRunKey) => and(eq(invitationRuns.companyId, companyId), eq(invitationRuns.id, runId));
const isClient = ({ companyId, runId, clientId }: InvitedClient) =>
  and(eq(invited.companyId, companyId), eq(invited.runId, runId), eq(invited.clientId, clientId));

export async function sendInvitations(deps: AppDeps, key: InvitationRunKey, signal: AbortSignal): Promise<void> {
  const { db } = deps.database;
  const deadline = performance.now() + TIME_BUDGET_MS;
  await endLostAttempts(deps, key);
  for (;;) {
    if (signal.aborted) return;
    if (performance.now() > deadline) return enqueueInvitations(deps, db, key);
    const next = await startNextInvitation(deps, key);
    if (next === undefined) return;
    if (next !== 'skipped' && !(await sendInvitation(deps, key, next))) return;
  }
}

/** Returns undefined if nothing can be sent now: the run is paused or has ended, or the daily limit has been reached. */
async function startNextInvitation(deps: AppDeps, key: InvitationRunKey): Promise<InvitationAttempt | 'skipped' | undefined> {
  const { db } = deps.database;
  try {
    return await db.transaction(async (tx) => {
      const [run] = await tx.select().from(invitationRuns).where(isRun(key)).for('update');
      if (run?.state !== 'running') return undefined;
      const [client] = await tx
        .select()
        .from(invited)
        .where(and(eq(invited.companyId, key.companyId), eq(invited.runId, key.runId), eq(invited.status, 'queued')))
        .orderBy(asc(invited.position))
        .limit(1);
      if (client) return startAttempt(deps, tx, run, client);
      await tx.update(invitationRuns).set({ state: 'ended', endedAt: deps.clock.now(), waits: null }).where(isRun(key));
      return undefined;
    });
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'invitation.too_many')) throw error;
    await db.update(invitationRuns).set({ waits: 'daily_limit' }).where(isRun(key));
    return undefined;
  }
}

async function startAttempt(deps: AppDeps, tx: Tx, run: Run, client: InvitedClient): Promise<InvitationAttempt | 'skipped'> {
  const { companyId, clientId, email } = client;
  const tenant = { kind: 'client', practiceId: companyId, clientId } as const;
  const [lockedClient] = await tx
    .select({ status: clients.status })
    .from(clients)
    .where(and(eq(clients.companyId, companyId), eq(clients.id, clientId)))
    .for('update');
  if (!lockedClient || lockedClient.status === 'inactive' || lockedClient.status === 'closed')
    return skipClient(deps, tx, client, 'The client was archived.');
  const undeliverableReason = await findUndeliverableAddress(tx, companyId, email);
  if (undeliverableReason) return skipClient(deps, tx, client, describeUndeliverableAddress(undeliverableReason));
  if (await hasAccess(tx, tenant, email)) return skipClient(deps, tx, client, 'Already has access.');
  const earlierInvitation = await findOpenInvitation(tx, client);
  const state = earlierInvitation && getInvitationState(earlierInvitation, deps.wallClock.now());
  if (earlierInvitation && earlierInvitation.id !== client.invitationId && (state === 'sent' || state === 'opened'))
    return skipClient(deps, tx, client, 'Already invited.');
  const countedAt = deps.wallClock.now();
  try {
    // A savepoint, so that its counts are undone if the limit is reached.
    await tx.transaction((inner) => limitInvitations(deps, inner, { companyId, whom: 'clients', emails: [email] }));
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'invitation.too_often')) throw error;
    return skipClient(deps, tx, client, error.message);
  }
  const { token, ...link } = createInvitationLink(deps, CLIENT_INVITATION_DAYS * DAY_MS);
  const at = deps.clock.now();
  const invitedBy = run.startedBy;
  const resetInvitation = { ...link, invitedBy, sentAt: null, openedAt: null, bouncedAt: null, reminders: 0, remindersEndedAt: null };
  const invitationId = earlierInvitation?.id ?? randomUUID();
  const row = { companyId, id: invitationId, clientId, email, ...resetInvitation, invitedAt: at };
  const target = [clientInvitations.companyId, clientInvitations.id];
  await tx.insert(clientInvitations).values(row).onConflictDoUpdate({ target, set: resetInvitation });
  const attemptId = randomUUID();
  await tx.update(invited).set({ status: 'sending', attemptId, invitationId, endedAt: null, reason: null }).where(isClient(client));
  if (run.waits !== null)
    await tx
      .update(invitationRuns)
      .set({ waits: null })
      .where(isRun({ companyId, runId: run.id }));
  const [inviter] = await tx.select({ name: users.fullName }).from(users).where(eq(users.id, run.startedBy));
  const content = await composeClientInvitation(deps, tx, {
    ...tenant,
    email,
    token,
    inviter: { userId: run.startedBy, fullName: inviter?.name ?? '' },
  });
  // After an attempt that wasn't sent, the invitation is still a draft, and already recorded.
  if (state !== 'draft' || earlierInvitation?.id !== client.invitationId) {
    const entry = { companyId, at, actor: run.startedBy, action: 'client.invited', subject: clientId };
    await recordAudit(tx, { ...entry, after: { email, run: run.id } });
  }
  const mail = await storeClientEmail(deps, tx, { ...tenant, to: email, sentBy: run.startedBy, content }, attemptId);
  return { client, attemptId, invitationId, mail: await addLogo(tx, mail), countedAt };
}

async function findOpenInvitation(tx: Tx, { companyId, clientId, email }: InvitedClient) {
  const [open] = await tx
    .select()
    .from(clientInvitations)
    .where(
      and(
        eq(clientInvitations.companyId, companyId),
        eq(clientInvitations.clientId, clientId),
        eq(clientInvitations.email, email),
        isNull(clientInvitations.acceptedAt),
        isNull(clientInvitations.revokedAt),
      ),
    );
  return open;
}

async function skipClient({ clock }: AppDeps, tx: Tx, client: InvitedClient, reason: string): Promise<'skipped'> {
  await tx.update(invited).set({ status: 'skipped', reason, endedAt: clock.now() }).where(isClient(client));
  return 'skipped';
}

/** Returns whether the run continues now. */
async function sendInvitation(deps: AppDeps, key: InvitationRunKey, attempt: InvitationAttempt): Promise<boolean> {
  try {
    await sendBySmtp(deps.mailer, attempt.mail, attempt.attemptId);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    deps.logger.warn({ err: error, companyId: key.companyId, runId: key.runId }, 'an invitation was not sent');
    const reason = error.facts.detail ?? null;
    if (error.failure === 'refused' || error.failure === 'unknown') {
      await endAttempt(deps, attempt, error.failure === 'refused' ? 'failed' : 'unknown', reason);
      return true;
    }
    // The email was definitely not sent.
    await requeue(deps, attempt);
    await deps.database.db.update(invitationRuns).set({ waits: 'mail_server' }).where(isRun(key));
    return false;
  }
  await endAttempt(deps, attempt, 'sent', null);
  return true;
}

async function endAttempt(
  deps: AppDeps,
  attempt: InvitationAttempt,
  status: 'sent' | 'failed' | 'unknown',
  reason: string | null,
): Promise<void> {
  const { client, attemptId, invitationId } = attempt;
  const { companyId } = client;
  const at = deps.clock.now();
  await saveResult(deps, attempt, { status, reason, endedAt: at }, async (tx) => {
    const outcome = status === 'failed' ? 'not_sent' : status;
    await endClientEmail({ database: { db: tx }, clock: deps.clock }, { companyId, clientEmailId: attemptId }, outcome, reason);
    await tx
      .update(clientInvitations)
      .set({ sentAt: at, ...(status === 'failed' ? { bouncedAt: at } : {}) })
      .where(and(eq(clientInvitations.companyId, companyId), eq(clientInvitations.id, invitationId)));
  });
}

/** Undoes an attempt that definitely sent nothing. The next attempt has a new link and its own text. */
function requeue(deps: AppDeps, attempt: InvitationAttempt): Promise<void> {
  const { client, attemptId, countedAt } = attempt;
  const { companyId, email } = client;
  return saveResult(deps, attempt, { status: 'queued', attemptId: null }, async (tx) => {
    await tx.delete(clientEmails).where(and(eq(clientEmails.companyId, companyId), eq(clientEmails.id, attemptId)));
    await reverseInvitationCount(tx, { companyId, whom: 'clients', emails: [email] }, countedAt);
  });
}

/** Also saves the result of an attempt that another process assumed lost, unless someone has decided about it. */
async function saveResult(
  deps: AppDeps,
  { client, attemptId }: InvitationAttempt,
  change: Partial<InvitedClient>,
  alsoSave: (tx: Tx) => Promise<void>,
): Promise<void> {
  const isOpen = and(isClient(client), eq(invited.attemptId, attemptId), inArray(invited.status, ['sending', 'unknown']));
  await repeatAfterOutage(deps, SAVE_RESULT_MS, () =>
    deps.database.db.transaction(async (tx) => {
      const endedAttempts = await tx.update(invited).set(change).where(isOpen).returning({ clientId: invited.clientId });
      if (endedAttempts.length > 0) await alsoSave(tx);
    }),
  );
}

/** Ends attempts whose process died. Their invitations count as sent, because their links may have arrived. */
async function endLostAttempts(deps: AppDeps, { companyId, runId }: InvitationRunKey): Promise<void> {
  const at = deps.clock.now();
  await deps.database.db.transaction(async (tx) => {
    const lostAttempts = await tx
      .update(invited)
      .set({ status: 'unknown', endedAt: at, reason: LOST_REASON })
      .where(and(eq(invited.companyId, companyId), eq(invited.runId, runId), eq(invited.status, 'sending')))
      .returning({ invitationId: invited.invitationId, attemptId: invited.attemptId });
    for (const { attemptId } of lostAttempts)
      if (attemptId !== null)
        await endClientEmail({ database: { db: tx }, clock: deps.clock }, { companyId, clientEmailId: attemptId }, 'unknown', LOST_REASON);
    const ids = lostAttempts.flatMap(({ invitationId }) => invitationId ?? []);
    if (ids.length === 0) return;
    await tx
      .update(clientInvitations)
      .set({ sentAt: at })
      .where(and(eq(clientInvitations.companyId, companyId), inArray(clientInvitations.id, ids), isNull(clientInvitations.sentAt)));
  });
}
