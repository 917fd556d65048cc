import { PAGES } from '@portal/contract/pages.ts';
import { TAX_NAMES, type AgentTax } from '@portal/domain/uk-tax/tax.ts';
import { wasAuthorised, type Authorisation } from '@portal/domain/authorisations/describe-authorisation.ts';
import type { Tx } from '@portal/db/database.ts';
import { clientAuthorisations, clients } from '@portal/db/schema/schema.ts';
import type { Instant } from '@portal/domain/clock.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import { and, eq, sql } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { queueWaitingEmail } from '../authorisation-emails/queue-request-email.ts';
import { lockClients } from '../positions/lock-clients.ts';
import { enqueueTotals } from '../positions/refresh-totals.ts';
import { listClientTeams, notify } from '../staff-notifications/notify.ts';
import { writeClientRows } from '../positions/write-client-rows.ts';

/** The state read from HMRC. Optional fields that are missing keep their stored value, as long as it is the same request. */
export type AuthorisationState = {
  readonly status: Authorisation;
  readonly refusal: string | null;
  readonly invitationId?: string;
  readonly sentAt?: Instant;
  readonly expiresOn?: PlainDate | null;
  readonly clientActionUrl?: string | null;
};

/** `pendingId` is the request that the state belongs to, so the state is stored only while that request is pending. */
type AuthorisationKey = {
  readonly companyId: string;
  readonly clientId: string;
  readonly tax: AgentTax;
  readonly pendingId?: string | null;
};
/** `actor` is a user ID, or "hmrc" when a job runs it. */
type AuditReason = { readonly actor: string; readonly action: string; readonly ip?: string };

/** For a new request that HMRC hasn't returned any details of yet. An earlier request's link would open a cancelled request. */
const UNKNOWN_REQUEST_DETAILS = { invitationId: null, expiresOn: null, clientActionUrl: null };

/** Stores the state, updates the client list, and writes an audit entry when something changed or a user requested it. */
export async function storeAuthorisation(
  deps: AppDeps,
  tx: Tx,
  key: AuthorisationKey,
  foundState: AuthorisationState,
  auditReason: AuditReason,
): Promise<void> {
  const { companyId, clientId, tax } = key;
  const now = deps.clock.now();
  const isThisAuthorisation = and(
    eq(clientAuthorisations.companyId, companyId),
    eq(clientAuthorisations.clientId, clientId),
    eq(clientAuthorisations.tax, tax),
  );
  const [existing] = await tx.select().from(clientAuthorisations).where(isThisAuthorisation).for('update');
  if (key.pendingId !== undefined && (existing?.status !== 'link_sent' || existing.invitationId !== key.pendingId)) return;
  const isNew = foundState.status === 'link_sent' && existing?.status !== 'link_sent';
  const isSameRequest = foundState.invitationId === undefined ? !isNew : foundState.invitationId === existing?.invitationId;
  const next = {
    ...(foundState.status === 'link_sent' && !isSameRequest ? UNKNOWN_REQUEST_DETAILS : {}),
    ...foundState,
    checkedAt: now,
    ...(isNew && foundState.sentAt === undefined ? { sentAt: now } : {}),
  };
  await tx
    .insert(clientAuthorisations)
    .values({ companyId, clientId, tax, ...next })
    .onConflictDoUpdate({ target: [clientAuthorisations.companyId, clientAuthorisations.clientId, clientAuthorisations.tax], set: next });
  const isChanged = existing?.status !== foundState.status || existing.refusal !== foundState.refusal;
  if (foundState.status === 'authorised') await clearUnauthorisedReading(tx, key);
  if (foundState.status === 'link_sent' && typeof foundState.clientActionUrl === 'string') await queueWaitingEmail(deps, tx, key);
  if (isChanged) {
    await lockClients(tx, companyId, [clientId]);
    await writeClientRows(tx, companyId, [clientId], deps.clock.today());
    await enqueueTotals(deps, tx, companyId);
    await notifyOfDecision(deps, tx, key, existing?.status, foundState.status, auditReason.actor);
  }
  if (!isChanged && auditReason.action === 'authorisation.checked') return;
  await recordAudit(tx, {
    companyId,
    at: now,
    actor: auditReason.actor,
    action: auditReason.action,
    subject: clientId,
    before: existing ? { tax, status: existing.status, refusal: existing.refusal } : null,
    after: {
      tax,
      status: foundState.status,
      refusal: foundState.refusal,
      ...(foundState.invitationId === undefined ? {} : { request: foundState.invitationId }),
    },
    ...(auditReason.ip === undefined ? {} : { ip: auditReason.ip }),
  });
}

const ENDING_TEXTS: Partial<Record<Authorisation, string>> = {
  not_started: 'the client rejected your authorisation request for',
  expired: 'the client didn’t respond to your authorisation request for',
  revoked: 'the client’s authorisation has ended for',
};

/** Notifies the practice of a change by the client or HMRC, except the user who requested the check and sees the result. */
async function notifyOfDecision(
  deps: AppDeps,
  tx: Tx,
  { companyId, clientId, tax }: AuthorisationKey,
  previousAuthorisation: Authorisation | undefined,
  status: Authorisation,
  actor: string,
): Promise<void> {
  const wasRequested = previousAuthorisation === 'link_sent' || wasAuthorised(previousAuthorisation);
  const statusEnding = ENDING_TEXTS[status];
  const isAccepted = status === 'authorised' && previousAuthorisation === 'link_sent';
  if (!isAccepted && (!wasRequested || statusEnding === undefined)) return;
  const [client] = await tx
    .select({ name: clients.name })
    .from(clients)
    .where(and(eq(clients.companyId, companyId), eq(clients.id, clientId)));
  const getTeam = await listClientTeams(tx, companyId, [clientId]);
  const name = client?.name ?? '';
  await notify(deps, tx, companyId, [
    {
      kind: isAccepted ? 'authorisation_accepted' : 'authorisation_ended',
      key: `${clientId} ${tax} ${status} ${deps.clock.now()}`,
      clientId,
      title: isAccepted ? `${name} authorised you for ${TAX_NAMES[tax]}` : `${name}: ${statusEnding} ${TAX_NAMES[tax]}`,
      path: `${PAGES.clientDashboard.path}?company_id=${companyId}&client_id=${clientId}&tab=${tax}`,
      userIds: getTeam(clientId).filter((userId) => userId !== actor),
    },
  ]);
}

/** The last refresh failed because the client hadn't authorised the practice. The client now has, so that result no longer applies. */
async function clearUnauthorisedReading(tx: Tx, { companyId, clientId, tax }: AuthorisationKey): Promise<void> {
  const isRefused = sql`company_id = ${companyId} and client_id = ${clientId} and tax = ${tax} and state = 'failed'
    and reason in ('not_authorised', 'authorisation_revoked')`;
  await tx.execute(sql`delete from client_syncs where ${isRefused} and read_at is null`);
  await tx.execute(sql`update client_syncs set state = 'completed', reason = null, retry_at = null where ${isRefused}`);
}
