/** The end of a grant: noted once, by whoever finds out first, and told to everybody who can give a new one in the transaction that notes it. */
import type { Tx } from '@portal/db/database.ts';
import { hmrcConnections, type GrantEnd } from '@portal/db/schema/schema.ts';
import type { Instant } from '@portal/domain/clock.ts';
import { and, eq, isNull } from 'drizzle-orm';
import type { AppDeps } from '../../app-deps.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { mailGrantNews } from './mail-grant-news.ts';

/** One grant: a new consent of the same company is another one, and what becomes of the old one must not touch it. */
export type GrantKey = { readonly companyId: string; readonly connectedAt: Instant | null };

/** A condition over `hmrc_connections`: this very grant, as long as it lives. */
export function isLiveGrant({ companyId, connectedAt }: GrantKey) {
  return and(
    eq(hmrcConnections.companyId, companyId),
    eq(hmrcConnections.status, 'connected'),
    connectedAt === null ? isNull(hmrcConnections.connectedAt) : eq(hmrcConnections.connectedAt, connectedAt),
  );
}

/** False where it had ended before, or was given anew meanwhile: then nothing changes and nobody is told. `actor`: a user's id, or "hmrc" or "rules". */
export async function endGrant(deps: AppDeps, tx: Tx, grant: GrantKey, because: GrantEnd, actor: string): Promise<boolean> {
  const { companyId } = grant;
  const at = deps.clock.now();
  const [ended] = await tx
    .update(hmrcConnections)
    .set({
      status: 'lapsed',
      endedAt: at,
      endedBecause: because,
      accessToken: null,
      refreshToken: null,
      refreshLeaseUntil: null,
      refreshHeldBy: null,
    })
    .where(isLiveGrant(grant))
    .returning({ connectedAt: hmrcConnections.connectedAt });
  if (!ended) return false;
  await recordAudit(tx, { companyId, at, actor, action: 'hmrc.ended', subject: companyId, after: { because } });
  await mailGrantNews(deps, tx, companyId, { news: 'ended', because, connectedAt: ended.connectedAt });
  return true;
}
