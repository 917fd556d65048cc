/**
 * Stores the rules' proposals for a batch of clients. Rule, client and subject are unique together, so each proposal is made once, even if
 * a run is repeated. Users' decisions are never overwritten.
 */
import { randomUUID } from 'node:crypto';
import type { Tx } from '@portal/db/database.ts';
import { isInIdList } from '@portal/db/in-id-list.ts';
import { agentProposals } from '@portal/db/schema/schema.ts';
import { and, eq, ne, sql } from '@portal/db/sql.ts';
import { MANUAL_RULE_ID } from '@portal/domain/agent/agent-rules.ts';
import type { ClientProposal } from '@portal/domain/agent/apply-rules.ts';
import type { Instant } from '@portal/domain/clock.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import { NEVER_DUE } from '@portal/domain/positions/summarise-client.ts';
import { toCanonicalText } from '../positions/canonical-text.ts';

type RunTime = { readonly companyId: string; readonly today: PlainDate; readonly now: Instant };
type StoredProposal = Awaited<ReturnType<typeof loadStoredProposals>>[number];

const getKey = (clientId: string, ruleId: string, subject: string): string => `${clientId} ${ruleId} ${subject}`;

export async function storeProposals(
  tx: Tx,
  moment: RunTime,
  clientIds: readonly string[],
  foundProposals: readonly ClientProposal[],
): Promise<void> {
  const storedProposals = await loadStoredProposals(tx, moment.companyId, clientIds);
  const byKey = new Map(storedProposals.map((row) => [getKey(row.clientId, row.ruleId, row.subject), row]));
  const addedProposals: ClientProposal[] = [];
  const changedProposals: (ClientProposal & { readonly id: string; readonly keepsAction: boolean; readonly isNewText: boolean })[] = [];
  const seenClients = new Set<string>();
  for (const proposal of foundProposals) {
    const key = getKey(proposal.client_id, proposal.rule_id, proposal.subject);
    seenClients.add(key);
    const row = byKey.get(key);
    if (!row) addedProposals.push(proposal);
    else if (mayChange(row, moment.today) && !isSame(row, proposal)) {
      const isNewText = toCanonicalText(row.ruleAct) !== toCanonicalText(proposal.act);
      // Keep a user's wording. It is checked against the facts when the draft is approved.
      changedProposals.push({ ...proposal, id: row.id, keepsAction: row.wording !== 'rule' && !isNewText, isNewText });
    }
  }
  const obsoleteProposals = storedProposals.filter(
    (row) => (row.state === 'open' || row.state === 'snoozed') && !seenClients.has(getKey(row.clientId, row.ruleId, row.subject)),
  );
  await insertProposals(tx, moment, addedProposals);
  await updateProposals(tx, moment, changedProposals);
  if (obsoleteProposals.length > 0) {
    const ids = obsoleteProposals.map(({ id }) => id);
    await tx
      .update(agentProposals)
      .set({ state: 'withdrawn', decidedAt: moment.now, draftedOn: null })
      .where(and(eq(agentProposals.companyId, moment.companyId), isInIdList(agentProposals.id, ids)));
  }
}

/** Decided proposals don't change, unless the decision was only for a limited time. */
function mayChange({ state, snoozedUntil }: StoredProposal, today: PlainDate): boolean {
  return state === 'open' || state === 'withdrawn' || (state === 'snoozed' && snoozedUntil !== null && snoozedUntil <= today);
}

function isSame(row: StoredProposal, proposal: ClientProposal): boolean {
  return (
    row.state === 'open' &&
    row.title === proposal.title &&
    row.ruleVersion === proposal.rule_version &&
    toCanonicalText(row.facts) === toCanonicalText(proposal.facts) &&
    toCanonicalText(row.ruleAct) === toCanonicalText(proposal.act)
  );
}

function loadStoredProposals(tx: Tx, companyId: string, clientIds: readonly string[]) {
  return tx
    .select({
      id: agentProposals.id,
      clientId: agentProposals.clientId,
      ruleId: agentProposals.ruleId,
      ruleVersion: agentProposals.ruleVersion,
      subject: agentProposals.subject,
      title: agentProposals.title,
      facts: agentProposals.facts,
      ruleAct: agentProposals.ruleAct,
      wording: agentProposals.wording,
      state: agentProposals.state,
      snoozedUntil: agentProposals.snoozedUntil,
    })
    .from(agentProposals)
    .where(
      and(
        eq(agentProposals.companyId, companyId),
        isInIdList(agentProposals.clientId, clientIds),
        ne(agentProposals.ruleId, MANUAL_RULE_ID),
      ),
    )
    .orderBy(agentProposals.id)
    .for('update');
}

async function insertProposals(tx: Tx, { companyId, now }: RunTime, addedProposals: readonly ClientProposal[]): Promise<void> {
  if (addedProposals.length === 0) return;
  const rows = addedProposals.map((item) => ({ ...item, id: randomUUID(), due_on: item.due_on ?? NEVER_DUE }));
  await tx.execute(sql`
    insert into agent_proposals (company_id, id, client_id, rule_id, rule_version, subject, tax, title, facts, rule_act, act, due_on, noticed_at)
    select ${companyId}::uuid, r.id, r.client_id, r.rule_id, r.rule_version, r.subject, r.tax, r.title, r.facts, r.act, r.act, r.due_on, ${now}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(id uuid, client_id uuid, rule_id text, rule_version int, subject text, tax text,
      title text, facts jsonb, act jsonb, due_on date)
    on conflict do nothing`);
}

type ChangedProposal = ClientProposal & { readonly id: string; readonly keepsAction: boolean; readonly isNewText: boolean };

async function updateProposals(tx: Tx, { companyId }: RunTime, changedProposals: readonly ChangedProposal[]): Promise<void> {
  if (changedProposals.length === 0) return;
  const rows = changedProposals.map((item) => ({ ...item, due_on: item.due_on ?? NEVER_DUE }));
  await tx.execute(sql`
    update agent_proposals p set state = 'open', title = r.title, facts = r.facts, rule_act = r.act, rule_version = r.rule_version, due_on = r.due_on,
      act = case when r."keepsAction" then p.act else r.act end, wording = case when r."keepsAction" then p.wording else 'rule' end,
      version = p.version + case when r."isNewText" then 1 else 0 end, snoozed_until = null, lesson = null, reason = null,
      decided_at = null, decided_by = null, drafted_on = case when p.state = 'open' and r.act ->> 'kind' <> 'watch' then p.drafted_on end
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(id uuid, title text, facts jsonb, act jsonb, rule_version int, due_on date,
      "keepsAction" boolean, "isNewText" boolean)
    where p.company_id = ${companyId}::uuid and p.id = r.id`);
}

/**
 * Turns the rules' most urgent watched proposals into drafts, up to the daily limit, which doesn't count what people and tools propose. A
 * rule set to watch only doesn't create drafts.
 */
export async function createMostUrgentDrafts(tx: Tx, companyId: string, today: PlainDate, limit: number): Promise<void> {
  await tx.execute(sql`
    with room as (select greatest(0, ${limit}::int - count(*))::int as free from agent_proposals
      where company_id = ${companyId}::uuid and drafted_on = ${today}::date and proposed_by is null)
    update agent_proposals p set drafted_on = ${today}::date
    where p.company_id = ${companyId}::uuid and p.id in (
      select q.id from agent_proposals q where q.company_id = ${companyId}::uuid and q.state = 'open' and q.drafted_on is null
        and q.act ->> 'kind' <> 'watch' order by q.due_on, q.id limit (select free from room))`);
}
