/** A client as one row of an import file describes it, every reference in its stored form. */
import type { PlainDate } from '../../plain-date.ts';
import type { Tax } from '../../uk-tax/tax.ts';

/** What a client is in law: it decides which taxes it can have. */
export const CLIENT_KINDS = ['company', 'llp', 'partnership', 'sole_trader', 'individual', 'trust', 'charity'] as const;
export type ClientKind = (typeof CLIENT_KINDS)[number];

/** What identifies a taxpayer; each stands at most once in a practice. The order is the order of trust: a VAT number before a company number. */
export const CLIENT_REFERENCES = ['vrn', 'utr', 'nino', 'company_number', 'paye_reference'] as const;
export type ClientReference = (typeof CLIENT_REFERENCES)[number];

/** Null where the file says nothing. `taxes` are those named, or those that the references tell of. */
export type ImportedClient = Readonly<Record<ClientReference, string | null>> & {
  readonly name: string;
  readonly kind: ClientKind;
  readonly taxes: readonly Tax[];
  readonly accounts_office_reference: string | null;
  readonly postcode: string | null;
  readonly vat_registered_on: PlainDate | null;
  readonly year_end_on: PlainDate | null;
  readonly email: string | null;
  readonly phone: string | null;
};

/** What is wrong with one field of a row, as a sentence for the person who keeps the file. */
export type RowProblem = { readonly field: string; readonly problem: string };
