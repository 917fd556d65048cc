/** Lists companies, each with its outstanding amount. */
import type { EndpointOutput, ParsedEndpointInput } from '@portal/contract/endpoint.ts';
import type { operatorCompaniesApi } from '@portal/contract/operator-companies.ts';
import { ENDED_STATES } from '@portal/domain/advances/advance-states.ts';
import { getAdvanceTerms } from '@portal/domain/advances/advance-terms.ts';
import { pence } from '@portal/domain/money.ts';
import { toInstant, type Instant } from '@portal/domain/clock.ts';
import { sql } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { EXPOSED_ADVANCES, loadExposureLimits, sumExposure } from '../advances/exposure.ts';
import { matchCompany } from './match-company.ts';

const PAGE_SIZE = 50;
const MAX_LARGEST = 20;
const MAX_CHANGES = 50;

/** Outstanding refunds by company: amounts advanced minus amounts repaid. */
const EXPOSURES = sql`(select company_id, sum(outstanding)::bigint as exposure from ${EXPOSED_ADVANCES} exposed group by company_id)`;
const ENDED_STATES_SQL = sql.raw(ENDED_STATES.map((state) => `'${state}'`).join(', '));

const ORDERS = {
  exposure: sql`coalesce(e.exposure, 0) desc, c.id`,
  name: sql`lower(c.name), c.id`,
  newest: sql`c.created_at desc, c.id`,
} as const;

type CompanyRow = {
  company_id: string;
  name: string;
  vrn: string | null;
  company_number: string | null;
  hmrc: string | null;
  open_advances: number;
  settled_advances: number;
  exposure: number;
  created_at: string;
  count: number;
};

export async function listCompanies(
  { database: { db } }: AppDeps,
  { q, sort, page }: ParsedEndpointInput<typeof operatorCompaniesApi.list>,
): Promise<EndpointOutput<typeof operatorCompaniesApi.list>> {
  const { rows } = await db.execute<CompanyRow>(sql`
    with page as (
      select c.id, c.name, c.vrn, c.company_number, c.created_at, coalesce(e.exposure, 0) as exposure, count(*) over ()::int as count,
        row_number() over (order by ${ORDERS[sort]}) as place
      from companies c left join ${EXPOSURES} e on e.company_id = c.id
      where c.kind = 'trader' and ${q ? matchCompany(q, sql`c.id`) : sql`true`}
      order by ${ORDERS[sort]} limit ${PAGE_SIZE} offset ${(page - 1) * PAGE_SIZE}
    )
    select page.id as company_id, page.name, page.vrn, page.company_number, h.status as hmrc, page.exposure, page.created_at, page.count,
      (select count(*)::int from advances a where a.company_id = page.id and a.state not in (${ENDED_STATES_SQL})) as open_advances,
      (select count(*)::int from advances a where a.company_id = page.id and a.state = 'settled') as settled_advances
    from page left join hmrc_connections h on h.company_id = page.id order by page.place`);
  const count = rows[0]?.count ?? 0;
  return {
    companies: rows.map(({ exposure, created_at, ...row }) => ({
      company_id: row.company_id,
      name: row.name,
      vrn: row.vrn,
      company_number: row.company_number,
      hmrc: row.hmrc,
      open_advances: row.open_advances,
      settled_advances: row.settled_advances,
      exposure_pence: pence(Number(exposure)),
      created_at: toInstant(Date.parse(created_at)),
    })),
    count,
    pages: Math.ceil(count / PAGE_SIZE),
  };
}

type LimitRow = {
  company_id: string | null;
  company_name: string | null;
  limit_pence: number;
  reason: string;
  requested_by: string;
  decided_by: string;
  at: string;
};

export async function getExposure(deps: AppDeps): Promise<EndpointOutput<typeof operatorCompaniesApi.exposure>> {
  const { db } = deps.database;
  const limits = await loadExposureLimits(db, undefined, getAdvanceTerms(deps.clock.today()));
  const { total } = await sumExposure(db, undefined);
  const largestExposures = await db.execute<{ company_id: string; name: string; exposure: number; own_limit: number | null }>(sql`
    select c.id as company_id, c.name, e.exposure,
      (select l.limit_pence from exposure_limits l where l.company_id = c.id order by l.set_at desc limit 1) as own_limit
    from ${EXPOSURES} e join companies c on c.id = e.company_id where e.exposure > 0 order by e.exposure desc, c.id limit ${MAX_LARGEST}`);
  const changes = await db.execute<LimitRow>(sql`
    select l.company_id, c.name as company_name, l.limit_pence, l.reason, asked.full_name as requested_by, decided.full_name as decided_by, l.set_at as at
    from exposure_limits l left join companies c on c.id = l.company_id
      join users asked on asked.id = l.requested_by join users decided on decided.id = l.decided_by
    order by l.set_at desc limit ${MAX_CHANGES}`);
  return {
    total: { exposure_pence: total, limit_pence: limits.totalExposureLimitPence },
    company_limit_pence: limits.companyExposureLimitPence,
    largest: largestExposures.rows.map(({ company_id, name, exposure, own_limit }) => ({
      company_id,
      name,
      exposure_pence: pence(Number(exposure)),
      limit_pence: own_limit === null ? limits.companyExposureLimitPence : pence(Number(own_limit)),
    })),
    changes: changes.rows.map((row) => ({
      ...row,
      limit_pence: pence(Number(row.limit_pence)),
      at: toInstant(Date.parse(row.at)) as Instant,
    })),
  };
}
