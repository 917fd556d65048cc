/** Lists a practice's VAT returns by stage. Returns to prepare come from HMRC's obligations, later stages from approvals. */
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import type { returnApprovalsApi } from '@portal/contract/return-approvals.ts';
import type { FiledBoxes } from '@portal/db/schema/schema.ts';
import type { Instant } from '@portal/domain/clock.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import { RETURN_STAGES, type ReturnStage } from '@portal/domain/vat-returns/return-approval.ts';
import { sql, type SQL } from '@portal/db/sql.ts';
import { toInstant } from '@portal/domain/clock.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Actor } from '../../http/session.ts';
import { isVisibleTo } from '../positions/visible-clients.ts';

const PAGE_SIZE = 50;
/** Returns filed earlier are in the client's own list. */
const FILED_DAYS = 90;

type Output = EndpointOutput<typeof returnApprovalsApi.stages>;
type StageRow = {
  client_id: string;
  client: string;
  stage: ReturnStage;
  period_start: PlainDate | null;
  period_end: PlainDate;
  due_on: PlainDate;
  obligation_id: string | null;
  boxes: FiledBoxes | null;
  since: string | null;
  has_changed: boolean;
};

export async function listStages(
  { database: { db }, clock }: AppDeps,
  practiceId: string,
  actor: Actor,
  { stage, offset }: { readonly stage: ReturnStage; readonly offset: number },
): Promise<Output> {
  const today = clock.today();
  const stagedReturns = selectStagedReturns(practiceId, actor, today, clock.now());
  const { rows: stageCounts } = await db.execute<{ stage: ReturnStage; returns: number }>(
    sql`select stage, count(*)::int as returns from (${stagedReturns}) s group by stage`,
  );
  const { rows } = await db.execute<StageRow>(sql`
    select * from (${stagedReturns}) s where stage = ${stage}
    order by ${stage === 'filed' ? sql`since desc` : sql`due_on`}, client, client_id limit ${PAGE_SIZE + 1} offset ${offset}`);
  return {
    counts: RETURN_STAGES.map((name) => ({ stage: name, returns: stageCounts.find((row) => row.stage === name)?.returns ?? 0 })),
    returns: rows.slice(0, PAGE_SIZE).map(({ boxes, since, ...row }) => ({
      ...row,
      is_overdue: row.stage !== 'filed' && row.due_on < today,
      box5_pence: boxes?.box5_pence ?? null,
      direction: boxes?.direction ?? null,
      since: since === null ? null : toInstant(Date.parse(since)),
    })),
    next_offset: rows.length > PAGE_SIZE ? offset + PAGE_SIZE : null,
  };
}

function selectStagedReturns(practiceId: string, actor: Actor, today: PlainDate, now: Instant): SQL {
  const isVisible = isVisibleTo(actor, sql`c.company_id`, sql`c.id`) ?? sql`true`;
  const isOurs = sql`c.company_id = ${practiceId}::uuid and c.status not in ('inactive', 'closed') and ${isVisible}`;
  return sql`
    select d.client_id, c.name as client, 'to_prepare' as stage, d.period_start::text, d.period_end::text, d.due_on::text,
      null::uuid as obligation_id, null::jsonb as boxes, null::text as since,
      exists (select from return_approvals a where a.company_id = d.company_id and a.client_id = d.client_id
        and a.period_end = d.period_end and a.state = 'changed') as has_changed
    from due_items d join clients c on c.company_id = d.company_id and c.id = d.client_id
    where ${isOurs} and d.tax = 'vat' and d.what = 'return' and d.period_end is not null and d.period_end < ${today}::date
      and not exists (select from return_approvals a where a.company_id = d.company_id and a.client_id = d.client_id
        and a.period_end = d.period_end and (a.ended_at is null or a.filed_at is not null))
    union all
    select a.client_id, c.name, case when a.filed_at is null then a.state else 'filed' end, a.period_start::text, a.period_end::text,
      a.due_on::text, a.obligation_id, a.boxes, coalesce(a.filed_at, a.decided_at, a.requested_at)::text, false
    from return_approvals a join clients c on c.company_id = a.company_id and c.id = a.client_id
    where ${isOurs} and a.company_id = ${practiceId}::uuid and (a.ended_at is null or a.filed_at is not null)
      and (a.filed_at is null or a.filed_at > ${now}::timestamptz - make_interval(days => ${FILED_DAYS}))`;
}
