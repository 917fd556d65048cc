/** Notices about HMRC connections that have ended or soon will, shown on every page. */
import type { ConnectionNotice } from '@portal/contract/connection-notice.ts';
import type { Db } from '@portal/db/database.ts';
import { companies, hmrcConnections, memberships } from '@portal/db/schema/schema.ts';
import type { Instant } from '@portal/domain/clock.ts';
import { and, asc, eq, inArray } from '@portal/db/sql.ts';
import { listRolesWith } from '../../http/policies.ts';
import { getHmrcConnectionStatus } from './connection-status.ts';
import { getReconnectPath } from './get-reconnect-path.ts';

/** Someone who cannot connect HMRC is shown only connections that have ended. */
export async function listConnectionNotices(db: Db, userId: string, now: Instant): Promise<ConnectionNotice[]> {
  const notifiedRoles = [...listRolesWith('company.manage'), ...listRolesWith('practice.read')];
  const rows = await db
    .select({ name: companies.name, kind: companies.kind, role: memberships.role, hmrc: hmrcConnections })
    .from(memberships)
    .innerJoin(companies, eq(companies.id, memberships.companyId))
    .innerJoin(hmrcConnections, eq(hmrcConnections.companyId, memberships.companyId))
    .where(
      and(
        eq(memberships.userId, userId),
        inArray(memberships.role, notifiedRoles),
        inArray(hmrcConnections.status, ['connected', 'lapsed']),
      ),
    )
    .orderBy(asc(companies.name), asc(companies.id));
  return rows.flatMap(({ name, kind, role, hmrc }): ConnectionNotice[] => {
    const canConnect = listRolesWith('company.manage').includes(role) || listRolesWith('practice.manage').includes(role);
    const common = {
      company_id: hmrc.companyId,
      name,
      kind: kind === 'practice' ? 'practice' : 'company',
      may_connect: canConnect,
      path: getReconnectPath(kind, hmrc.companyId),
    } as const;
    const status = getHmrcConnectionStatus(hmrc, now);
    if (status === 'lapsed')
      return [{ ...common, state: 'ended', at: hmrc.endedAt ?? (hmrc.status === 'connected' ? hmrc.consentEndsAt : null) }];
    return status === 'ending' && canConnect ? [{ ...common, state: 'ending', at: hmrc.consentEndsAt }] : [];
  });
}
