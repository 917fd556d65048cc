/** Switches off an endpoint that has been failing for days, and notifies those who can fix it. */
import { PAGES } from '@portal/contract/pages.ts';
import { getSettingsPath } from '@portal/contract/practice.ts';
import type { Tx } from '@portal/db/database.ts';
import { webhookDeliveries, webhookEndpoints } from '@portal/db/schema/schema.ts';
import { and, eq, isNotNull } from '@portal/db/sql.ts';
import { toEpochMs, type Instant } from '@portal/domain/clock.ts';
import { DISABLED_AFTER_DAYS } from '@portal/domain/developers/webhook-events.ts';
import type { AppDeps } from '../../app-deps.ts';
import { enqueueEmailToRoles } from '../../mail/enqueue-email.ts';
import { recordAudit } from '../audit/record-audit.ts';

const DAY_MS = 86_400_000;

type Endpoint = Pick<typeof webhookEndpoints.$inferSelect, 'companyId' | 'id'>;

const isEndpoint = ({ companyId, id }: Endpoint) => and(eq(webhookEndpoints.companyId, companyId), eq(webhookEndpoints.id, id));

export async function recordSuccess(tx: Tx, endpoint: Endpoint): Promise<void> {
  await tx
    .update(webhookEndpoints)
    .set({ failingSince: null })
    .where(and(isEndpoint(endpoint), isNotNull(webhookEndpoints.failingSince)));
}

type Failure = { readonly now: Instant; readonly isGone: boolean };

export async function recordFailure(deps: AppDeps, tx: Tx, endpoint: Endpoint, { now, isGone }: Failure): Promise<void> {
  const [row] = await tx.select().from(webhookEndpoints).where(isEndpoint(endpoint)).for('update');
  if (!row || row.disabledAt !== null) return;
  const failingSince = row.failingSince ?? now;
  const hasFailedForDays = toEpochMs(now) - toEpochMs(failingSince) >= DISABLED_AFTER_DAYS * DAY_MS;
  await tx.update(webhookEndpoints).set({ failingSince }).where(isEndpoint(endpoint));
  if (!isGone && !hasFailedForDays) return;
  const reason = isGone ? 'gone' : 'failing';
  await tx.update(webhookEndpoints).set({ disabledAt: now, disabledReason: reason }).where(isEndpoint(endpoint));
  await failPendingDeliveries(tx, endpoint);
  const { companyId, id, url } = row;
  await recordAudit(tx, { companyId, at: deps.clock.now(), actor: 'rules', action: 'webhook.disabled', subject: id, after: { reason } });
  await enqueueDisabledEmail(deps, tx, { companyId, url, isGone });
}

/** Deliveries waiting for an endpoint that is off appear in the log, where a user can resend them. */
export async function failPendingDeliveries(tx: Tx, { companyId, id }: Endpoint): Promise<void> {
  await tx
    .update(webhookDeliveries)
    .set({ status: 'failed', nextAttemptAt: null })
    .where(and(eq(webhookDeliveries.companyId, companyId), eq(webhookDeliveries.endpointId, id), eq(webhookDeliveries.status, 'pending')));
}

type DisabledEndpoint = { readonly companyId: string; readonly url: string; readonly isGone: boolean };

function enqueueDisabledEmail(deps: AppDeps, tx: Tx, { companyId, url, isGone }: DisabledEndpoint): Promise<void> {
  const { host } = new URL(url);
  const disabledReason = isGone
    ? 'It responded that it no longer wants webhooks (410).'
    : `Every attempt in the last ${DISABLED_AFTER_DAYS} days has failed.`;
  return enqueueEmailToRoles(deps, tx, companyId, ['practice_admin', 'trader_owner'], ({ name, kind }) => ({
    subject: `We’ve stopped sending webhooks to ${host}`,
    preheader: disabledReason,
    heading: 'A webhook endpoint has been switched off',
    paragraphs: [
      `We’ve stopped sending ${name}’s webhooks to ${host}. ${disabledReason}`,
      'Fix the receiver, switch the endpoint on again, and resend what it missed.',
    ],
    action: {
      label: 'Open your webhooks',
      path:
        kind === 'practice'
          ? `${getSettingsPath('developers')}?company_id=${companyId}`
          : `${PAGES.profile.path}?tab=company&company_id=${companyId}`,
    },
    notes: [],
    reason: `You’re receiving this because you manage ${name} on ${deps.site.brand}.`,
  }));
}
