/** A client as described by one row of an import file, with references in stored form. */
import type { VatGroupRole } from '../clients/vat-group.ts';
import type { Pence } from '../money.ts';
import type { PlainDate } from '../plain-date.ts';
import type { Tax } from '../uk-tax/tax.ts';
import type { ImportedStatus } from './client-status-text.ts';

/** The client's legal form, which decides the taxes it can have. */
export const CLIENT_KINDS = ['company', 'llp', 'partnership', 'sole_trader', 'individual', 'trust', 'charity'] as const;
export type ClientKind = (typeof CLIENT_KINDS)[number];

/** Identifiers of a taxpayer, most trusted first. Each is unique within a practice. */
export const CLIENT_REFERENCES = ['vrn', 'utr', 'nino', 'company_number', 'paye_reference'] as const;
export type ClientReference = (typeof CLIENT_REFERENCES)[number];

export type ImportedTurnover = { readonly turnover_pence: Pence; readonly end_on: PlainDate };

/** A field is null if the file doesn't give a value. `taxes` are named in the file or inferred from the references. */
export type ImportedClient = Readonly<Record<ClientReference, string | null>> & {
  readonly name: string;
  readonly kind: ClientKind;
  readonly taxes: readonly Tax[];
  readonly accounts_office_reference: string | null;
  readonly postcode: string | null;
  readonly vat_registered_on: PlainDate | null;
  /** Null if the file doesn't state it. A `member` has the group's number as `vat_group_vrn`, and no `vrn` or VAT of its own. */
  readonly vat_group_role: VatGroupRole | null;
  readonly vat_group_vrn: string | null;
  readonly year_end_on: PlainDate | null;
  readonly email: string | null;
  readonly phone: string | null;
  /** The practice's own code for the client. */
  readonly client_code: string | null;
  /** Taxable turnover of the 12 months to the end of a month. Null if the file doesn't state both. */
  readonly turnover: ImportedTurnover | null;
  /** Null if the file doesn't state it. */
  readonly status: ImportedStatus | null;
};

/** A problem with one field of a row, described to the user in a sentence. */
export type RowProblem = { readonly field: string; readonly problem: string };
