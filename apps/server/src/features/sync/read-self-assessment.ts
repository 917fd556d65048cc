/**
 * HMRC calls for one client's income tax: account, updates and declarations every time (3 calls); payments only when the account has
 * changed.
 */
import { pence, ZERO } from '@portal/domain/money.ts';
import { addDays, type PlainDate } from '@portal/domain/plain-date.ts';
import type { ChargeFact, ObligationFact } from '@portal/domain/practice/positions/facts.ts';
import { parseTaxYear, taxYearDates } from '@portal/domain/uk-tax/calendar/tax-year.ts';
import type { HmrcCall } from '@portal/providers/hmrc/hmrc-terms.ts';
import type {
  IncomeTaxObligation,
  SelfAssessmentAccount,
  SelfAssessmentCharge,
  SelfAssessmentClient,
} from '@portal/providers/hmrc-agent/self-assessment-port.ts';
import { canonicalText } from '../positions/canonical-text.ts';
import type { Before } from './read-vat.ts';

/** Payments are returned for at most two years (docs/reference/hmrc.md section 6.1). */
const PAYMENT_DAYS = 731;

/** A person who is not signed up to Making Tax Digital has no charges or obligations in HMRC's APIs. Computed due dates stay. */
export async function readSelfAssessment(
  reads: SelfAssessmentClient,
  call: HmrcCall,
  nino: string,
  before: Before,
  today: PlainDate,
): Promise<Before> {
  const account = await reads.findAccount(call, nino);
  const balance = { charges: account ? chargesOf(account) : [] };
  const isNew = canonicalText(balance) !== canonicalText(before.sa_balance);
  const payments =
    account && (isNew || !before.sa_payments)
      ? await reads.listPayments(call, nino, { from: addDays(today, -PAYMENT_DAYS), to: today })
      : undefined;
  const updates = await reads.listUpdates(call, nino, { status: 'open' });
  const declarations = await reads.listDeclarations(call, nino);
  const obligations = [...updates.map((one) => obligationOf('update', one)), ...declarations.map((one) => obligationOf('return', one))];
  return {
    sa_balance: balance,
    sa_obligations: obligations.toSorted((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1)),
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

function chargesOf({ balance, charges }: SelfAssessmentAccount): readonly ChargeFact[] {
  const facts = charges.map(chargeOf).toSorted((a, b) => ((a.reference ?? '') < (b.reference ?? '') ? -1 : 1));
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

function chargeOf(charge: SelfAssessmentCharge): ChargeFact {
  const { kind, taxYear, description, documentId, due, original, outstanding, isCodedOut } = charge;
  const year = taxYear === undefined ? undefined : parseTaxYear(taxYear);
  const name = kind === 'other' ? (description ?? TITLES.other) : TITLES[kind];
  const words = /interest/i.test(description ?? '') ? 'interest' : /penalt/i.test(description ?? '') ? 'penalty' : 'tax';
  return {
    title: `${name}${taxYear === undefined ? '' : ` ${taxYear}`}${isCodedOut ? ', collected through the tax code' : ''}`,
    kind: kind.startsWith('payment_on_account') ? 'on_account' : kind === 'other' ? words : 'tax',
    original,
    // Collected through the tax code, so nothing has to be paid.
    outstanding: isCodedOut ? ZERO : outstanding,
    reference: documentId,
    ...(due === undefined ? {} : { due }),
    ...(year?.ok ? { period: taxYearDates(year.value) } : {}),
  };
}

function obligationOf(kind: ObligationFact['kind'], { start, end, due, status, received }: IncomeTaxObligation): ObligationFact {
  return { kind, start, end, due, status, ...(received === undefined ? {} : { received }) };
}

function sortKey({ kind, start, end, due }: ObligationFact): string {
  return `${kind} ${start} ${end} ${due}`;
}
