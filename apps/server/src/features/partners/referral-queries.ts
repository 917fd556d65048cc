/**
 * The referrals that a partner's contact can see: companies on the partner's terms, with their stage. For an accountant, the companies that
 * have set it as their agent.
 */
import type { partnersApi } from '@portal/contract/partners.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import type { Db } from '@portal/db/database.ts';
import { advances, companies, companyAgents, hmrcConnections, users } from '@portal/db/schema/schema.ts';
import type { AdvanceState } from '@portal/domain/advances/advance-states.ts';
import { parseInstant, type Instant } from '@portal/domain/clock.ts';
import type { Partner } from '@portal/domain/partners/partner.ts';
import { getReferralStage } from '@portal/domain/partners/referral-stage.ts';
import { and, count, desc, eq, exists, inArray, isNull, lt, or, type SQL } from '@portal/db/sql.ts';
import { isId } from '../../http/resolve-tenant.ts';
import { listOwnPartners } from './partner-contacts.ts';

const PAGE_SIZE = 100;
const ZERO_COUNTS = { companies: 0, first_touch: 0, last_touch: 0 };

export async function listReferrals(
  db: Db,
  userId: string,
  query: { partner?: string | undefined; before?: string | undefined },
): Promise<EndpointOutput<typeof partnersApi.referrals>> {
  const ownPartners = await listOwnPartners(db, userId);
  const partners = ownPartners.map(({ name, logoText }) => ({ name, logo_text: logoText }));
  const partner = query.partner === undefined ? ownPartners[0] : ownPartners.find(({ name }) => name === query.partner);
  if (!partner) return { partners, partner: null, counts: ZERO_COUNTS, referrals: [], next_before: null };
  const rows = await listReferredCompanies(db, partner, query.before);
  const pageRows = rows.slice(0, PAGE_SIZE);
  const last = pageRows.at(-1);
  const newestAdvances = await listNewestAdvances(
    db,
    pageRows.map(({ id }) => id),
  );
  return {
    partners,
    partner: {
      name: partner.name,
      logo_text: partner.logoText,
      is_agent: partner.kind === 'accountancy',
      referral_owner: partner.referralOwner,
    },
    counts: await countReferrals(db, partner),
    referrals: pageRows.map(({ id, name, createdAt, connectedAt }) => ({
      company_name: name,
      ...getReferralStage({ signedUpAt: createdAt, connectedAt, advance: newestAdvances.get(id) }),
    })),
    next_before: rows.length > PAGE_SIZE && last ? `${last.createdAt}~${last.id}` : null,
  };
}

/**
 * An accountant sees the companies it acts for; other partners see those they referred. Practices and their clients are never referrals.
 */
function isReferredBy(db: Db, partner: Partner): SQL | undefined {
  const isTrader = eq(companies.kind, 'trader');
  if (partner.kind !== 'accountancy') return and(isTrader, eq(companies.partner, partner.name));
  const activeAgents = db
    .select({ id: companyAgents.id })
    .from(companyAgents)
    .where(and(eq(companyAgents.companyId, companies.id), eq(companyAgents.partner, partner.name), isNull(companyAgents.endedAt)));
  return and(isTrader, exists(activeAgents));
}

function listReferredCompanies(db: Db, partner: Partner, beforeCursor: string | undefined) {
  const cursor = parseCursor(beforeCursor);
  return db
    .select({ id: companies.id, name: companies.name, createdAt: companies.createdAt, connectedAt: hmrcConnections.connectedAt })
    .from(companies)
    .leftJoin(hmrcConnections, eq(hmrcConnections.companyId, companies.id))
    .where(
      and(
        isReferredBy(db, partner),
        cursor ? or(lt(companies.createdAt, cursor.at), and(eq(companies.createdAt, cursor.at), lt(companies.id, cursor.id))) : undefined,
      ),
    )
    .orderBy(desc(companies.createdAt), desc(companies.id))
    .limit(PAGE_SIZE + 1);
}

function parseCursor(beforeCursor: string | undefined): { at: Instant; id: string } | undefined {
  const [cursorTime, id] = beforeCursor?.split('~') ?? [];
  const at = cursorTime === undefined ? undefined : parseInstant(cursorTime);
  return at !== undefined && id !== undefined && isId(id) ? { at, id } : undefined;
}

async function listNewestAdvances(db: Db, ids: readonly string[]) {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectDistinctOn([advances.companyId], {
      companyId: advances.companyId,
      state: advances.state,
      eligible: advances.eligible,
      quotedAt: advances.quotedAt,
      acceptedAt: advances.acceptedAt,
      paidAt: advances.paidAt,
      repaidAt: advances.repaidAt,
    })
    .from(advances)
    .where(inArray(advances.companyId, [...ids]))
    .orderBy(advances.companyId, desc(advances.quotedAt), desc(advances.updatedAt));
  return new Map(rows.map((row) => [row.companyId, { ...row, state: row.state as AdvanceState }]));
}

async function countReferrals(db: Db, partner: Partner) {
  const [[ownReferral], [first], [last]] = await Promise.all([
    db.select({ sum: count() }).from(companies).where(isReferredBy(db, partner)),
    db.select({ sum: count() }).from(users).where(eq(users.firstPartner, partner.name)),
    db.select({ sum: count() }).from(users).where(eq(users.lastPartner, partner.name)),
  ]);
  return { companies: ownReferral?.sum ?? 0, first_touch: first?.sum ?? 0, last_touch: last?.sum ?? 0 };
}
