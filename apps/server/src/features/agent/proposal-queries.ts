/** Lists what the assistant has noticed, drafted and done. */
import type { agentModeApi, AgentProposal } from '@portal/contract/agent.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { agentProposals, clients, companies, users } from '@portal/db/schema/schema.ts';
import { and, asc, desc, eq, inArray, isNotNull, isNull, notInArray, sql, type SQL } from '@portal/db/sql.ts';
import { findAgentRule, MANUAL_RULE_ID } from '@portal/domain/agent/agent-rules.ts';
import { PROPOSED_ACTION_RULES } from '@portal/domain/agent/proposed-action.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { parseInstant } from '@portal/domain/clock.ts';
import { getRewordableText } from '@portal/domain/language-model/reword-action.ts';
import { parsePlainDate } from '@portal/domain/plain-date.ts';
import { NEVER_DUE } from '@portal/domain/positions/summarise-client.ts';
import { alias } from 'drizzle-orm/pg-core';
import type { AppDeps } from '../../app-deps.ts';
import { createNotFoundError } from '../../http/policies.ts';
import { isId } from '../../http/resolve-tenant.ts';
import type { Call } from '../../http/serve-contract.ts';
import type { Actor } from '../../http/session.ts';
import { isVisibleTo } from '../positions/visible-clients.ts';
import { findActionProblem } from './perform-action.ts';
import { fillText } from './fill-text.ts';

type ListCall = Call<typeof agentModeApi.proposals>;
const [proposingUser, decidingUser] = [alias(users, 'proposing'), alias(users, 'deciding')];

/** The email address that a message would go to, chosen as in features/messages. */
const RECIPIENT_SQL = sql<string | null>`coalesce(nullif(${clients.email}, ''), (select k.email from client_contacts k
  where k.company_id = ${clients.companyId} and k.client_id = ${clients.id} and k.email <> '' order by k.created_at, k.id limit 1))`;

/** Only a member of the practice can own a task, so no one else is named. */
const TASK_OWNER_SQL = sql<string | null>`(select u.full_name from memberships m join users u on u.id = m.user_id
  where m.company_id = ${agentProposals.companyId} and m.role in ('practice_admin', 'team_member')
    and m.user_id::text = ${agentProposals.act} ->> 'owner_id')`;

function selectProposals({ database: { db } }: Pick<AppDeps, 'database'>) {
  return db
    .select({
      row: agentProposals,
      client: clients.name,
      to: RECIPIENT_SQL,
      taskOwner: TASK_OWNER_SQL,
      practice: companies.name,
      proposedBy: proposingUser.fullName,
      decidedBy: decidingUser.fullName,
    })
    .from(agentProposals)
    .innerJoin(clients, and(eq(clients.companyId, agentProposals.companyId), eq(clients.id, agentProposals.clientId)))
    .innerJoin(companies, eq(companies.id, agentProposals.companyId))
    .leftJoin(proposingUser, eq(proposingUser.id, agentProposals.proposedBy))
    .leftJoin(decidingUser, eq(decidingUser.id, agentProposals.decidedBy));
}
type SelectedProposal = Awaited<ReturnType<typeof selectProposals>>[number];

/** Lists open proposals by due date, and decided ones latest first. */
export async function listProposals(
  deps: AppDeps,
  { input, tenant, actor }: ListCall,
): Promise<EndpointOutput<typeof agentModeApi.proposals>> {
  const isDone = input.column === 'done';
  const condition = and(
    eq(agentProposals.companyId, tenant.practiceId),
    matchesColumn(input.column),
    input.client_id === undefined ? undefined : eq(agentProposals.clientId, input.client_id),
    input.rule_id === undefined ? undefined : eq(agentProposals.ruleId, input.rule_id),
    isVisibleTo(actor, agentProposals.companyId, agentProposals.clientId),
  );
  const rows = await selectProposals(deps)
    .where(and(condition, input.cursor === undefined ? undefined : isAfter(input.cursor, isDone)))
    .orderBy(...(isDone ? [desc(agentProposals.decidedAt), desc(agentProposals.id)] : [asc(agentProposals.dueOn), asc(agentProposals.id)]))
    .limit(input.limit + 1);
  const page = rows.slice(0, input.limit);
  const last = page.at(-1)?.row;
  return {
    proposals: await addProblems(deps, actor, page),
    total: await deps.database.db.$count(agentProposals, condition),
    next_cursor: last && rows.length > page.length ? `${isDone ? last.decidedAt : last.dueOn} ${last.id}` : null,
    today: deps.clock.today(),
  };
}

function matchesColumn(column: ListCall['input']['column']): SQL | undefined {
  const isOpen = inArray(agentProposals.state, ['open', 'acting']);
  switch (column) {
    case 'watch':
      return and(isOpen, isNull(agentProposals.draftedOn));
    case 'drafts':
      return and(isOpen, isNotNull(agentProposals.draftedOn));
    case 'done':
      return and(notInArray(agentProposals.state, ['open', 'acting']), isNotNull(agentProposals.decidedAt));
  }
}

function isAfter(cursor: string, isDone: boolean): SQL {
  const [place = '', id = ''] = cursor.split(' ');
  const isKnown = isDone ? parseInstant(place) !== undefined : parsePlainDate(place) !== undefined;
  if (!isKnown || !isId(id)) throw new AppError('invalid', 'input.invalid', 'Reload the list from the start.', { field: 'cursor' });
  return isDone
    ? sql`(${agentProposals.decidedAt}, ${agentProposals.id}) < (${place}::timestamptz, ${id}::uuid)`
    : sql`(${agentProposals.dueOn}, ${agentProposals.id}) > (${place}::date, ${id}::uuid)`;
}

export async function getProposal(deps: AppDeps, companyId: string, actor: Actor, id: string): Promise<AgentProposal> {
  const [foundProposal] = await selectProposals(deps).where(
    and(
      eq(agentProposals.companyId, companyId),
      eq(agentProposals.id, id),
      isVisibleTo(actor, agentProposals.companyId, agentProposals.clientId),
    ),
  );
  if (!foundProposal) throw createNotFoundError();
  const [proposal] = await addProblems(deps, actor, [foundProposal]);
  if (!proposal) throw createNotFoundError();
  return proposal;
}

/** Checks only drafts, because nothing else can be approved. Sequential, because each check is a transaction in its client's scope. */
async function addProblems(deps: AppDeps, actor: Actor, rows: readonly SelectedProposal[]): Promise<AgentProposal[]> {
  const proposals: AgentProposal[] = [];
  for (const row of rows) {
    const { companyId, state, draftedOn } = row.row;
    const isDraft = state === 'open' && draftedOn !== null;
    const problem = isDraft ? await findActionProblem(deps, { companyId, actor }, row.row) : null;
    proposals.push({ ...toProposal(row, actor), problem });
  }
  return proposals;
}

function toProposal(
  { row, client, to, taskOwner, practice, proposedBy, decidedBy }: SelectedProposal,
  { fullName }: Actor,
): Omit<AgentProposal, 'problem'> {
  const { act, state } = row;
  const { isSafe, canRevert } = PROPOSED_ACTION_RULES[act.kind];
  const names = { client, practice, sender: fullName };
  return {
    proposal_id: row.id,
    rule_id: row.ruleId,
    rule_version: row.ruleVersion,
    rule_name: row.ruleId === MANUAL_RULE_ID ? 'Proposed by a team member' : (findAgentRule(row.ruleId)?.name ?? row.ruleId),
    client: { client_id: row.clientId, name: client },
    tax: row.tax,
    title: row.title,
    facts: [...row.facts],
    act,
    filled: act.kind === 'message' ? { to, subject: fillText(act.subject, names), body: fillText(act.body, names) } : null,
    task_owner: act.kind === 'task' ? taskOwner : null,
    wording: row.wording,
    is_safe: isSafe,
    has_text: getRewordableText(act) !== null,
    state,
    is_draft: row.draftedOn !== null,
    due_on: row.dueOn === NEVER_DUE ? null : row.dueOn,
    noticed_at: row.noticedAt,
    proposed_by: proposedBy,
    decided_by: decidedBy,
    decided_at: row.decidedAt,
    is_by_agent: row.isByAgent,
    lesson: row.lesson,
    reason: row.reason,
    snoozed_until: row.snoozedUntil,
    can_revert: state === 'done' && canRevert && row.result?.wasThere !== true,
    version: row.version,
  };
}
