/**
 * Notifies the proposer that the client declined, or that the client's company accepted an offer or was paid. The code for traders doesn't
 * know about proposals, so a periodic job looks for new stages. No message contains an amount.
 */
import { PAGES } from '@portal/contract/pages.ts';
import type { Tx } from '@portal/db/database.ts';
import { advanceProposals, clientMembers, clients, memberships } from '@portal/db/schema/schema.ts';
import { and, eq, sql, type SQL } from '@portal/db/sql.ts';
import { listAdvanceStates, type ProposalStage } from '@portal/domain/advance-proposals/proposal-stage.ts';
import { addMilliseconds, type Instant } from '@portal/domain/clock.ts';
import type { AppDeps } from '../../app-deps.ts';
import { tryEach } from '../../jobs/try-each.ts';
import { listClientTeams, notify } from '../staff-notifications/notify.ts';
import { recordTaxpayerAudit } from '../vat-returns/taxpayer.ts';
import { isProposal, lockProposal, type ProposalRow } from './find-proposal.ts';

const TITLES = {
  declined: 'declined the early refund',
  accepted: 'accepted an offer for the early refund',
  paid: 'has been paid the early refund',
} as const;

/** The stages that an advance reaches, in order. `settled` doesn't send a notification, but an advance can settle before the next run. */
const NOTIFIED_STAGES: readonly ProposalStage[] = ['accepted', 'paid', 'settled'];

/** After this many days, an offer for the return's refund is no longer possible, and collection doesn't send notifications. */
const FOLLOW_UP_DAYS = 400;

export async function notifyOfProposals(deps: AppDeps): Promise<void> {
  const { db } = deps.database;
  await tryEach(await findReachedProposals(deps), (foundProposal) => db.transaction((tx) => notifyOfStage(deps, tx, foundProposal)));
}

type FoundProposal = { readonly company_id: string; readonly client_id: string; readonly id: string };

/** Rank of each advance state, counted from 1 in the order of `NOTIFIED_STAGES`. */
const STATE_RANKS = JSON.stringify(
  Object.fromEntries(NOTIFIED_STAGES.flatMap((stage, index) => listAdvanceStates(stage).map((state) => [state, index + 1]))),
);

/**
 * Selects proposals that have reached a further stage. The index `advance_proposals_followed` excludes settled and old proposals; each of
 * the others is looked up once per stage, and not again once it has been notified. Because of the limit, PostgreSQL queries the view for
 * each proposal instead of computing it for all proposals ever started.
 */
export function selectReachedProposals(since: Instant): SQL {
  return sql`
    select p.company_id, p.client_id, p.id from advance_proposals p
    cross join lateral (select a.state from proposed_advances a where a.company_id = p.company_id and a.proposal_id = p.id limit 1) a
    where p.ended_as is null and p.notified_stage is distinct from 'settled' and p.started_at > ${since}::timestamptz
      and (${STATE_RANKS}::jsonb ->> a.state)::int > coalesce(array_position(array['accepted', 'paid'], p.notified_stage), 0)
    order by p.company_id, p.id`;
}

async function findReachedProposals({ clock, database: { db } }: AppDeps): Promise<FoundProposal[]> {
  const { rows } = await db.execute<FoundProposal>(selectReachedProposals(addMilliseconds(clock.now(), -FOLLOW_UP_DAYS * 86_400_000)));
  return rows;
}

async function notifyOfStage(deps: AppDeps, tx: Tx, foundProposal: FoundProposal): Promise<void> {
  const key = { practiceId: foundProposal.company_id, clientId: foundProposal.client_id, proposalId: foundProposal.id };
  const proposal = await lockProposal(tx, key, deps.clock.today());
  if (!proposal) return;
  const { row, stage } = proposal;
  const knownStage = row.notifiedStage === null ? -1 : NOTIFIED_STAGES.indexOf(row.notifiedStage);
  const reachedStages = NOTIFIED_STAGES.slice(knownStage + 1, NOTIFIED_STAGES.indexOf(stage) + 1);
  for (const next of reachedStages) {
    await recordTaxpayerAudit(
      tx,
      { companyId: row.clientId, practiceId: row.companyId },
      {
        at: deps.clock.now(),
        actor: 'rules',
        action: `advance_proposal.${next}`,
        subject: row.id,
      },
    );
    if (next === 'accepted' || next === 'paid') await notifyOfProposal(deps, tx, row, next);
  }
  if (reachedStages.length > 0) await tx.update(advanceProposals).set({ notifiedStage: stage }).where(isProposal(key));
}

/** Notifies the proposer while they may see the client, otherwise the client's team. */
export async function notifyOfProposal(deps: AppDeps, tx: Tx, row: ProposalRow, proposalEvent: keyof typeof TITLES): Promise<void> {
  const { companyId, clientId, obligationId, id } = row;
  const [client] = await tx
    .select({ name: clients.name })
    .from(clients)
    .where(and(eq(clients.companyId, companyId), eq(clients.id, clientId)));
  const ids = new URLSearchParams({ company_id: companyId, client_id: clientId, obligation_id: obligationId });
  const event = {
    kind: 'advance_proposal',
    key: `${id} ${proposalEvent}`,
    clientId,
    title: `${client?.name ?? 'A client'} ${TITLES[proposalEvent]}`,
    path: `${PAGES.clientVatReturn.path}?${ids}`,
    userIds: await listReaders(tx, row),
  } as const;
  await notify(deps, tx, companyId, [event]);
}

async function listReaders(tx: Tx, { companyId, clientId, proposedBy }: ProposalRow): Promise<readonly string[]> {
  const isAssigned = sql`exists (select from ${clientMembers} where ${clientMembers.companyId} = ${companyId}::uuid
    and ${clientMembers.clientId} = ${clientId}::uuid and ${clientMembers.userId} = ${memberships.userId})`;
  const activeProposers = await tx
    .select({ userId: memberships.userId })
    .from(memberships)
    .where(
      and(
        eq(memberships.companyId, companyId),
        eq(memberships.userId, proposedBy),
        sql`(${memberships.role} = 'practice_admin' or ${isAssigned})`,
      ),
    );
  if (activeProposers.length > 0) return [proposedBy];
  return (await listClientTeams(tx, companyId, [clientId]))(clientId);
}
