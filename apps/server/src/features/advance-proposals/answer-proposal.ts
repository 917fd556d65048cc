/** The client's actions on a proposed early refund, except accepting an offer, which traders do themselves (accept-quote.ts). */
import { advanceProposals, clientTraders, memberships, users } from '@portal/db/schema/schema.ts';
import type { Tx } from '@portal/db/database.ts';
import { and, eq } from '@portal/db/sql.ts';
import { isAnswerable } from '@portal/domain/advance-proposals/proposal-stage.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { TRADER_ROLE_NAMES } from '@portal/domain/company-people/company-access.ts';
import type { AppDeps } from '../../app-deps.ts';
import { createNotFoundError } from '../../http/policies.ts';
import type { ClientTenant } from '../../http/resolve-tenant.ts';
import type { ActingUser } from '../hmrc-connection/with-trader-access-token.ts';
import { recordTaxpayerAudit, toTaxpayer } from '../vat-returns/taxpayer.ts';
import { isProposal, lockProposal, type ProposalRow, type StagedProposal } from './find-proposal.ts';
import { notifyOfProposal } from './notify-of-proposals.ts';
import { endProposal } from './propose-advance.ts';

/** Records when the client first sees the proposal. Later views change nothing. */
export async function recordProposalView(deps: AppDeps, user: ActingUser, tenant: ClientTenant, proposalId: string): Promise<void> {
  await changeProposal(deps, tenant, proposalId, async (tx, { row, stage }) => {
    if (stage !== 'proposed') return;
    await update(tx, row, { seenAt: deps.clock.now() });
    await recordProposalEvent(deps, tx, user, tenant, { proposalId, what: 'seen' });
  });
}

export async function declineProposal(
  deps: AppDeps,
  user: ActingUser,
  tenant: ClientTenant,
  { proposalId, reason }: { readonly proposalId: string; readonly reason: string },
): Promise<void> {
  await changeProposal(deps, tenant, proposalId, async (tx, { row, stage }) => {
    if (stage === 'declined') return;
    assertProposalOpen(stage);
    await endProposal(deps, tx, tenant, row, { as: 'declined', by: user.actor.userId, reason, ip: user.caller.ip });
    await notifyOfProposal(deps, tx, row, 'declined');
  });
}

/**
 * A repeated click changes nothing, because from then on a separate endpoint changes the choice about amounts. Until the first user has a
 * suitable company, someone else can take over.
 */
export async function startProposal(
  deps: AppDeps,
  user: ActingUser,
  tenant: ClientTenant,
  { proposalId, shareFigures }: { readonly proposalId: string; readonly shareFigures: boolean },
): Promise<void> {
  const { userId } = user.actor;
  await changeProposal(deps, tenant, proposalId, async (tx, { row, stage, advance }) => {
    assertProposalOpen(stage);
    await assertMayStart(tx, user, tenant);
    const isOwn = row.startedBy === userId;
    if (!isOwn && advance !== null)
      throw new AppError(
        'conflict',
        'advance_proposal.started_by_other',
        `${await getName(tx, row.startedBy)} has already continued with this proposal on InstantVAT. Ask them to finish, or to invite you to the company there.`,
      );
    const at = deps.clock.now();
    const figuresSharedAt = isOwn ? row.figuresSharedAt : shareFigures ? at : null;
    await update(tx, row, { startedBy: userId, startedAt: isOwn ? row.startedAt : at, seenAt: row.seenAt ?? at, figuresSharedAt });
    if (!isOwn) await recordProposalEvent(deps, tx, user, tenant, { proposalId, what: 'started' });
    if (!isOwn && shareFigures) await recordProposalEvent(deps, tx, user, tenant, { proposalId, what: 'figures_shared' });
  });
}

/** Only the user who owns the company may share its amounts. Every user of the client may stop sharing. */
export async function shareFigures(
  deps: AppDeps,
  user: ActingUser,
  tenant: ClientTenant,
  { proposalId, share }: { readonly proposalId: string; readonly share: boolean },
): Promise<void> {
  await changeProposal(deps, tenant, proposalId, async (tx, { row }) => {
    if (row.endedAs !== null || row.startedBy === null)
      throw new AppError(
        'conflict',
        'advance_proposal.not_started',
        'You can’t share any amounts, because this proposal isn’t in progress.',
      );
    if (share && row.startedBy !== user.actor.userId)
      throw new AppError(
        'forbidden',
        'advance_proposal.not_starter',
        `Only ${await getName(tx, row.startedBy)}, who continued with this proposal on InstantVAT, can share the amounts.`,
      );
    if (share === (row.figuresSharedAt !== null)) return;
    await update(tx, row, { figuresSharedAt: share ? deps.clock.now() : null });
    await recordProposalEvent(deps, tx, user, tenant, { proposalId, what: share ? 'figures_shared' : 'figures_hidden' });
  });
}

function assertProposalOpen(stage: StagedProposal['stage']): void {
  if (isAnswerable(stage)) return;
  throw new AppError(
    'conflict',
    'advance_proposal.not_open',
    stage === 'expired' || stage === 'withdrawn'
      ? 'Your accountant’s proposal is no longer open. You can still ask for an offer on InstantVAT yourself.'
      : 'You’ve already responded to this proposal.',
  );
}

/**
 * A practice may never start an advance on a client's refund, so its members can't continue for a client, even if they are also the
 * client's users. Nor can a user with another role in the company on InstantVAT share its refund with the practice.
 */
async function assertMayStart(tx: Tx, { actor }: ActingUser, { practiceId, clientId }: ClientTenant): Promise<void> {
  const [colleague] = await tx
    .select({ role: memberships.role })
    .from(memberships)
    .where(and(eq(memberships.companyId, practiceId), eq(memberships.userId, actor.userId)));
  if (colleague)
    throw new AppError(
      'forbidden',
      'advance_proposal.works_for_practice',
      'You work for the practice that proposed this, so someone else at the client must continue.',
    );
  const traders = await tx
    .select({ name: clientTraders.traderName, role: clientTraders.role })
    .from(clientTraders)
    .where(and(eq(clientTraders.companyId, practiceId), eq(clientTraders.clientId, clientId), eq(clientTraders.userId, actor.userId)));
  const [first] = traders;
  if (!first || traders.some(({ role }) => role === 'trader_owner')) return;
  const role = TRADER_ROLE_NAMES[first.role].toLowerCase();
  throw new AppError(
    'forbidden',
    'advance_proposal.not_owner',
    `Your role at ${first.name} on InstantVAT is ${role}, so you can’t continue. Ask an owner to do this: they’ll see this page once your accountant has invited them.`,
  );
}

async function getName(tx: Tx, userId: string | null): Promise<string> {
  const [foundUser] = userId === null ? [] : await tx.select({ name: users.fullName }).from(users).where(eq(users.id, userId));
  return foundUser?.name || 'Someone else';
}

async function changeProposal(
  deps: AppDeps,
  tenant: ClientTenant,
  proposalId: string,
  change: (tx: Tx, foundProposal: StagedProposal) => Promise<void>,
): Promise<void> {
  await deps.database.db.transaction(async (tx) => {
    const lockedProposal = await lockProposal(tx, { ...tenant, proposalId }, deps.clock.today());
    if (!lockedProposal) throw createNotFoundError();
    await change(tx, lockedProposal);
  });
}

const update = (tx: Tx, row: ProposalRow, changes: Partial<ProposalRow>) =>
  tx
    .update(advanceProposals)
    .set(changes)
    .where(isProposal({ practiceId: row.companyId, clientId: row.clientId, proposalId: row.id }));

type ProposalEvent = { readonly proposalId: string; readonly what: 'seen' | 'started' | 'figures_shared' | 'figures_hidden' };

function recordProposalEvent(
  deps: AppDeps,
  tx: Tx,
  { actor, caller }: ActingUser,
  tenant: ClientTenant,
  { proposalId, what }: ProposalEvent,
): Promise<void> {
  return recordTaxpayerAudit(tx, toTaxpayer(tenant), {
    at: deps.clock.now(),
    actor: actor.userId,
    action: `advance_proposal.${what}`,
    subject: proposalId,
    ip: caller.ip,
  });
}
