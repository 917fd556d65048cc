/** Reads the facts of many clients in one statement, in the shape that the rules expect (domain/agent/agent-facts.ts). */
import { PAGES } from '@portal/contract/pages.ts';
import type { Db, Tx } from '@portal/db/database.ts';
import { isInIdList } from '@portal/db/in-id-list.ts';
import type { ObservationKind } from '@portal/db/schema/schema.ts';
import { sql, type SQL } from '@portal/db/sql.ts';
import type { ClientFacts, PracticeFacts } from '@portal/domain/agent/agent-facts.ts';
import { DRY_RUN_DAYS } from '@portal/domain/agent/agent-mode.ts';
import { MAX_AGE_DAYS } from '@portal/domain/agent/known-returns.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import { REGISTRATION_THRESHOLDS } from '@portal/domain/uk-tax/vat/registration-thresholds.ts';
import { isVatRegistered } from '../clients/is-vat-registered.ts';
import { isOfPresentReference } from '../positions/observation-reference.ts';

/** The number of days for which a failed message counts as a fact. */
const FAILED_MESSAGE_DAYS = 30;
/** The number of returns that a rule looks at, plus those of the year before. */
const MAX_RETURNS = 12;

/** A year of monthly returns, plus the one to file. */
const MAX_PREPARED = 13;
const MAX_REQUESTS = 20;

/** `publicUrl` is where the client's users find the pages that messages link to. */
type FactsScope = { readonly companyId: string; readonly today: PlainDate; readonly publicUrl: string };

/** Returns the facts of these clients, in order of their IDs. */
export async function loadFacts(db: Db | Tx, scope: FactsScope, clientIds: readonly string[]): Promise<ClientFacts[]> {
  const { rows } = await db.execute<{ facts: ClientFacts }>(selectFacts(scope, isInIdList(sql.raw('c.id'), clientIds)));
  return rows.map(({ facts }) => facts);
}

/** Returns the facts of the clients that follow the given ID, in order of their IDs. */
export async function loadNextFacts(db: Db | Tx, scope: FactsScope, afterId: string, limit: number): Promise<ClientFacts[]> {
  const { rows } = await db.execute<{ facts: ClientFacts }>(sql`${selectFacts(scope, sql`c.id > ${afterId}::uuid`)} limit ${limit}`);
  return rows.map(({ facts }) => facts);
}

const selectDay = (column: string): SQL => sql.raw(`(${column} at time zone 'Europe/London')::date`);

/** Orders lists, so that equal facts read the same. Each list is an index scan of the client's own rows. */
function selectFacts({ companyId, today, publicUrl }: FactsScope, condition: SQL): SQL {
  return sql`
    select json_build_object(
      'client_id', c.id, 'name', c.name, 'kind', c.kind, 'status', c.status, 'has_email',
        (c.email is not null and c.email <> '') or exists (select from client_contacts k where k.company_id = c.company_id and k.client_id = c.id and k.email <> ''),
      'taxes', array_remove(array[case when c.has_vat then 'vat' end, case when c.has_paye then 'paye' end, case when c.has_ct then 'ct' end,
        case when c.has_sa then 'sa' end], null),
      'is_vat_registered', ${isVatRegistered('c')},
      'represents_vat_group', coalesce(c.vat_group_role = 'representative', false) or exists (
        select from clients g where g.company_id = c.company_id and g.vat_group_vrn = c.vrn),
      'missing_references', array_remove(array[case when c.has_vat and c.vrn is null then 'vat' end,
        case when c.has_paye and c.paye_reference is null then 'paye' end, case when c.has_ct and c.utr is null then 'ct' end,
        case when c.has_sa and c.nino is null then 'sa' end], null),
      'created_on', ${selectDay('c.created_at')}, 'tags', c.tags, 'year_end_on', c.year_end_on, 'register_status', c.register_status,
      'members', coalesce((select json_agg(json_build_object('user_id', m.user_id, 'name', u.full_name, 'duty', m.duty) order by m.assigned_at, m.user_id, m.duty)
        from client_members m join users u on u.id = m.user_id where m.company_id = c.company_id and m.client_id = c.id), '[]'),
      'figures', coalesce((select json_agg(json_build_object('tax', p.tax, 'is_read', p.as_of is not null, 'source', p.source, 'as_of', ${selectDay('p.as_of')},
          'stale_on', p.stale_on, 'refresh_failed', p.refresh_failed, 'is_insolvent', p.detail ->> 'standing' = 'insolvent',
          'is_refund_held', coalesce((p.detail ->> 'refund_held')::boolean, false), 'overdue_pence', p.overdue_pence, 'overdue_since', p.overdue_since,
          'refund_pence', p.refund_pence, 'owed_pence', p.owed_pence, 'overdue_returns', p.overdue_returns, 'points', p.penalty_points,
          'points_threshold', p.points_threshold, 'interest_pence', p.interest_pence, 'is_estimate', p.is_estimate, 'returns',
          case when p.tax = 'vat' then coalesce((select json_agg(json_build_object('end', r.value -> 'end', 'due_on', r.value -> 'return_due_on',
              'received_on', r.value -> 'received_on', 'charged_pence', r.value -> 'charged_pence') order by r.number)
            from (select e.value, e.number from jsonb_array_elements(p.detail -> 'periods') with ordinality as e(value, number)
              where e.value ->> 'return_state' = 'filed' order by e.number desc limit ${MAX_RETURNS}) r), '[]') else '[]' end) order by p.tax)
        from tax_positions p where p.company_id = c.company_id and p.client_id = c.id), '[]'),
      'items', coalesce((select json_agg(json_build_object('tax', d.tax, 'key', d.key, 'what', d.what, 'kind', d.kind, 'due_on', d.due_on,
          'amount_pence', d.amount_pence, 'period_end', d.period_end, 'source', d.source) order by d.due_on, d.tax, d.key)
        from due_items d where d.company_id = c.company_id and d.client_id = c.id), '[]'),
      'authorisations', coalesce((select json_agg(json_build_object('tax', a.tax, 'status',
          case when a.status = 'link_sent' and a.expires_on < ${today}::date then 'expired' else a.status end, 'sent_on', ${selectDay('a.sent_at')},
          'expires_on', a.expires_on, 'url', a.client_action_url, 'is_emailed', exists (select from authorisation_emails e
            join client_message_recipients r on r.company_id = e.company_id and r.message_id = e.message_id and r.client_id = e.client_id
            where e.company_id = a.company_id and e.client_id = a.client_id and e.tax = a.tax and e.invitation_id = a.invitation_id
              and r.status in ('queued', 'sending', 'sent', 'unknown'))) order by a.tax)
        from client_authorisations a where a.company_id = c.company_id and a.client_id = c.id), '[]'),
      'invitations', coalesce((select json_agg(json_build_object('id', i.id, 'email', i.email, 'sent_on', ${selectDay('i.sent_at')},
          'expires_on', ${selectDay('i.expires_at')}, 'bounced_on', ${selectDay('i.bounced_at')}) order by i.sent_at, i.id)
        from client_invitations i where i.company_id = c.company_id and i.client_id = c.id and i.sent_at is not null and i.accepted_at is null
          and i.revoked_at is null), '[]'),
      'failed_messages', coalesce((select json_agg(json_build_object('message_id', f.message_id, 'email', f.email, 'failed_on', ${selectDay('f.ended_at')})
          order by f.ended_at desc, f.message_id)
        from client_message_recipients f where f.company_id = c.company_id and f.client_id = c.id and f.status in ('failed', 'bounced')
          and f.ended_at >= ${today}::date - ${FAILED_MESSAGE_DAYS}::int
          and not exists (select from client_message_recipients s where s.company_id = f.company_id and s.client_id = f.client_id and s.status = 'sent'
            and s.ended_at > f.ended_at)), '[]'),
      'tasks', coalesce((select json_agg(json_build_object('item_id', w.id, 'title', w.title, 'due_on', nullif(w.due_on, date '9999-12-31'),
          'owner_id', w.owner_id) order by w.due_on, w.id)
        from work_items w where w.company_id = c.company_id and w.client_id = c.id and w.status <> 'done' and w.removed_at is null), '[]'),
      ${selectDocuments(publicUrl)},
      ${selectTurnoverAndIdentity(today)},
      'books', coalesce((select json_agg(json_build_object('tax', b.tax, 'balance_pence', b.balance_pence, 'on_date', b.on_date) order by b.tax)
        from (select distinct on (n.tax) n.tax, n.balance_pence, n.on_date from client_book_balances n
          where n.company_id = c.company_id and n.client_id = c.id order by n.tax, n.entered_at desc, n.id) b), '[]')
    ) as facts
    from clients c where c.company_id = ${companyId}::uuid and ${condition} order by c.id`;
}

/**
 * Selects the client's users, and the documents that they still have to deal with or that were filed. Ended versions are omitted. A return
 * that HMRC accepted after its figures were replaced is also missing, so no rule uses the returns around it for a year.
 */
function selectDocuments(publicUrl: string): SQL {
  const approvalPage = `${publicUrl}${PAGES.clientsPortalVatReturn.path}?company_id=`;
  const filesPageUrl = `${publicUrl}${PAGES.clientsPortalPapers.path}?company_id=`;
  return sql`'people', coalesce((select json_agg(u.full_name order by p.joined_at, u.id) from client_people p join users u on u.id = p.user_id
        where p.company_id = c.company_id and p.client_id = c.id), '[]'),
      'prepared', coalesce((select json_agg(json_build_object('approval_id', v.id, 'obligation_id', v.obligation_id, 'start', v.period_start, 'end', v.period_end, 'due_on', v.due_on,
          'state', v.state, 'sent_on', ${selectDay('v.requested_at')}, 'approved_on', case when v.state = 'approved' then ${selectDay('v.decided_at')} end,
          'filed_on', ${selectDay('v.filed_at')}, 'box1_pence', v.boxes -> 'box1_pence', 'box4_pence', v.boxes -> 'box4_pence',
          'net_pence', case when v.boxes ->> 'direction' = 'repayment' then -1 else 1 end * (v.boxes ->> 'box5_pence')::bigint,
          'box6_pounds', v.boxes -> 'box6_pounds', 'box7_pounds', v.boxes -> 'box7_pounds',
          'url', ${approvalPage}::text || c.id || '&approval_id=' || v.id) order by v.period_end, v.id)
        from (select a.* from return_approvals a where a.company_id = c.company_id and a.client_id = c.id and a.ended_at is null
          order by a.period_end desc, a.id limit ${MAX_PREPARED}) v), '[]'),
      'proposed_refunds', coalesce((select json_agg(json_build_object('start', r.period_start, 'end', r.period_end,
          'proposed_on', ${selectDay('r.proposed_at')}) order by r.proposed_at, r.id)
        from advance_proposals r where r.company_id = c.company_id and r.client_id = c.id), '[]'),
      'letter', (select json_build_object('id', l.id, 'sent_on', ${selectDay('l.sent_at')}, 'signed_on', ${selectDay('l.signed_at')},
          'url', ${filesPageUrl}::text || c.id)
        from engagement_letters l where l.company_id = c.company_id and l.client_id = c.id and l.superseded_at is null),
      'requests', coalesce((select json_agg(json_build_object('id', q.id, 'title', q.title, 'sent_on', ${selectDay('q.created_at')}, 'due_on', q.due_on,
          'missing', q.missing) order by q.due_on, q.id)
        from (select r.id, r.title, r.created_at, r.due_on, (select count(*) from client_request_items t
            where t.company_id = r.company_id and t.request_id = r.id and t.state in ('open', 'returned')) as missing
          from client_requests r where r.company_id = c.company_id and r.client_id = c.id and r.completed_at is null and r.cancelled_at is null
          order by r.due_on, r.id limit ${MAX_REQUESTS}) q where q.missing > 0), '[]')`;
}

/**
 * Selects known facts about turnover, late payments and identity verification. Excludes those read under a VAT number or company number
 * other than the client's current one.
 */
function selectTurnoverAndIdentity(today: PlainDate): SQL {
  const selectNewestObservation = (
    kind: ObservationKind,
  ): SQL => sql`(select o.body from client_observations o where o.company_id = c.company_id
    and o.client_id = c.id and o.kind = ${kind} and ${isOfPresentReference('c', 'o', [kind])} order by o.taken_at desc limit 1)`;
  return sql`'hmrc_returns', coalesce((select json_agg(json_build_object('start', r -> 'start', 'end', r -> 'end', 'box1_pence', r -> 'boxes' -> 'box1',
          'box4_pence', r -> 'boxes' -> 'box4', 'net_pence', (r -> 'boxes' ->> 'box3')::bigint - (r -> 'boxes' ->> 'box4')::bigint,
          'box6_pounds', r -> 'boxes' -> 'box6', 'box7_pounds', r -> 'boxes' -> 'box7', 'read_on', r -> 'readOn') order by r ->> 'end')
        from (select ${selectNewestObservation('vat_returns')} as body) v cross join lateral jsonb_array_elements(v.body -> 'returns') r
        where v.body ->> 'vrn' = c.vrn and jsonb_typeof(r -> 'boxes') = 'object'), '[]'),
      'turnovers', ${selectTurnovers(today)},
      'late_vat_payments', coalesce((select json_agg(l.on_date order by l.on_date)
        from (select distinct p -> 'period' ->> 'end' as on_date
          from jsonb_array_elements(coalesce(${selectNewestObservation('vat_penalties')} -> 'latePayments', '[]')) p
            where p ->> 'status' = 'posted') l), '[]'),
      'register_people', (select json_build_object('read_on', ${selectDay('c.register_people_read_at')}, 'people', v.body -> 'people')
        from (select ${selectNewestObservation('companies_house_people')} as body) v where v.body ->> 'companyNumber' = c.company_number)`;
}

/** Returns the team with its work, in order of IDs: active clients and their work due in the next 30 days. */
export async function loadPracticeFacts(db: Db | Tx, companyId: string, today: PlainDate): Promise<PracticeFacts> {
  const { rows } = await db.execute<PracticeFacts['colleagues'][number]>(sql`
    with due as (
      select client_id, count(*)::int as due_30 from due_items
      where company_id = ${companyId}::uuid and what <> 'refund' and due_on between ${today}::date and ${today}::date + 30 group by client_id
    ), work as (
      select a.user_id, count(*)::int as clients, coalesce(sum(due.due_30), 0)::int as due_30
      from (select distinct user_id, client_id from client_members where company_id = ${companyId}::uuid) a
      join clients c on c.company_id = ${companyId}::uuid and c.id = a.client_id and c.status not in ('inactive', 'closed')
      left join due on due.client_id = a.client_id group by a.user_id
    )
    select m.user_id, u.full_name as name, coalesce(work.clients, 0) as clients, coalesce(work.due_30, 0) as due_30
    from memberships m join users u on u.id = m.user_id left join work on work.user_id = m.user_id
    where m.company_id = ${companyId}::uuid and m.role in ('practice_admin', 'team_member') order by m.user_id`);
  return { colleagues: rows };
}

/**
 * Selects the newest figure for each source and month end. Old month ends are selected only if a source states more than the lowest
 * registration threshold, with all sources, because a lower figure may be a correction of it. The newest of each source always is. A dry run needs those that weren't old on its days.
 */
function selectTurnovers(today: PlainDate): SQL {
  return sql`coalesce((select json_agg(json_build_object('source', t.source, 'end', t.end_on, 'turnover_pence', t.turnover_pence,
          'known_on', ${selectDay('t.known_at')}, 'bad_debt_pence', t.bad_debt_pence, 'is_cash_basis', t.is_cash_basis,
          'was_registered', t.is_registered) order by t.source, t.end_on)
        from (select d.*, max(d.turnover_pence) filter (where not d.is_registered) over (partition by d.end_on) as highest_pence,
            max(d.end_on) over (partition by d.source) as newest_end
          from (select distinct on (n.source, n.end_on) n.*, coalesce(n.was_registered, n.vat_number is not null) as is_registered
            from client_turnovers n where n.company_id = c.company_id and n.client_id = c.id
              and (n.vat_number is null or c.vrn is null or n.vat_number = c.vrn) order by n.source, n.end_on, n.known_at desc, n.id) d) t
        where t.end_on >= ${today}::date - ${MAX_AGE_DAYS + DRY_RUN_DAYS}::int or t.highest_pence > ${REGISTRATION_THRESHOLDS[0].registration_pence}::bigint
          or t.end_on = t.newest_end), '[]')`;
}
