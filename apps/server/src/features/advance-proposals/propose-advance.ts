/** The practice's actions on a proposed early refund: proposing and withdrawing. It can't accept anything for the client. */
import { randomUUID } from 'node:crypto';
import type { Tx } from '@portal/db/database.ts';
import { advanceProposals, clients } from '@portal/db/schema/schema.ts';
import { and, eq } from '@portal/db/sql.ts';
import { isAnswerable, isFinalStage } from '@portal/domain/advance-proposals/proposal-stage.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { addMilliseconds, toLondonDate, type Instant } from '@portal/domain/clock.ts';
import { formatDate } from '@portal/domain/plain-date.ts';
import type { AppDeps } from '../../app-deps.ts';
import { createNotFoundError } from '../../http/policies.ts';
import type { ClientTenant } from '../../http/resolve-tenant.ts';
import { listPeopleEmails } from '../client-files/client-file-emails.ts';
import type { ActingUser } from '../hmrc-connection/with-trader-access-token.ts';
import { lockTaxpayer, recordTaxpayerAudit, toTaxpayer } from '../vat-returns/taxpayer.ts';
import { findProposableReturn, type ProposableReturn } from './find-refund.ts';
import { isProposal, listProposals, lockProposal, type ProposalRow, type StagedProposal } from './find-proposal.ts';
import { enqueueProposal } from './proposal-emails.ts';

type ProposeInput = {
  readonly obligationId: string;
  readonly note: string;
  /** The ID that the assistant gives its proposal, so that a retry has no effect. */
  readonly proposalId?: string;
};

export async function proposeAdvance(
  deps: AppDeps,
  user: ActingUser,
  tenant: ClientTenant,
  { obligationId, note, proposalId = randomUUID() }: ProposeInput,
): Promise<void> {
  await deps.database.db.transaction(async (tx) => {
    // Serialises concurrent proposals, so that the second finds the first.
    await lockTaxpayer(tx, toTaxpayer(tenant));
    // This includes a proposal that the practice has since withdrawn.
    if (await wasProposed(tx, tenant, proposalId)) return;
    const { obligation, refund, earlier } = await getProposableReturn(deps, tx, tenant, obligationId);
    if (earlier && earlier.row.endedAs === null)
      await endProposal(deps, tx, tenant, earlier.row, { as: 'replaced', by: user.actor.userId });
    const [client] = await tx
      .select({ vrn: clients.vrn })
      .from(clients)
      .where(and(eq(clients.companyId, tenant.practiceId), eq(clients.id, tenant.clientId)));
    const { periodStart, periodEnd } = obligation;
    const row = {
      companyId: tenant.practiceId,
      id: proposalId,
      clientId: tenant.clientId,
      obligationId,
      periodStart,
      periodEnd,
      vrn: client?.vrn ?? '',
      refundPence: refund,
      note,
      proposedBy: user.actor.userId,
      proposedAt: deps.clock.now(),
    };
    await tx.insert(advanceProposals).values(row);
    await recordTaxpayerAudit(tx, toTaxpayer(tenant), {
      at: row.proposedAt,
      actor: user.actor.userId,
      action: 'advance_proposal.proposed',
      subject: proposalId,
      after: { title: note, obligation: obligationId, period_end: periodEnd },
      ip: user.caller.ip,
    });
    await enqueueProposal(deps, tx, tenant, { ...row, proposer: user.actor.fullName });
  });
}

/** Throws an error with the reason if this refund can't be proposed now. */
export async function checkProposable(deps: AppDeps, tenant: ClientTenant, obligationId: string): Promise<void> {
  await deps.database.db.transaction((tx) => getProposableReturn(deps, tx, tenant, obligationId));
}

async function getProposableReturn(deps: AppDeps, tx: Tx, tenant: ClientTenant, obligationId: string) {
  const { obligation, refund, problem } = await findProposableReturn(deps, tx, tenant, obligationId);
  const periodProposals = await listProposals(tx, tenant.practiceId, isOfPeriod(tenant, obligation), deps.clock.today());
  const [earlierProposal] = periodProposals;
  assertNotProposed(earlierProposal);
  assertNotTooOften(periodProposals, deps.clock.now());
  if (problem !== null || refund === null)
    throw new AppError('conflict', problem?.code ?? 'advance_proposal.no_refund', problem?.text ?? '');
  if ((await listPeopleEmails(tx, tenant)).length === 0)
    throw new AppError(
      'conflict',
      'advance_proposal.no_people',
      'No one at this client has access to the client portal yet. Invite someone in the People section first.',
    );
  return { obligation, refund, earlier: earlierProposal };
}

async function wasProposed(tx: Tx, tenant: ClientTenant, proposalId: string): Promise<boolean> {
  return (await tx.$count(advanceProposals, isProposal({ ...tenant, proposalId }))) > 0;
}

export const isOfPeriod = (
  { clientId }: Pick<ClientTenant, 'clientId'>,
  { periodStart, periodEnd }: Pick<ProposableReturn['obligation'], 'periodStart' | 'periodEnd'>,
) => and(eq(advanceProposals.clientId, clientId), eq(advanceProposals.periodStart, periodStart), eq(advanceProposals.periodEnd, periodEnd));

/** Throws if the client has an open proposal for this period or has declined one, because a practice may only propose once. */
function assertNotProposed(earlierProposal: StagedProposal | undefined): void {
  if (!earlierProposal) return;
  if (earlierProposal.stage === 'declined') {
    const day = formatDate(toLondonDate(earlierProposal.row.endedAt ?? earlierProposal.row.proposedAt));
    throw new AppError(
      'conflict',
      'advance_proposal.declined',
      `The client declined this on ${day}, so it can’t be proposed again. They can still apply on InstantVAT themselves.`,
    );
  }
  if (isFinalStage(earlierProposal.stage)) return;
  const day = formatDate(toLondonDate(earlierProposal.row.proposedAt));
  throw new AppError('conflict', 'advance_proposal.open', `An early refund for this period was already proposed on ${day}.`);
}

/** Each proposal emails every user of the client. A second one is allowed for a correction. */
const MAX_PROPOSALS = 2;
const PROPOSALS_WINDOW_MS = 30 * 86_400_000;

function assertNotTooOften(periodProposals: readonly StagedProposal[], now: Instant): void {
  const since = addMilliseconds(now, -PROPOSALS_WINDOW_MS);
  const recentProposals = periodProposals.filter(({ row }) => row.proposedAt > since);
  const oldestProposal = recentProposals.at(-1);
  if (recentProposals.length < MAX_PROPOSALS || !oldestProposal) return;
  const day = formatDate(toLondonDate(addMilliseconds(oldestProposal.row.proposedAt, PROPOSALS_WINDOW_MS)));
  const message = `The client was emailed about this period twice in the last 30 days. You can propose it again from ${day}.`;
  throw new AppError('conflict', 'advance_proposal.too_often', message);
}

export async function withdrawProposal(deps: AppDeps, user: ActingUser, tenant: ClientTenant, proposalId: string): Promise<void> {
  await deps.database.db.transaction(async (tx) => {
    const lockedProposal = await lockProposal(tx, { ...tenant, proposalId }, deps.clock.today());
    if (!lockedProposal) throw createNotFoundError();
    if (lockedProposal.stage === 'withdrawn') return;
    if (!isAnswerable(lockedProposal.stage))
      throw new AppError(
        'conflict',
        'advance_proposal.not_open',
        isFinalStage(lockedProposal.stage)
          ? 'This proposal has ended, so there’s nothing to withdraw.'
          : 'The client has accepted our offer, so you can’t withdraw the proposal. Only the client can still withdraw from the offer.',
      );
    await endProposal(deps, tx, tenant, lockedProposal.row, { as: 'withdrawn', by: user.actor.userId, ip: user.caller.ip });
  });
}

type ProposalEnd = {
  readonly as: NonNullable<ProposalRow['endedAs']>;
  readonly by: string;
  readonly reason?: string;
  readonly ip?: string;
};

export async function endProposal(
  deps: AppDeps,
  tx: Tx,
  tenant: ClientTenant,
  row: ProposalRow,
  { as, by, reason = '', ip }: ProposalEnd,
): Promise<void> {
  const at = deps.clock.now();
  await tx
    .update(advanceProposals)
    .set({ endedAt: at, endedAs: as, endedBy: by, endedReason: reason, figuresSharedAt: null })
    .where(isProposal({ ...tenant, proposalId: row.id }));
  await recordTaxpayerAudit(tx, toTaxpayer(tenant), {
    at,
    actor: by,
    action: `advance_proposal.${as}`,
    subject: row.id,
    after: { reason },
    ...(ip === undefined ? {} : { ip }),
  });
}
