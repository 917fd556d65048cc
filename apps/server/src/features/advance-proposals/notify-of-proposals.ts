/**
 * Notifies the proposer that the client declined, or that its company accepted an offer or was paid. The trader's transactions know nothing of
 * proposals, so a periodic job looks for stages that have been reached since. No text names an amount.
 */
import { PAGES } from '@portal/contract/pages.ts';
import type { Tx } from '@portal/db/database.ts';
import { advanceProposals, clientMembers, clients, memberships } from '@portal/db/schema/schema.ts';
import { and, eq, sql } from '@portal/db/sql.ts';
import type { ProposalStage } from '@portal/domain/advance-proposals/proposal-stage.ts';
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

/** What is reached in an advance, in order. `settled` notifies no one, but an advance can settle before the next look. */
const REACHED: readonly ProposalStage[] = ['accepted', 'paid', 'settled'];

export async function notifyOfProposals(deps: AppDeps): Promise<void> {
  const { db } = deps.database;
  const { rows } = await db.execute<{ company_id: string; client_id: string; id: string }>(sql`
    select p.company_id, p.client_id, p.id from advance_proposals p
    join proposed_advances a on a.company_id = p.company_id and a.proposal_id = p.id
    where p.ended_as is null and a.accepted_at is not null and a.state not in ('declined', 'withdrawn', 'written_off')
      and p.notified_stage is distinct from case when a.repaid_at is not null then 'settled' when a.paid_at is not null then 'paid' else 'accepted' end
    order by p.company_id, p.id`);
  await tryEach(rows, (found) => db.transaction((tx) => notifyOfStage(deps, tx, found)));
}

async function notifyOfStage(deps: AppDeps, tx: Tx, found: { company_id: string; client_id: string; id: string }): Promise<void> {
  const key = { practiceId: found.company_id, clientId: found.client_id, proposalId: found.id };
  const proposal = await lockProposal(tx, key, deps.clock.today());
  if (!proposal) return;
  const { row, stage } = proposal;
  const known = row.notifiedStage === null ? -1 : REACHED.indexOf(row.notifiedStage);
  const reached = REACHED.slice(known + 1, REACHED.indexOf(stage) + 1);
  for (const next of reached) {
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
  if (reached.length > 0) await tx.update(advanceProposals).set({ notifiedStage: stage }).where(isProposal(key));
}

/** To the proposer, as long as they may see the client; otherwise to those who look after it. */
export async function notifyOfProposal(deps: AppDeps, tx: Tx, row: ProposalRow, what: keyof typeof TITLES): Promise<void> {
  const { companyId, clientId, obligationId, id } = row;
  const [client] = await tx
    .select({ name: clients.name })
    .from(clients)
    .where(and(eq(clients.companyId, companyId), eq(clients.id, clientId)));
  const ids = new URLSearchParams({ company_id: companyId, client_id: clientId, obligation_id: obligationId });
  const event = {
    kind: 'advance_proposal',
    key: `${id} ${what}`,
    clientId,
    title: `${client?.name ?? 'A client'} ${TITLES[what]}`,
    path: `${PAGES.clientVatReturn.path}?${ids}`,
    userIds: await listReaders(tx, row),
  } as const;
  await notify(deps, tx, companyId, [event]);
}

async function listReaders(tx: Tx, { companyId, clientId, proposedBy }: ProposalRow): Promise<readonly string[]> {
  const isAssigned = sql`exists (select from ${clientMembers} where ${clientMembers.companyId} = ${companyId}::uuid
    and ${clientMembers.clientId} = ${clientId}::uuid and ${clientMembers.userId} = ${memberships.userId})`;
  const proposer = await tx
    .select({ userId: memberships.userId })
    .from(memberships)
    .where(
      and(
        eq(memberships.companyId, companyId),
        eq(memberships.userId, proposedBy),
        sql`(${memberships.role} = 'practice_admin' or ${isAssigned})`,
      ),
    );
  if (proposer.length > 0) return [proposedBy];
  return (await listClientTeams(tx, companyId, [clientId]))(clientId);
}
