/** Proposed early refunds as the practice and the client's users see them. */
import type { AdvanceProposal, AdvanceProposalOutput, OwnAdvanceProposal, OwnProposals } from '@portal/contract/advance-proposals.ts';
import { hasPracticeRight } from '@portal/contract/practice-rights.ts';
import type { Db, Tx } from '@portal/db/database.ts';
import { advanceProposals, clients, users } from '@portal/db/schema/schema.ts';
import { and, eq, inArray } from '@portal/db/sql.ts';
import { getLastStartDay, isFinalStage } from '@portal/domain/advance-proposals/proposal-stage.ts';
import { toLondonDate } from '@portal/domain/clock.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { ClientTenant } from '../../http/resolve-tenant.ts';
import type { Actor } from '../../http/session.ts';
import { updateClientObligations } from '../client-returns/client-obligations.ts';
import { listPeopleEmails } from '../client-files/client-file-emails.ts';
import { getNames } from '../client-portal/client-portal-emails.ts';
import { findProposableReturn } from './find-refund.ts';
import { isShownToClient, listProposals, type StagedProposal } from './find-proposal.ts';
import { isOfPeriod } from './propose-advance.ts';

export async function getProposal(deps: AppDeps, tenant: ClientTenant, actor: Actor, obligationId: string): Promise<AdvanceProposalOutput> {
  await updateClientObligations(deps, tenant);
  const role = actor.role === 'practice_admin' ? 'practice_admin' : 'team_member';
  return deps.database.db.transaction(async (tx) => {
    const { obligation, refund, problem } = await findProposableReturn(deps, tx, tenant, obligationId);
    const [newestProposal] = await listProposals(tx, tenant.practiceId, isOfPeriod(tenant, obligation), deps.clock.today());
    const names = await loadNames(tx, newestProposal ? [newestProposal] : []);
    return {
      proposal: newestProposal ? toProposal(newestProposal, names, deps.clock.today()) : null,
      refund_pence: refund,
      problem: problem?.text ?? null,
      people: (await listPeopleEmails(tx, tenant)).length,
      may_propose: hasPracticeRight('client.propose_advance', role, actor.permissions ?? []),
    };
  });
}

function toProposal(stagedProposal: StagedProposal, names: ReadonlyMap<string, string>, today: PlainDate): AdvanceProposal {
  const { row, advance, stage } = stagedProposal;
  // Without the card, the client would have no checkbox to clear.
  const areShared = row.figuresSharedAt !== null && isShownToClient(stagedProposal, today);
  return {
    proposal_id: row.id,
    stage,
    note: row.note,
    proposed_by: names.get(row.proposedBy) ?? '',
    proposed_at: row.proposedAt,
    last_day: getLastStartDay(toLondonDate(row.proposedAt)),
    seen_at: row.seenAt,
    started_at: row.startedAt,
    accepted_at: advance?.acceptedAt ?? null,
    paid_at: advance?.paidAt ?? null,
    settled_at: stage === 'settled' ? (advance?.repaidAt ?? null) : null,
    ended_at: row.endedAt,
    ended_reason: row.endedReason,
    figures: areShared ? { net_pence: advance?.netPence ?? null, fee_pence: advance?.feePence ?? null } : null,
  };
}

/** Covers five years of quarters. */
const MAX_EARLIER_PROPOSALS = 20;

/**
 * Lists proposals that have a card, and earlier ones that the client's company accepted. Declined and withdrawn proposals no longer concern
 * the client.
 */
export async function listOwnProposals(deps: AppDeps, tenant: ClientTenant, actor: Actor): Promise<OwnProposals> {
  return deps.database.db.transaction(async (tx) => {
    const allProposals = await listProposals(tx, tenant.practiceId, eq(advanceProposals.clientId, tenant.clientId), deps.clock.today());
    const today = deps.clock.today();
    const openProposals = allProposals.filter((item) => isShownToClient(item, today));
    const earlierProposals = allProposals
      .filter((item) => !isFinalStage(item.stage) && !openProposals.includes(item))
      .slice(0, MAX_EARLIER_PROPOSALS)
      .map(({ row, stage }) => ({
        proposal_id: row.id,
        stage,
        period_start: row.periodStart,
        period_end: row.periodEnd,
        proposed_at: row.proposedAt,
      }));
    if (openProposals.length === 0) return { proposals: [], earlier: earlierProposals };
    const names = await loadNames(tx, openProposals);
    const { practice } = await getNames(tx, tenant);
    const [client] = await tx
      .select({ name: clients.name, companyNumber: clients.companyNumber })
      .from(clients)
      .where(and(eq(clients.companyId, tenant.practiceId), eq(clients.id, tenant.clientId)));
    const proposals: OwnAdvanceProposal[] = [];
    for (const { row, advance, stage } of openProposals) {
      const { refund } = await findProposableReturn(deps, tx, tenant, row.obligationId);
      const isStarter = row.startedBy === actor.userId;
      proposals.push({
        proposal_id: row.id,
        stage,
        practice,
        proposed_by: names.get(row.proposedBy) ?? '',
        proposed_at: row.proposedAt,
        note: row.note,
        period_start: row.periodStart,
        period_end: row.periodEnd,
        last_day: getLastStartDay(toLondonDate(row.proposedAt)),
        is_seen: row.seenAt !== null,
        refund_pence: refund,
        shares_figures: row.figuresSharedAt !== null,
        started_by: names.get(row.startedBy ?? '') ?? null,
        is_starter: isStarter,
        company: { name: client?.name ?? '', company_number: client?.companyNumber ?? '', vrn: row.vrn },
        trader:
          isStarter && advance !== null
            ? {
                company_id: advance.traderId,
                name: advance.traderName,
                obligation_id: advance.traderObligationId,
                has_offer: advance.state !== null,
              }
            : null,
      });
    }
    return { proposals, earlier: earlierProposals };
  });
}

async function loadNames(db: Db | Tx, proposals: readonly StagedProposal[]): Promise<ReadonlyMap<string, string>> {
  const ids = proposals.flatMap(({ row: { proposedBy, startedBy } }) => (startedBy === null ? [proposedBy] : [proposedBy, startedBy]));
  if (ids.length === 0) return new Map();
  const involvedUsers = await db.select({ id: users.id, name: users.fullName }).from(users).where(inArray(users.id, ids));
  return new Map(involvedUsers.map(({ id, name }) => [id, name]));
}
