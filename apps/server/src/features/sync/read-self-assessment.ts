/**
 * HMRC calls for one client's income tax. Account, updates and declarations are read every time (3 calls), payments only when the account
 * has changed.
 */
import { pence, ZERO } from '@portal/domain/money.ts';
import { addDays, type PlainDate } from '@portal/domain/plain-date.ts';
import type { ChargeFact, ObligationFact } from '@portal/domain/positions/tax-facts.ts';
import { parseTaxYear, taxYearDates } from '@portal/domain/uk-tax/calendar/tax-year.ts';
import type { HmrcCall } from '@portal/providers/hmrc/hmrc-types.ts';
import type {
  IncomeTaxObligation,
  SelfAssessmentAccount,
  SelfAssessmentCharge,
  SelfAssessmentClient,
} from '@portal/providers/hmrc-agent/self-assessment-port.ts';
import { canonicalText } from '../positions/canonical-text.ts';
import type { ObservedBodies } from './read-vat.ts';

/** Payments are returned for at most two years (docs/reference/hmrc.md section 6.1). */
const MAX_PAYMENT_DAYS = 731;

/** A person who is not signed up to Making Tax Digital has no charges or obligations in HMRC's APIs. Computed due dates stay. */
export async function readSelfAssessment(
  client: SelfAssessmentClient,
  call: HmrcCall,
  nino: string,
  before: ObservedBodies,
  today: PlainDate,
): Promise<ObservedBodies> {
  const account = await client.findAccount(call, nino);
  const balance = { charges: account ? toCharges(account) : [] };
  const isNew = canonicalText(balance) !== canonicalText(before.sa_balance);
  const payments =
    account && (isNew || !before.sa_payments)
      ? await client.listPayments(call, nino, { from: addDays(today, -MAX_PAYMENT_DAYS), to: today })
      : undefined;
  const updates = await client.listUpdates(call, nino, { status: 'open' });
  const declarations = await client.listDeclarations(call, nino);
  const obligations = [
    ...updates.map((obligation) => toObligation('update', obligation)),
    ...declarations.map((obligation) => toObligation('return', obligation)),
  ];
  return {
    sa_balance: balance,
    sa_obligations: obligations.toSorted((a, b) => (toSortKey(a) < toSortKey(b) ? -1 : 1)),
    ...(payments
      ? {
          sa_payments: payments.map(({ amount, receivedOn, reference }) => ({
            amount,
            ...(receivedOn === undefined ? {} : { received: receivedOn }),
            ...(reference === undefined ? {} : { reference }),
          })),
        }
      : {}),
  };
}

function toCharges({ balance, charges }: SelfAssessmentAccount): readonly ChargeFact[] {
  const facts = charges.map(toCharge).toSorted((a, b) => ((a.reference ?? '') < (b.reference ?? '') ? -1 : 1));
  if (balance.availableCredit <= 0) return facts;
  const credit = pence(-balance.availableCredit);
  return [...facts, { title: 'Credit at HMRC', kind: 'tax', original: credit, outstanding: credit, reference: 'credit' }];
}

const TITLES: Readonly<Record<SelfAssessmentCharge['kind'], string>> = {
  payment_on_account_1: 'First payment on account',
  payment_on_account_2: 'Second payment on account',
  balancing_payment: 'Balancing payment',
  other: 'Self Assessment charge',
};

function toCharge(charge: SelfAssessmentCharge): ChargeFact {
  const { kind, taxYear, description, documentId, due, original, outstanding, isCodedOut } = charge;
  const year = taxYear === undefined ? undefined : parseTaxYear(taxYear);
  const name = kind === 'other' ? (description ?? TITLES.other) : TITLES[kind];
  const describedKind = /interest/i.test(description ?? '') ? 'interest' : /penalt/i.test(description ?? '') ? 'penalty' : 'tax';
  return {
    title: `${name}${taxYear === undefined ? '' : ` ${taxYear}`}${isCodedOut ? ', collected through the tax code' : ''}`,
    kind: kind.startsWith('payment_on_account') ? 'on_account' : kind === 'other' ? describedKind : 'tax',
    original,
    // Collected through the tax code, so nothing has to be paid.
    outstanding: isCodedOut ? ZERO : outstanding,
    reference: documentId,
    ...(due === undefined ? {} : { due }),
    ...(year?.ok ? { period: taxYearDates(year.value) } : {}),
  };
}

function toObligation(kind: ObligationFact['kind'], { start, end, due, status, received }: IncomeTaxObligation): ObligationFact {
  return { kind, start, end, due, status, ...(received === undefined ? {} : { received }) };
}

function toSortKey({ kind, start, end, due }: ObligationFact): string {
  return `${kind} ${start} ${end} ${due}`;
}
