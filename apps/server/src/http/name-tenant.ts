/** Reads that leave out what there is only one of: the specification lists calls of a practice that name no company, and some that name a client as the company. */
import type { Access } from '@portal/contract/endpoint.ts';
import type { Db } from '@portal/db/database.ts';
import { memberships, sessions } from '@portal/db/schema/schema.ts';
import { and, eq, inArray } from 'drizzle-orm';
import { isId, nameClientOnce } from './client-access.ts';
import { hashToken } from './session.ts';

/** The practice of whoever holds a session; undefined where there is none, or more than one. It opens nothing: the policies still ask. */
export type OnlyPractice = (token: string) => Promise<string | undefined>;

export function prepareOnlyPractice(db: Db): OnlyPractice {
  return async (token) => {
    const rows = await db
      .select({ companyId: memberships.companyId })
      .from(sessions)
      .innerJoin(memberships, eq(memberships.userId, sessions.userId))
      .where(and(eq(sessions.tokenHash, hashToken(token)), inArray(memberships.role, ['practice_admin', 'team_member'])))
      .limit(2);
    return rows.length === 1 ? rows[0]?.companyId : undefined;
  };
}

/**
 * The query of a read, with the practice and the client it means. `company_id` may be left out by whoever works in one practice, and may name
 * the client where a call is about one client and names none (specification 7.3: "keyed by company_id").
 */
export async function nameTenant(
  onlyPractice: OnlyPractice,
  access: Access,
  query: Readonly<Record<string, unknown>>,
  token: string | undefined,
): Promise<unknown> {
  const isClients = access.startsWith('client.');
  const named = nameClientOnce(query) as Record<string, unknown>;
  const { company_id: company } = named;
  const isComplete = company !== undefined && !(isClients && named['client_id'] === undefined);
  if (isComplete || token === undefined || !(isClients || access.startsWith('practice.'))) return named;
  const practice = await onlyPractice(token);
  if (practice === undefined || company === practice) return named;
  if (company === undefined) return { ...named, company_id: practice };
  return typeof company === 'string' && isId(company) ? nameClientOnce({ ...named, company_id: practice, client_id: company }) : named;
}
