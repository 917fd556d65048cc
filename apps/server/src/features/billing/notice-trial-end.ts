/** Emails a practice's admins once that its trial ends soon, if its plan doesn't cover every linked connection. */
import { PAGES } from '@portal/contract/pages.ts';
import type { Tx } from '@portal/db/database.ts';
import { companies, practices } from '@portal/db/schema/schema.ts';
import { and, eq, gt, isNull, lte } from '@portal/db/sql.ts';
import { addDays, formatDate } from '@portal/domain/plain-date.ts';
import { formatConnections } from '@portal/domain/pricing/format-connections.ts';
import { TRIAL_NOTICE_DAYS } from '@portal/domain/pricing/plan-coverage.ts';
import type { AppDeps } from '../../app-deps.ts';
import { tryEach } from '../../jobs/try-each.ts';
import { enqueueEmailToRoles } from '../../mail/enqueue-email.ts';
import { findTrialEnd, type TrialEnd } from './plan-coverage.ts';

export async function noticeTrialEnds(deps: AppDeps): Promise<void> {
  const today = deps.clock.today();
  const isDue = and(
    gt(practices.trialEndsOn, today),
    lte(practices.trialEndsOn, addDays(today, TRIAL_NOTICE_DAYS)),
    isNull(practices.trialNoticedAt),
  );
  const endingTrials = await deps.database.db
    .select({ companyId: practices.companyId })
    .from(practices)
    .innerJoin(companies, and(eq(companies.id, practices.companyId), isNull(companies.closedAt)))
    .where(isDue);
  await tryEach(endingTrials, ({ companyId }) => deps.database.db.transaction((tx) => noticeTrialEnd(deps, tx, companyId)));
}

async function noticeTrialEnd(deps: AppDeps, tx: Tx, companyId: string): Promise<void> {
  const end = await findTrialEnd(deps, companyId, tx);
  if (!end) return;
  const [noticed] = await tx
    .update(practices)
    .set({ trialNoticedAt: deps.clock.now() })
    .where(and(eq(practices.companyId, companyId), isNull(practices.trialNoticedAt)))
    .returning({ companyId: practices.companyId });
  if (noticed) await enqueueTrialEmails(deps, tx, companyId, end);
}

function enqueueTrialEmails(deps: AppDeps, tx: Tx, companyId: string, { trialEndsOn, outside, covered }: TrialEnd): Promise<void> {
  const day = formatDate(trialEndsOn);
  return enqueueEmailToRoles(deps, tx, companyId, ['practice_admin'], ({ name }) => ({
    subject: `${name}: your trial of ${deps.site.brand} ends on ${day}`,
    preheader: 'Choose the connections whose figures we should keep refreshing.',
    heading: `Your trial ends on ${day}`,
    paragraphs: [
      `Until then, we refresh the figures of every connection (one client for one tax). From ${day}, we refresh as many as your plan includes: ${formatConnections(covered)}. ${outside === 1 ? 'One more connection is' : `${formatConnections(outside)} more are`} linked.`,
      'Choose your connections under Plan and price, where you see what they cost before you pay. Those you select come first.',
      'Nothing will be deleted. Clients, figures that we’ve already read, and everything else stay as they are.',
    ],
    action: { label: 'Choose connections', path: `${PAGES.premiumSetup.path}?company_id=${companyId}` },
    reason: `You’re receiving this because you’re an admin of ${name}.`,
  }));
}
