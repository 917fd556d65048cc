import { accountingPeriods, companyTaxReturnDue } from '@portal/domain/uk-tax/corporation-tax/accounting-periods.ts';
import { accountsDue, confirmationStatement, firstAccountsDue } from '@portal/domain/uk-tax/corporation-tax/companies-house.ts';
import type { AccountsFiler } from '@portal/domain/uk-tax/corporation-tax/companies-house.ts';
import { corporationTaxDue } from '@portal/domain/uk-tax/corporation-tax/due-date.ts';
import { instalmentAmounts, instalmentDates, instalmentMonths } from '@portal/domain/uk-tax/corporation-tax/instalments.ts';
import type { InstalmentPayer } from '@portal/domain/uk-tax/corporation-tax/instalments.ts';
import { companyTaxReturnPenalty } from '@portal/domain/uk-tax/corporation-tax/late-filing-penalty.ts';
import { lastWorkingDayOnOrBefore } from '@portal/domain/uk-tax/calendar/working-days.ts';
import { Amount, answered, date, flag, has, needed, pounds, question, text } from './example-input.ts';
import type { Answer, ExampleInput } from './example-input.ts';

/** Topics on corporation tax and Companies House. */
export const COMPANY_TOPICS: Readonly<Record<string, (input: ExampleInput) => Answer>> = {
  ct_due_date: (input) => {
    const due = corporationTaxDue(date(input, 'period_end'));
    return { due, bacs_cleared_by: answered(lastWorkingDayOnOrBefore(due)) };
  },
  ct600_due: (input) => ({ due: companyTaxReturnDue(date(input, 'period_end')) }),
  ct_long_period: (input) => ({ periods: accountingPeriods(date(input, 'start'), date(input, 'end')) }),
  ct_instalments: (input) => {
    const [start, end] = [date(input, 'start'), date(input, 'end')];
    const dates = needed(instalmentDates(start, end, payerOf(input)));
    return { dates, n: new Amount(instalmentMonths(start, end)) };
  },
  ct_instalment_amounts: (input) => {
    const amounts = needed(instalmentAmounts(date(input, 'start'), date(input, 'end'), pounds(input, 'liability'), payerOf(input)));
    return { amounts: amounts.map((amount) => new Amount(amount)) };
  },
  ct_late_filing_penalty: (input) => ({
    penalty: new Amount(companyTaxReturnPenalty(date(input, 'filing_date'), date(input, 'delivered'), flag(input, 'third_successive'))),
  }),
  companies_house_accounts: (input) => {
    if (has(input, 'accounting_reference_date')) return { due: accountsDue(date(input, 'accounting_reference_date'), filerOf(input)) };
    return { due: firstAccountsDue(date(input, 'incorporated'), date(input, 'period_end'), filerOf(input)) };
  },
  confirmation_statement: (input) => confirmationStatement(date(input, 'start')),
};

function payerOf(input: ExampleInput): InstalmentPayer {
  const named = has(input, 'size') ? text(input, 'size') : question(input);
  return /(?<!\bnot )very[ _-]?large/i.test(named) ? 'very_large' : 'large';
}

function filerOf(input: ExampleInput): AccountsFiler {
  const named = has(input, 'company_type') ? text(input, 'company_type') : question(input);
  if (/(?<!\bnot )\bpublic\b|\bplc\b/i.test(named)) return 'public';
  return /\bllp\b/i.test(named) ? 'llp' : 'private';
}
