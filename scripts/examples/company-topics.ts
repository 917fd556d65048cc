import { getCompanyTaxReturnDueDate, listAccountingPeriods } from '@portal/domain/uk-tax/corporation-tax/accounting-periods.ts';
import {
  getAccountsDueDate,
  getConfirmationStatementDates,
  getFirstAccountsDueDate,
} from '@portal/domain/uk-tax/corporation-tax/companies-house.ts';
import type { AccountsFiler } from '@portal/domain/uk-tax/corporation-tax/companies-house.ts';
import { getCorporationTaxDueDate } from '@portal/domain/uk-tax/corporation-tax/due-date.ts';
import {
  calculateInstalmentAmounts,
  countInstalmentMonths,
  getInstalmentDates,
} from '@portal/domain/uk-tax/corporation-tax/instalments.ts';
import type { InstalmentPayer } from '@portal/domain/uk-tax/corporation-tax/instalments.ts';
import { getCompanyTaxReturnPenalty } from '@portal/domain/uk-tax/corporation-tax/late-filing-penalty.ts';
import { getLastWorkingDayOnOrBefore } from '@portal/domain/uk-tax/calendar/working-days.ts';
import { Amount, toResultValue, readDate, readFlag, hasKey, requireKnown, readPounds, readQuestion, readText } from './example-input.ts';
import type { ExampleResult, ExampleInput } from './example-input.ts';

/** Topics about corporation tax and Companies House. */
export const COMPANY_TOPICS: Readonly<Record<string, (input: ExampleInput) => ExampleResult>> = {
  ct_due_date: (input) => {
    const dueDate = getCorporationTaxDueDate(readDate(input, 'period_end'));
    return { due: dueDate, bacs_cleared_by: toResultValue(getLastWorkingDayOnOrBefore(dueDate)) };
  },
  ct600_due: (input) => ({ due: getCompanyTaxReturnDueDate(readDate(input, 'period_end')) }),
  ct_long_period: (input) => ({ periods: listAccountingPeriods(readDate(input, 'start'), readDate(input, 'end')) }),
  ct_instalments: (input) => {
    const [start, end] = [readDate(input, 'start'), readDate(input, 'end')];
    const dates = requireKnown(getInstalmentDates(start, end, readPayer(input)));
    return { dates, n: new Amount(countInstalmentMonths(start, end)) };
  },
  ct_instalment_amounts: (input) => {
    const amounts = requireKnown(
      calculateInstalmentAmounts(readDate(input, 'start'), readDate(input, 'end'), readPounds(input, 'liability'), readPayer(input)),
    );
    return { amounts: amounts.map((amount) => new Amount(amount)) };
  },
  ct_late_filing_penalty: (input) => ({
    penalty: new Amount(
      getCompanyTaxReturnPenalty(readDate(input, 'filing_date'), readDate(input, 'delivered'), readFlag(input, 'third_successive')),
    ),
  }),
  companies_house_accounts: (input) => {
    if (hasKey(input, 'accounting_reference_date'))
      return { due: getAccountsDueDate(readDate(input, 'accounting_reference_date'), readFiler(input)) };
    return { due: getFirstAccountsDueDate(readDate(input, 'incorporated'), readDate(input, 'period_end'), readFiler(input)) };
  },
  confirmation_statement: (input) => getConfirmationStatementDates(readDate(input, 'start')),
};

function readPayer(input: ExampleInput): InstalmentPayer {
  const source = hasKey(input, 'size') ? readText(input, 'size') : readQuestion(input);
  return /(?<!\bnot )very[ _-]?large/i.test(source) ? 'very_large' : 'large';
}

function readFiler(input: ExampleInput): AccountsFiler {
  const source = hasKey(input, 'company_type') ? readText(input, 'company_type') : readQuestion(input);
  if (/(?<!\bnot )\bpublic\b|\bplc\b/i.test(source)) return 'public';
  return /\bllp\b/i.test(source) ? 'llp' : 'private';
}
