/** Finds the refund of a client's return that a practice can propose, or the reason why it can't. */
import { clients, dueItems, taxPositions } from '@portal/db/schema/schema.ts';
import type { Tx } from '@portal/db/database.ts';
import { and, asc, eq, lt, ne } from '@portal/db/sql.ts';
import { findProposalBlocker } from '@portal/domain/advance-proposals/find-proposal-bar.ts';
import { getAdvanceTerms } from '@portal/domain/advances/advance-terms.ts';
import type { Pence } from '@portal/domain/money.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import { ORGANIC_PARTNER } from '@portal/domain/partners/partner-name.ts';
import { getPartner } from '@portal/domain/partners/partners.ts';
import type { AppDeps } from '../../app-deps.ts';
import { createNotFoundError } from '../../http/policies.ts';
import type { ClientTenant } from '../../http/resolve-tenant.ts';
import { findNewestApproval } from '../return-approvals/find-approval.ts';
import { getFiguresDigest } from '../return-approvals/figures-digest.ts';
import { getReturnSnapshot, type ObligationRow, type ReturnSnapshot } from '../vat-returns/get-return.ts';

export type ProposableReturn = {
  readonly obligation: ObligationRow;
  /** Null if the return isn't a refund, or hasn't been approved or filed here. */
  readonly refund: Pence | null;
  /** Why the refund can't be proposed; null if it can. */
  readonly problem: { readonly code: string; readonly text: string } | null;
};

export async function findProposableReturn(deps: AppDeps, tx: Tx, tenant: ClientTenant, obligationId: string): Promise<ProposableReturn> {
  const snapshot = await getReturnSnapshot(deps, tx, tenant.clientId, obligationId);
  const { obligation } = snapshot;
  const boxes = await findAgreedBoxes(tx, tenant, snapshot);
  if (!boxes) {
    const explanation = 'You can propose this once the client has approved the figures or the return has been filed here.';
    return { obligation, refund: null, problem: { code: 'advance_proposal.not_approved', text: explanation } };
  }
  if (boxes.direction !== 'repayment') {
    const explanation = 'This isn’t a repayment return, so there’s no refund to advance.';
    return { obligation, refund: null, problem: { code: 'advance_proposal.no_refund', text: explanation } };
  }
  const refund = boxes.box5_pence;
  const blocker = await findBlocker(deps, tx, tenant, { refund, periodEnd: obligation.periodEnd });
  return { obligation, refund, problem: blocker === undefined ? null : { code: 'advance_proposal.not_eligible', text: blocker } };
}

/** Returns the filed boxes, otherwise the boxes that the client approved if the return still has them. */
async function findAgreedBoxes(tx: Tx, { practiceId, clientId }: ClientTenant, { obligation, filing, figures }: ReturnSnapshot) {
  if (filing?.state === 'accepted') return filing.boxes;
  if (obligation.status === 'fulfilled') return undefined;
  const approval = await findNewestApproval(tx, { practiceId, clientId, obligationId: obligation.id });
  const isCurrent = figures !== undefined && approval?.digest === getFiguresDigest(obligation, figures.boxes);
  return approval?.state === 'approved' && approval.endedAt === null && isCurrent ? approval.boxes : undefined;
}

type RefundOfPeriod = { readonly refund: Pence; readonly periodEnd: PlainDate };

async function findBlocker(deps: AppDeps, tx: Tx, { practiceId, clientId }: ClientTenant, { refund, periodEnd }: RefundOfPeriod) {
  const today = deps.clock.today();
  const [client] = await tx
    .select({ kind: clients.kind, vrn: clients.vrn, registeredOn: clients.vatRegisteredOn, position: taxPositions })
    .from(clients)
    .leftJoin(
      taxPositions,
      and(eq(taxPositions.companyId, clients.companyId), eq(taxPositions.clientId, clients.id), eq(taxPositions.tax, 'vat')),
    )
    .where(and(eq(clients.companyId, practiceId), eq(clients.id, clientId)));
  if (!client) throw createNotFoundError();
  const overdueCharges = await tx
    .select({ dueOn: dueItems.dueOn })
    .from(dueItems)
    .where(
      and(
        eq(dueItems.companyId, practiceId),
        eq(dueItems.clientId, clientId),
        eq(dueItems.tax, 'vat'),
        eq(dueItems.what, 'return'),
        lt(dueItems.dueOn, today),
        ne(dueItems.periodEnd, periodEnd),
      ),
    )
    .orderBy(asc(dueItems.dueOn));
  const { position } = client;
  const facts = {
    kind: client.kind,
    vrn: client.vrn,
    refund,
    feeRateBps: getPartner(ORGANIC_PARTNER).feeRateBps,
    overdueReturns: overdueCharges.map(({ dueOn }) => dueOn),
    vatDebt: position !== null && position.asOf !== null ? position.overduePence : undefined,
    registeredOn: client.registeredOn ?? undefined,
    insolvent: (position?.detail as { standing?: unknown } | undefined)?.standing === 'insolvent',
  };
  return findProposalBlocker(facts, getAdvanceTerms(today), today);
}
