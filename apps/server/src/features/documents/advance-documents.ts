/** Builds the offer and the agreement for one refund, from the frozen quote. */
import type { advances, bankAccounts } from '@portal/db/schema/schema.ts';
import { getAdvanceTerms } from '@portal/domain/advances/advance-terms.ts';
import { getFeeVatTreatment } from '@portal/domain/advances/fee-vat-treatment.ts';
import { formatInstant, toLondonDate } from '@portal/domain/clock.ts';
import { formatPounds, pence } from '@portal/domain/money.ts';
import { formatPeriod } from '@portal/domain/plain-date.ts';
import { formatVrn } from '@portal/domain/uk-tax/references/vrn.ts';
import type { Site } from '../../app-deps.ts';
import {
  createAmounts,
  describeSender,
  createFacts,
  createHeading,
  createParagraph,
  createMutedParagraph,
  type PrintedDocument,
  type DocumentBlock,
} from './printed-document.ts';

export type AdvanceFacts = {
  readonly advance: typeof advances.$inferSelect;
  readonly company: { readonly name: string; readonly vrn: string | null };
  readonly acceptedBy: string | null;
  /** The account that the trader had provided when they accepted the agreement. */
  readonly bankAccount: typeof bankAccounts.$inferSelect | undefined;
};

/** In every agreement that lets us deduct. */
const NETTING_CLAUSE = 'we take it off this payment';

export function createQuoteDocument(site: Site, { advance, company }: AdvanceFacts): PrintedDocument {
  const period = formatPeriod(advance.periodStart, advance.periodEnd);
  const quotedOn = toLondonDate(advance.quotedAt);
  const vat = getFeeVatTreatment(quotedOn);
  const minimumFee = formatPounds(getAdvanceTerms(quotedOn).minimumFeePence).replace(/\.00$/, '');
  return {
    brand: site.brand,
    title: 'Your offer',
    lead: `${company.name} · VAT refund for ${period}`,
    subject: `Offer to buy ${company.name}’s VAT refund for ${period}`,
    createdAt: advance.quotedAt,
    blocks: [
      createHeading('What you get'),
      createAmounts([
        ['VAT refund HMRC owes you', formatPounds(advance.refundPence)],
        [`Our fee: ${advance.feeRateBps / 100}% of the refund, at least ${minimumFee}`, formatPounds(pence(0 - advance.feePence))],
        ['We’ll pay you', formatPounds(advance.netPence), 'total'],
      ]),
      createMutedParagraph(`${vat.text} Source: ${vat.source}.`),
      createHeading('About this offer'),
      createFacts([
        ['Company', company.name],
        ['VAT number', describeVrn(company)],
        ['VAT period', period],
        ['Basis', describeBasis(advance)],
        ['Offer made', formatInstant(advance.quotedAt)],
        ['Valid until', formatInstant(advance.validUntil)],
        ['Version', String(advance.version)],
        ['Reference', advance.id],
      ]),
      createHeading('If you accept'),
      createParagraph(
        'This is a sale of your VAT refund, not a loan. HMRC repays the refund to a collection account in your name, and we keep it. If HMRC repays less, you pay us the difference. If HMRC repays more, any extra is yours. The agreement explains how this works.',
      ),
      // The screen shows today's amount, which isn't part of the offer and can change until we pay.
      ...(advance.agreementText.includes(NETTING_CLAUSE)
        ? [createParagraph('If you still owe us something from an earlier refund when we pay, we take it off this payment.')]
        : []),
    ],
    footer: describeSender(site),
  };
}

export function createAgreementDocument(site: Site, { advance, company, acceptedBy, bankAccount }: AdvanceFacts): PrintedDocument {
  const period = formatPeriod(advance.periodStart, advance.periodEnd);
  const [title = 'Agreement', ...clauses] = advance.agreementText.split('\n');
  const isAccepted = advance.acceptedAt !== null;
  return {
    brand: site.brand,
    title,
    lead: `${company.name} · ${period}`,
    subject: `${title}: ${company.name}, ${period}`,
    createdAt: advance.acceptedAt ?? advance.quotedAt,
    blocks: [
      ...clauses.flatMap(toClause),
      createHeading('Acceptance'),
      advance.acceptedAt === null
        ? createParagraph(`Not accepted. This is the agreement for our offer of ${formatInstant(advance.quotedAt)}.`)
        : createFacts([
            ['Accepted', formatInstant(advance.acceptedAt)],
            ['Accepted by', acceptedBy ?? 'Unknown'],
            ['For', `${company.name}, VAT number ${describeVrn(company)}`],
            ['From IP address', advance.acceptedIp ?? 'Not recorded'],
            ...(bankAccount ? [['Payment to', describeAccount(bankAccount)] as const] : []),
          ]),
      createHeading('Verification'),
      createFacts([
        ['Offer', `Version ${advance.version}, made ${formatInstant(advance.quotedAt)}`],
        ['Reference', advance.id],
        ['SHA-256 of the text', `${advance.agreementHash.slice(0, 32)} ${advance.agreementHash.slice(32)}`],
      ]),
      createMutedParagraph(
        `The SHA-256 is a fingerprint of the agreement’s text${isAccepted ? ' as it was accepted' : ''}. If a single character changed, it would be different.`,
      ),
    ],
    footer: describeSender(site),
  };
}

/** Splits "1. What is sold. You sell …" into a heading and its text. Any other paragraph is left unchanged. */
function toClause(text: string): DocumentBlock[] {
  const clause = /^(\d+\. [^.]+)\. (.+)$/.exec(text);
  return clause ? [createHeading(clause[1] ?? ''), createParagraph(clause[2] ?? '')] : text === '' ? [] : [createParagraph(text)];
}

function describeBasis({ foundOn }: AdvanceFacts['advance']): string {
  return foundOn === null ? 'The return you filed through us' : 'The return HMRC received from other software';
}

function describeVrn({ vrn }: AdvanceFacts['company']): string {
  return vrn === null ? 'Not known' : formatVrn(vrn);
}

/** Shows just enough to recognise the account. */
function describeAccount({ accountHolder, accountNumber }: typeof bankAccounts.$inferSelect): string {
  return `${accountHolder}, account ending ${accountNumber.slice(-4)}`;
}
