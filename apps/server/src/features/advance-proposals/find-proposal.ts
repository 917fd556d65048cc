/** Reads proposed early refunds with their progress, for practices, clients and notifications. */
import type { Db, Tx } from '@portal/db/database.ts';
import { advanceProposals, proposedAdvances } from '@portal/db/schema/schema.ts';
import { and, desc, eq, type SQL } from '@portal/db/sql.ts';
import { getLastShownDay, getProposalStage, isFinalStage, type ProposalStage } from '@portal/domain/advance-proposals/proposal-stage.ts';
import type { AdvanceState } from '@portal/domain/advances/advance-states.ts';
import { toLondonDate, type Instant } from '@portal/domain/clock.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';

export type ProposalRow = typeof advanceProposals.$inferSelect;

/** The columns of the resulting advance that show the practice its progress. They don't include the advance's ID. */
const ADVANCE_COLUMNS = {
  traderId: proposedAdvances.traderId,
  traderName: proposedAdvances.traderName,
  traderObligationId: proposedAdvances.traderObligationId,
  state: proposedAdvances.state,
  acceptedAt: proposedAdvances.acceptedAt,
  paidAt: proposedAdvances.paidAt,
  repaidAt: proposedAdvances.repaidAt,
  netPence: proposedAdvances.netPence,
  feePence: proposedAdvances.feePence,
};
export type ProposedAdvance = Pick<typeof proposedAdvances.$inferSelect, keyof typeof ADVANCE_COLUMNS>;
export type StagedProposal = { readonly row: ProposalRow; readonly advance: ProposedAdvance | null; readonly stage: ProposalStage };

/** Lists the proposals, newest first. */
export async function listProposals(
  db: Db | Tx,
  companyId: string,
  condition: SQL | undefined,
  today: PlainDate,
): Promise<StagedProposal[]> {
  const rows = await db
    .select({ row: advanceProposals, advance: ADVANCE_COLUMNS })
    .from(advanceProposals)
    .leftJoin(
      proposedAdvances,
      and(eq(proposedAdvances.companyId, advanceProposals.companyId), eq(proposedAdvances.proposalId, advanceProposals.id)),
    )
    .where(and(eq(advanceProposals.companyId, companyId), condition))
    .orderBy(desc(advanceProposals.proposedAt), desc(advanceProposals.id));
  return rows.map(({ row, advance }) => ({ row, advance, stage: toStage(row, advance, today) }));
}

export function toStage(row: ProposalRow, advance: Pick<ProposedAdvance, 'state'> | null, today: PlainDate): ProposalStage {
  const facts = {
    proposedOn: toLondonDate(row.proposedAt),
    isSeen: row.seenAt !== null,
    isStarted: row.startedAt !== null,
    endedAs: row.endedAs,
    advanceState: (advance?.state ?? null) as AdvanceState | null,
    reached: row.notifiedStage,
  };
  return getProposalStage(facts, today);
}

/** Returns whether the client's users see the card: the proposal is open, or was recently accepted, paid or settled. */
export function isShownToClient({ row, advance, stage }: StagedProposal, today: PlainDate): boolean {
  if (isFinalStage(stage)) return false;
  const toDay = (at: Instant | null | undefined): PlainDate | null => (at ? toLondonDate(at) : null);
  const last = getLastShownDay({
    stage,
    startedOn: toDay(row.startedAt),
    acceptedOn: toDay(advance?.acceptedAt),
    paidOn: toDay(advance?.paidAt),
    settledOn: toDay(advance?.repaidAt),
  });
  return last === null || today <= last;
}

type ProposalKey = { readonly practiceId: string; readonly clientId: string; readonly proposalId: string };

export const isProposal = ({ practiceId, clientId, proposalId }: ProposalKey): SQL | undefined =>
  and(eq(advanceProposals.companyId, practiceId), eq(advanceProposals.clientId, clientId), eq(advanceProposals.id, proposalId));

/** Locks a client's proposal until the transaction ends. Returns undefined if it doesn't exist. */
export async function lockProposal(tx: Tx, key: ProposalKey, today: PlainDate): Promise<StagedProposal | undefined> {
  await tx.select({ id: advanceProposals.id }).from(advanceProposals).where(isProposal(key)).for('update');
  const [foundProposal] = await listProposals(tx, key.practiceId, isProposal(key), today);
  return foundProposal;
}
