import { PAGES } from '@portal/contract/pages.ts';
import type { Tx } from '@portal/db/database.ts';
import { obligations, type FilingReceipt } from '@portal/db/schema/schema.ts';
import { formatPounds, type Pence } from '@portal/domain/money.ts';
import { formatDate, type PlainDate } from '@portal/domain/plain-date.ts';
import type { VatDirection } from '@portal/domain/uk-tax/vat/nine-boxes.ts';
import { and, eq } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { EmailFact } from '../../mail/email-content.ts';
import { enqueueEmailToOwners } from '../../mail/enqueue-email.ts';
import { enqueueClientReceipt } from '../return-approvals/approval-emails.ts';
import type { FilingRow } from './get-return.ts';

/**
 * Confirms a filed return to each owner of the company, or to the client's users. `receipt` is missing if HMRC's response was lost and we
 * read the return instead.
 */
export async function enqueueFilingEmail(deps: AppDeps, tx: Tx, filing: FilingRow, receipt: FilingReceipt | undefined): Promise<void> {
  const { companyId, practiceId, approvalId, obligationId, boxes, filedBy: sentBy } = filing;
  const [obligation] = await tx
    .select({ periodStart: obligations.periodStart, periodEnd: obligations.periodEnd, dueOn: obligations.dueOn })
    .from(obligations)
    .where(and(eq(obligations.companyId, companyId), eq(obligations.id, obligationId)));
  if (!obligation) return;
  if (practiceId !== null && approvalId !== null) {
    const number = receipt?.body['formBundleNumber'];
    const sentReturn = { practiceId, clientId: companyId, approvalId, obligationId, sentBy, ...obligation };
    const receiptNumber = typeof number === 'string' ? number : undefined;
    return enqueueClientReceipt(deps, tx, sentReturn, { boxes, receiptNumber, dueOn: obligation.dueOn });
  }
  const period = `${formatDate(obligation.periodStart)} to ${formatDate(obligation.periodEnd)}`;
  const { result, nextStep } = describeResult(boxes.direction, boxes.box5_pence, obligation.dueOn);
  await enqueueEmailToOwners(deps, tx, companyId, ({ name }) => ({
    subject: `${name}: VAT return filed`,
    preheader: `${result.join(' ')}, for ${period}`,
    heading: 'HMRC has your VAT return',
    paragraphs: [`${name}’s VAT return for ${period} has been filed.`, nextStep],
    facts: [['Period', period], result, ...listReceiptFacts(receipt)],
    action: {
      label: 'View your return',
      path: `${PAGES.vatReturn.path}?${new URLSearchParams({ company_id: companyId, obligation_id: obligationId })}`,
    },
  }));
}

/** Describes box 5 in words, with the next step. */
function describeResult(direction: VatDirection, box5: Pence, dueOn: PlainDate): { result: EmailFact; nextStep: string } {
  switch (direction) {
    case 'repayment':
      return {
        result: ['HMRC owes you', formatPounds(box5)],
        nextStep: 'HMRC usually repays within 30 days. If we can pay you early, we’ll email you an offer.',
      };
    case 'payment':
      return { result: ['You owe HMRC', formatPounds(box5)], nextStep: `Your payment must reach HMRC by ${formatDate(dueOn)}.` };
    case 'nil':
      return { result: ['Box 5', formatPounds(box5)], nextStep: 'There’s nothing to pay or reclaim.' };
  }
}

function listReceiptFacts(receipt: FilingReceipt | undefined): EmailFact[] {
  const number = receipt?.body['formBundleNumber'];
  return typeof number === 'string' ? [['HMRC receipt number', number]] : [];
}
