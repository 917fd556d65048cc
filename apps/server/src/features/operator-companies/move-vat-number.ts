/**
 * Moves a VAT number from the company that connected it to the company whose it is now, for example after a former accountant connected it.
 * One operator requests the move, and another approves it.
 */
import type { operatorCompaniesApi } from '@portal/contract/operator-companies.ts';
import { PAGES } from '@portal/contract/pages.ts';
import type { Db, Tx } from '@portal/db/database.ts';
import { advances, collectionAccounts, companies, filings, hmrcConnections, vrnClaims } from '@portal/db/schema/schema.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { toLondonDate, type Instant } from '@portal/domain/clock.ts';
import { formatDate } from '@portal/domain/plain-date.ts';
import { formatVrn } from '@portal/domain/uk-tax/references/vrn.ts';
import { and, eq, inArray, isNotNull, isNull, ne } from '@portal/db/sql.ts';
import { z } from 'zod';
import type { AppDeps } from '../../app-deps.ts';
import type { Call } from '../../http/serve-contract.ts';
import { createNotFoundError } from '../../http/policies.ts';
import { enqueueEmailToOwners } from '../../mail/enqueue-email.ts';
import { lockCompany } from '../advances/transition-advance.ts';
import { withdrawOffers } from '../advances/withdraw-offers.ts';
import type { ApprovalAction, ApprovedRequest } from '../approvals/approval-action.ts';
import { requestApproval } from '../approvals/request-approval.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { endConnection } from '../hmrc-connection/end-connection.ts';
import { assertNoConflictOfInterest } from '../operators/conflict-of-interest.ts';

/** `companyId` of the request is the holder, because its money and returns decide whether the move is possible. */
const moveDetails = z.object({
  vrn: z.string(),
  holder_name: z.string(),
  holder_added_on: z.string(),
  to_company_id: z.uuid(),
  to_name: z.string(),
  to_added_on: z.string(),
});
type MoveDetails = z.output<typeof moveDetails>;

export const MOVE_VAT_NUMBER: ApprovalAction<MoveDetails> = {
  action: 'vat_number.move',
  access: 'operator.manage',
  details: moveDetails,
  // With dates, because both are often called the same.
  describe: ({ vrn, holder_name: holder, holder_added_on: holderAddedOn, to_name: name, to_added_on: addedOn }) =>
    `Moves VAT number ${formatVrn(vrn)} from ${holder} (added ${holderAddedOn}) to ${name} (added ${addedOn}). The first company’s connection to HMRC and its open offers end.`,
  listOtherCompanies: ({ to_company_id: companyId }) => [companyId],
  apply: async (tx, deps, request) => {
    await assertMovable(tx, request.companyId);
    await assertWanted(tx, request.details);
    const movedClaims = await tx
      .update(vrnClaims)
      .set({ companyId: request.details.to_company_id, claimedAt: request.at })
      .where(and(eq(vrnClaims.vrn, request.details.vrn), eq(vrnClaims.companyId, request.companyId)))
      .returning({ vrn: vrnClaims.vrn });
    if (movedClaims.length === 0) throw createChangedError();
    await endHolder(tx, deps, request);
    await informNewHolder(tx, deps, request);
  },
};

/** Finds the other company that holds a company's VAT number. */
export async function findVatNumberHolder(
  db: Db | Tx,
  company: { readonly id: string; readonly vrn: string | null },
): Promise<{ company_id: string; name: string; added_at: Instant } | null> {
  if (company.vrn === null) return null;
  const [holder] = await db
    .select({ company_id: companies.id, name: companies.name, added_at: companies.createdAt })
    .from(vrnClaims)
    .innerJoin(companies, eq(companies.id, vrnClaims.companyId))
    .where(and(eq(vrnClaims.vrn, company.vrn), ne(vrnClaims.companyId, company.id)));
  return holder ?? null;
}

export function requestVatNumberMove(deps: AppDeps, { input, actor, caller }: Call<typeof operatorCompaniesApi.moveVatNumber>) {
  return deps.database.db.transaction(async (tx) => {
    const [company] = await tx
      .select({ id: companies.id, name: companies.name, vrn: companies.vrn, createdAt: companies.createdAt })
      .from(companies)
      .where(and(eq(companies.id, input.company_id), eq(companies.kind, 'trader'), isNull(companies.closedAt)));
    if (!company) throw createNotFoundError();
    const holder = await findVatNumberHolder(tx, company);
    if (company.vrn === null || !holder) throw createChangedError();
    await assertNoConflictOfInterest(deps, tx, actor.userId, holder.company_id);
    await lockCompany(tx, holder.company_id);
    await assertMovable(tx, holder.company_id);
    return requestApproval(deps, tx, MOVE_VAT_NUMBER, {
      companyId: holder.company_id,
      subject: holder.company_id,
      details: {
        vrn: company.vrn,
        holder_name: holder.name,
        holder_added_on: formatDate(toLondonDate(holder.added_at)),
        to_company_id: company.id,
        to_name: company.name,
        to_added_on: formatDate(toLondonDate(company.createdAt)),
      },
      reason: input.reason,
      requestedBy: actor.userId,
      at: deps.clock.now(),
      ip: caller.ip,
    });
  });
}

/**
 * After a refund was accepted, the same one could be sold again from the other account, and HMRC may pay into the holder's collection
 * account. While a return is being filed, only the holder's connection can find out whether HMRC received it.
 */
async function assertMovable(tx: Tx, holderId: string): Promise<void> {
  const accepted = await tx
    .select({ id: advances.id })
    .from(advances)
    .where(and(eq(advances.companyId, holderId), isNotNull(advances.acceptedAt)))
    .limit(1);
  const account = await tx
    .select({ id: collectionAccounts.companyId })
    .from(collectionAccounts)
    .where(eq(collectionAccounts.companyId, holderId));
  if (accepted.length > 0 || account.length > 0) {
    const message =
      'The company that holds this VAT number has accepted an early refund with it, so the VAT number stays with that company.';
    throw new AppError('conflict', 'vat_number.refund_accepted', message);
  }
  const openFilings = await tx
    .select({ id: filings.id })
    .from(filings)
    .where(and(eq(filings.companyId, holderId), inArray(filings.state, ['sending', 'unknown'])))
    .limit(1);
  if (openFilings.length > 0) {
    const message = 'The company that holds this VAT number is filing a return. Try again once HMRC has confirmed it.';
    throw new AppError('conflict', 'vat_number.filing', message);
  }
}

/** Locks the other company's details until the move is stored, so that its VAT number can't be corrected at the same moment. */
async function assertWanted(tx: Tx, { vrn, to_company_id: companyId }: MoveDetails): Promise<void> {
  const [company] = await tx
    .select({ vrn: companies.vrn, closedAt: companies.closedAt })
    .from(companies)
    .where(eq(companies.id, companyId))
    .for('share');
  if (company?.vrn !== vrn || company.closedAt !== null) throw createChangedError();
}

function createChangedError(): AppError {
  const message =
    'This VAT number isn’t connected to another company any more, or the company has changed its VAT number. Reload the page.';
  return new AppError('conflict', 'vat_number.changed', message);
}

async function endHolder(tx: Tx, deps: AppDeps, request: ApprovedRequest<MoveDetails>): Promise<void> {
  const { companyId, details, reason, requestedBy, by, at, ip } = request;
  await withdrawOffers(tx, companyId, { actor: by, at, ip }, 'Our team moved the VAT number to another company.');
  const [connection] = await tx
    .select({ connectedAt: hmrcConnections.connectedAt })
    .from(hmrcConnections)
    .where(eq(hmrcConnections.companyId, companyId));
  if (connection) await endConnection(deps, tx, { companyId, connectedAt: connection.connectedAt }, 'vat_number_moved', by);
  const entry = {
    at,
    actor: by,
    action: 'vat_number.moved',
    ip,
    before: { requested_by: requestedBy },
    after: { vrn: details.vrn, reason },
  };
  await recordAudit(tx, { ...entry, companyId, subject: companyId });
  await recordAudit(tx, { ...entry, companyId: details.to_company_id, subject: details.to_company_id });
}

function informNewHolder(tx: Tx, deps: AppDeps, { details }: ApprovedRequest<MoveDetails>): Promise<void> {
  const { vrn, to_company_id: companyId } = details;
  return enqueueEmailToOwners(deps, tx, companyId, ({ name }) => ({
    subject: `${name}: you can connect HMRC now`,
    preheader: `VAT number ${formatVrn(vrn)} is no longer connected to another account.`,
    heading: 'You can connect HMRC now',
    paragraphs: [
      `VAT number ${formatVrn(vrn)} was connected to another account here. We’ve ended that connection, so you can connect HMRC for ${name}.`,
    ],
    action: { label: 'Connect HMRC', path: `${PAGES.linkHmrcAccount.path}?company_id=${companyId}` },
  }));
}
