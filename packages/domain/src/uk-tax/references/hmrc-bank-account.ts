import type { Tax } from '../tax.ts';
import { plainDate, type PlainDate } from '../../plain-date.ts';

/**
 * HMRC's bank account for a tax. Always show the verification date and link. IBANs are omitted because those accounts have moved between
 * banks.
 */
export type HmrcBankAccount = {
  readonly name: string;
  readonly sort_code: string;
  readonly account_number: string;
  readonly verified_on: PlainDate;
  readonly check_at: string;
};

const VERIFIED_ON = plainDate('2026-08-21');

/**
 * The account for paying each tax. Self Assessment and corporation tax may also be paid to Shipley; if unsure, Cumbernauld is right for
 * both. Source: GOV.UK pay pages, as copied by julianhobbs.com, bksaccounts.com and heygrowthhub.com (secondary, so the page shows
 * `check_at`).
 */
export const HMRC_BANK_ACCOUNTS: Readonly<Record<Tax, HmrcBankAccount>> = {
  vat: createAccount('HMRC VAT', '08-32-00', '11963155', 'https://www.gov.uk/pay-vat/bank-details'),
  paye: createAccount('HMRC Cumbernauld', '08-32-10', '12001039', 'https://www.gov.uk/pay-paye-tax/bank-details'),
  ct: createAccount('HMRC Cumbernauld', '08-32-10', '12001039', 'https://www.gov.uk/pay-corporation-tax/bank-details'),
  sa: createAccount('HMRC Cumbernauld', '08-32-10', '12001039', 'https://www.gov.uk/pay-self-assessment-tax-bill/bank-details'),
};

function createAccount(name: string, sortCode: string, accountNumber: string, checkAt: string): HmrcBankAccount {
  return { name, sort_code: sortCode, account_number: accountNumber, verified_on: VERIFIED_ON, check_at: checkAt };
}
