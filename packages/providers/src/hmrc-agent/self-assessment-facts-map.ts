/** Maps HMRC's income tax responses to the facts used to calculate a position. Pure. */
import { pence, sumPence, ZERO } from '@portal/domain/money.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import type { ChargeFact, ChargeKind, ObligationFact, PaymentFact } from '@portal/domain/positions/tax-facts.ts';
import { parseTaxYear, getTaxYearDates, type TaxYear } from '@portal/domain/uk-tax/calendar/tax-year.ts';
import { getSelfAssessmentDates } from '@portal/domain/uk-tax/self-assessment/dates.ts';
import type { IncomeTaxObligation, SelfAssessmentAccount, SelfAssessmentCharge, SelfAssessmentPayment } from './self-assessment-port.ts';

/** Returns the account's charges and credits in a stable order; empty for a taxpayer unknown to HMRC's API. */
export function toSelfAssessmentCharges(account: SelfAssessmentAccount | undefined): readonly ChargeFact[] {
  if (account === undefined) return [];
  const facts = account.charges
    // A payment or repayment that has been used up is neither a charge nor a credit.
    .filter(({ kind, outstanding }) => kind !== 'credit' || outstanding !== 0)
    .flatMap(toCharges)
    .toSorted((a, b) => ((a.reference ?? '') < (b.reference ?? '') ? -1 : 1));
  const listedCredit = sumPence(facts.map(({ outstanding }) => (outstanding < 0 ? pence(-outstanding) : ZERO)));
  const unlistedCredit = account.balance.availableCredit - listedCredit;
  if (unlistedCredit <= 0) return facts;
  const credit = pence(-unlistedCredit);
  return [...facts, { title: 'Credit at HMRC', kind: 'tax', original: credit, outstanding: credit, reference: 'credit' }];
}

const TITLES: Readonly<Record<SelfAssessmentCharge['kind'], string>> = {
  payment_on_account_1: 'First payment on account',
  payment_on_account_2: 'Second payment on account',
  balancing_payment: 'Balancing payment',
  penalty: 'Penalty',
  interest: 'Interest',
  credit: 'Credit',
  other: 'Self Assessment charge',
};

const KINDS: Readonly<Record<SelfAssessmentCharge['kind'], ChargeKind>> = {
  payment_on_account_1: 'on_account',
  payment_on_account_2: 'on_account',
  balancing_payment: 'balancing',
  penalty: 'penalty',
  interest: 'interest',
  credit: 'tax',
  other: 'tax',
};

/** Returns a charge, plus any interest that HMRC has charged on it. */
function toCharges(charge: SelfAssessmentCharge): readonly ChargeFact[] {
  const { kind, taxYear, description, documentId, outstanding, isCodedOut, interestCharged } = charge;
  const parsedYear = taxYear === undefined ? undefined : parseTaxYear(taxYear);
  const year = parsedYear?.ok ? parsedYear.value : undefined;
  const hasOwnName = kind === 'penalty' || kind === 'interest' || kind === 'other';
  const name = hasOwnName ? (description ?? TITLES[kind]) : TITLES[kind];
  // A payment counts from the day it was posted and doesn't belong to a return.
  const due = kind === 'credit' ? charge.raisedOn : (charge.due ?? getStatutoryDueDate(kind, year));
  const period = year === undefined || kind === 'credit' ? {} : { period: getTaxYearDates(year) };
  const yearText = taxYear === undefined ? '' : ` ${taxYear}`;
  const fact: ChargeFact = {
    title: `${name}${yearText}${isCodedOut ? ', collected through the tax code' : ''}`,
    kind: KINDS[kind],
    original: charge.original,
    // The amount is collected through the tax code, so nothing has to be paid.
    outstanding: isCodedOut ? ZERO : outstanding,
    reference: documentId,
    ...(due === undefined ? {} : { due }),
    ...period,
    ...(interestCharged === undefined ? {} : { interestCharged: interestCharged.amount }),
  };
  return interestCharged === undefined ? [fact] : [fact, toInterest(interestCharged, fact)];
}

function toInterest(interest: NonNullable<SelfAssessmentCharge['interestCharged']>, interestCharge: ChargeFact): ChargeFact {
  return {
    title: `Interest on ${interestCharge.title.charAt(0).toLowerCase()}${interestCharge.title.slice(1)}`,
    kind: 'interest',
    original: interest.amount,
    outstanding: interest.outstanding,
    reference: `${interestCharge.reference ?? ''} interest`,
    ...(interest.due === undefined ? {} : { due: interest.due }),
    ...(interestCharge.period === undefined ? {} : { period: interestCharge.period }),
  };
}

/** HMRC may omit a charge's due date (docs/reference/hmrc.md section 6.1); it is then set by law (TMA 1970 ss59A(2), 59B(4)). */
function getStatutoryDueDate(kind: SelfAssessmentCharge['kind'], year: TaxYear | undefined): PlainDate | undefined {
  if (year === undefined) return undefined;
  const { poa1, poa2, balancing } = getSelfAssessmentDates(year);
  if (kind === 'payment_on_account_1') return poa1;
  if (kind === 'payment_on_account_2') return poa2;
  return kind === 'balancing_payment' ? balancing : undefined;
}

/** Returns quarterly updates and final declarations in a stable order. */
export function toIncomeTaxObligations(
  updates: readonly IncomeTaxObligation[],
  declarations: readonly IncomeTaxObligation[],
): readonly ObligationFact[] {
  const obligations = [
    ...updates.map((obligation) => toObligation('update', obligation)),
    ...declarations.map((obligation) => toObligation('return', obligation)),
  ];
  return obligations.toSorted((a, b) => (toSortKey(a) < toSortKey(b) ? -1 : 1));
}

function toObligation(kind: ObligationFact['kind'], { start, end, due, status, received }: IncomeTaxObligation): ObligationFact {
  return { kind, start, end, due, status, ...(received === undefined ? {} : { received }) };
}

function toSortKey({ kind, start, end, due }: ObligationFact): string {
  return `${kind} ${start} ${end} ${due}`;
}

export function toPaymentFacts(payments: readonly SelfAssessmentPayment[]): readonly PaymentFact[] {
  return payments.map(({ amount, receivedOn, reference }) => ({
    amount,
    ...(receivedOn === undefined ? {} : { received: receivedOn }),
    ...(reference === undefined ? {} : { reference }),
  }));
}
