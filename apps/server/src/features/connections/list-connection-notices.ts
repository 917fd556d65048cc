/** Lists notices, shown on every page, about connections that have ended or soon will. */
import type { ConnectionNotice } from '@portal/contract/connection-notice.ts';
import type { Db } from '@portal/db/database.ts';
import { booksConnections, booksGrants, companies, hmrcConnections, mailboxes, memberships } from '@portal/db/schema/schema.ts';
import { PRACTICE_ROLES } from '@portal/domain/identity/roles.ts';
import { hasPracticeRight } from '@portal/contract/practice-rights.ts';
import type { Instant } from '@portal/domain/clock.ts';
import { and, asc, eq, inArray } from '@portal/db/sql.ts';
import { listRolesWith } from '../../http/policies.ts';
import { getBooksPath, getPracticeBooksPath } from '../books-connection/books-paths.ts';
import { getHmrcConnectionStatus } from './connection-status.ts';
import { getReconnectPath } from './get-reconnect-path.ts';

/** Lists the notices, with HMRC's connections first. */
export async function listConnectionNotices(db: Db, userId: string, now: Instant): Promise<ConnectionNotice[]> {
  return [
    ...(await listHmrcNotices(db, userId, now)),
    ...(await listMailboxNotices(db, userId)),
    ...(await listBooksNotices(db, userId)),
    ...(await listGrantNotices(db, userId)),
  ];
}

/** Shows every practice member that the practice's messages are waiting. */
async function listMailboxNotices(db: Db, userId: string): Promise<ConnectionNotice[]> {
  const rows = await db
    .select({ name: companies.name, role: memberships.role, permissions: memberships.permissions, mailbox: mailboxes })
    .from(memberships)
    .innerJoin(companies, eq(companies.id, memberships.companyId))
    .innerJoin(mailboxes, eq(mailboxes.companyId, memberships.companyId))
    .where(and(eq(memberships.userId, userId), inArray(memberships.role, PRACTICE_ROLES), eq(mailboxes.status, 'lost')))
    .orderBy(asc(companies.name), asc(companies.id));
  return rows.map(({ name, role, permissions, mailbox }): ConnectionNotice => ({
    company_id: mailbox.companyId,
    name,
    kind: 'practice',
    service: mailbox.provider,
    state: 'ended',
    at: mailbox.lostAt,
    may_connect: hasPracticeRight('practice.connections', role === 'practice_admin' ? role : 'team_member', permissions),
    path: getReconnectPath('practice', mailbox.companyId),
  }));
}

/** Shows every practice member that clients' figures are no longer updated from their books. */
async function listGrantNotices(db: Db, userId: string): Promise<ConnectionNotice[]> {
  const rows = await db
    .select({ name: companies.name, role: memberships.role, permissions: memberships.permissions, grant: booksGrants })
    .from(memberships)
    .innerJoin(companies, eq(companies.id, memberships.companyId))
    .innerJoin(booksGrants, eq(booksGrants.companyId, memberships.companyId))
    .where(and(eq(memberships.userId, userId), inArray(memberships.role, PRACTICE_ROLES), eq(booksGrants.status, 'lost')))
    .orderBy(asc(companies.name), asc(companies.id), asc(booksGrants.provider));
  return rows.map(({ name, role, permissions, grant }): ConnectionNotice => ({
    company_id: grant.companyId,
    name,
    kind: 'practice',
    service: grant.provider,
    state: 'ended',
    at: grant.lostAt,
    may_connect: hasPracticeRight('practice.connections', role === 'practice_admin' ? role : 'team_member', permissions),
    path: getPracticeBooksPath(grant.companyId),
  }));
}

/** Lists companies whose figures are no longer updated from their books. */
async function listBooksNotices(db: Db, userId: string): Promise<ConnectionNotice[]> {
  const rows = await db
    .select({ name: companies.name, books: booksConnections })
    .from(memberships)
    .innerJoin(companies, eq(companies.id, memberships.companyId))
    .innerJoin(booksConnections, eq(booksConnections.companyId, memberships.companyId))
    .where(
      and(eq(memberships.userId, userId), inArray(memberships.role, listRolesWith('company.manage')), eq(booksConnections.status, 'lost')),
    )
    .orderBy(asc(companies.name), asc(companies.id));
  return rows.map(({ name, books }): ConnectionNotice => ({
    company_id: books.companyId,
    name,
    kind: 'company',
    service: books.provider,
    state: 'ended',
    at: books.lostAt,
    may_connect: true,
    path: getBooksPath(books.companyId),
  }));
}

/** A user who can't connect HMRC sees only connections that have ended. */
async function listHmrcNotices(db: Db, userId: string, now: Instant): Promise<ConnectionNotice[]> {
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
    const commonFields = {
      company_id: hmrc.companyId,
      name,
      kind: kind === 'practice' ? 'practice' : 'company',
      service: 'hmrc',
      may_connect: canConnect,
      path: getReconnectPath(kind, hmrc.companyId),
    } as const;
    const status = getHmrcConnectionStatus(hmrc, now);
    if (status === 'lapsed')
      return [{ ...commonFields, state: 'ended', at: hmrc.endedAt ?? (hmrc.status === 'connected' ? hmrc.consentEndsAt : null) }];
    return status === 'ending' && canConnect ? [{ ...commonFields, state: 'ending', at: hmrc.consentEndsAt }] : [];
  });
}
