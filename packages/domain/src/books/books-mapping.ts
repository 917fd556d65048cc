/** What the columns and values of a books file mean, whichever software created it. */
import type { PlainDate } from '../plain-date.ts';
import { type ColumnRecogniser, normaliseHeading, type RememberedTargets } from '../tables/recognise-columns.ts';
import type { ColumnTargets, MappedTable } from '../tables/mapped-table.ts';
import { BOOKS_COLUMNS, type BooksColumn, type BooksKind, type Treatment, TREATMENTS } from './books-row.ts';
import { BOOKS_TARGETS, type BooksTarget, type KindMeaning } from './books-targets.ts';

/** A value in the file and its meaning; null until a user chooses one. */
export type ValueMeaning<Meaning> = { readonly text: string; readonly meaning: Meaning | null };

/** A past period that the file covers only partly, with rows from `first` to `last`. */
export type CoverageGap = {
  readonly periodStart: PlainDate;
  readonly periodEnd: PlainDate;
  readonly first: PlainDate;
  readonly last: PlainDate;
};

/** A file's columns and values. `fixedKind` and `fixedTreatment` apply to every row of a file that lacks that column. */
export type BooksTable = MappedTable<BooksTarget> & {
  readonly fixedKind: BooksKind | null;
  readonly fixedTreatment: Treatment | null;
  readonly kinds: readonly ValueMeaning<KindMeaning>[];
  readonly treatments: readonly ValueMeaning<Treatment>[];
  /** Gaps found when reading the file with these columns. */
  readonly gaps: readonly CoverageGap[];
};

/** A company's earlier choices, by heading or value in normal form. */
export type RememberedBooksColumns = {
  readonly columns: RememberedTargets<BooksTarget>;
  readonly kinds: Readonly<Record<string, KindMeaning>>;
  readonly treatments: Readonly<Record<string, Treatment>>;
};

export const EMPTY_REMEMBERED_COLUMNS: RememberedBooksColumns = { columns: {}, kinds: {}, treatments: {} };

const splitWords = (text: string): readonly string[] => text.split(/\s+/).filter((word) => word !== '');

/**
 * Headings used by bookkeeping software and in users' own spreadsheets, in normal form. “Amount” can be net or gross, so the user decides.
 */
const COLUMN_NAMES: Readonly<Record<BooksTarget, readonly string[]>> = {
  date: splitWords(
    'invoicedate transactiondate taxpoint taxpointdate taxdate documentdate docdate issuedate paymentdate paiddate billdate dateissued',
  ),
  kind: splitWords('type transactiontype salepurchase saleorpurchase salespurchases documenttype doctype inout incomeexpense'),
  reference:
    splitWords(`ref invoice invoiceno invoicenumber invoiceref documentno documentnumber docno billno billnumber receiptno receiptnumber
    voucherno transactionno transactionid`),
  counterparty:
    splitWords(`customer supplier customersupplier customerorsupplier customername suppliername contact contactname name client clientname
    vendor vendorname payee merchant`),
  description: splitWords('details detail narrative memo item particulars notes'),
  net: splitWords(`netamount nett netgbp netvalue nettotal exvat excvat amountexvat amountexcvat amountexcludingvat excludingvat subtotal
    netprice totalexvat totalexcvat`),
  vat: splitWords('vatamount vatgbp vattotal vatcharged tax taxamount taxtotal totalvat totaltax'),
  treatment: splitWords('vattreatment vatcode taxcode vatrate taxrate taxtype vattype ratename taxratename'),
  gross:
    splitWords(`grossamount grossgbp grosstotal total totalamount totalgbp incvat amountincvat amountincludingvat includingvat totalincvat
    grandtotal invoicetotal invoiceamount`),
};

const TARGET_BY_NAME: ReadonlyMap<string, BooksTarget> = new Map(
  BOOKS_TARGETS.flatMap((target) => [target, ...COLUMN_NAMES[target]].map((name) => [name, target] as const)),
);

/** The columns of a books file. */
export const BOOKS_FILE_COLUMNS: ColumnRecogniser<BooksTarget> = {
  recognise: (heading) => {
    const target = TARGET_BY_NAME.get(normaliseHeading(heading.replace(/\(?£\)?|\(gbp\)/i, '')));
    // “VAT %” is the rate, not the amount.
    return target === 'vat' && heading.includes('%') ? 'treatment' : target;
  },
  singleColumnTargets: new Set<BooksTarget>(['date', 'kind', 'net', 'vat', 'treatment', 'gross']),
  isComplete: (columns) => listMissingColumns(columns, { fixedKind: null, fixedTreatment: null }).length === 0,
};

/** Returns true for the template's header. Its rows must follow the template exactly; any other value is an error. */
export function isTemplateHeader(headings: readonly string[]): boolean {
  const names = headings.map((heading) => heading.trim().toLowerCase());
  return BOOKS_COLUMNS.every((column) => names.filter((name) => name === column).length === 1);
}

/** Lists the missing columns without which no row can be read. Two of net, VAT and gross are enough. */
export function listMissingColumns(
  columns: ColumnTargets<BooksTarget>,
  { fixedKind, fixedTreatment }: Pick<BooksTable, 'fixedKind' | 'fixedTreatment'>,
): BooksColumn[] {
  const hasTarget = (target: BooksTarget) => columns.includes(target);
  const missingColumns: BooksColumn[] = [];
  if (!hasTarget('date')) missingColumns.push('date');
  if (!hasTarget('kind') && fixedKind === null) missingColumns.push('kind');
  if (!hasTarget('net') && !(hasTarget('gross') && hasTarget('vat'))) missingColumns.push('net');
  if (!hasTarget('vat') && !(hasTarget('gross') && hasTarget('net'))) missingColumns.push('vat');
  if (!hasTarget('treatment') && fixedTreatment === null) missingColumns.push('treatment');
  return missingColumns;
}

const KIND_BY_NAME: Readonly<Record<string, KindMeaning>> = {
  sale: 'sale',
  sales: 'sale',
  salesinvoice: 'sale',
  customerinvoice: 'sale',
  income: 'sale',
  accrec: 'sale',
  purchase: 'purchase',
  purchases: 'purchase',
  purchaseinvoice: 'purchase',
  supplierinvoice: 'purchase',
  bill: 'purchase',
  expense: 'purchase',
  expenses: 'purchase',
  accpay: 'purchase',
  salescreditnote: 'sale_credit',
  salescredit: 'sale_credit',
  customercredit: 'sale_credit',
  accreccredit: 'sale_credit',
  purchasecreditnote: 'purchase_credit',
  purchasecredit: 'purchase_credit',
  suppliercredit: 'purchase_credit',
  billcredit: 'purchase_credit',
  accpaycredit: 'purchase_credit',
};

/** Names of VAT rates in Xero, QuickBooks, FreeAgent and Sage. A bare 0% can be zero-rated, exempt or outside VAT, so the user decides. */
const TREATMENT_NAMES: Readonly<Partial<Record<Treatment, readonly string[]>>> = {
  standard: splitWords('standardrate standardrated 20standard 200standard 20vat vat20 20s 200s 20vatonincome 20vatonexpenses t1'),
  reduced: splitWords('reducedrate reducedrated 5reduced 5vat vat5 50r 5r 5vatonincome 5vatonexpenses t5'),
  zero: splitWords('zerorate zerorated 00z 0z zeroratedincome zeroratedexpenses t0'),
  exempt: splitWords('exemptfromvat exemptincome exemptexpenses vatexempt t2'),
  no_vat: splitWords('novat outofscope outsidescope outsidethescope outsidethescopeofvat t9'),
  domestic_reverse_charge: splitWords('drc domesticreversecharge20vat domesticreversecharge20 20rccis cisreversecharge'),
  imported_services: splitWords('importedservice reversechargeservices reversechargeexpenses20 reversecharge20'),
  postponed_import_vat: splitWords('pva postponedvataccounting postponedvat'),
  import_vat_paid: splitWords('importvat c79'),
  capital: splitWords('20vatoncapitalpurchases capitalpurchases capitalgoods'),
};

const TREATMENT_BY_NAME: ReadonlyMap<string, Treatment> = new Map(
  TREATMENTS.flatMap((treatment) =>
    [treatment.replaceAll('_', ''), ...(TREATMENT_NAMES[treatment] ?? [])].map((name) => [name, treatment] as const),
  ),
);

/** Returns the meaning of a value in the kind column; undefined if it's uncertain. */
export function recogniseKind(text: string, rememberedKinds: RememberedBooksColumns['kinds'] = {}): KindMeaning | undefined {
  const name = normaliseHeading(text);
  return getOwnValue(rememberedKinds, name) ?? getOwnValue(KIND_BY_NAME, name);
}

/** Returns the meaning of a value in the treatment column; undefined if it's uncertain. Rates may be written 20%, 20 or 0.2. */
export function recogniseTreatment(text: string, rememberedTreatments: RememberedBooksColumns['treatments'] = {}): Treatment | undefined {
  const name = normaliseHeading(text);
  // Some exports show the rate of Xero's “20% (VAT on Expenses)” as 20.0%.
  const namedTreatment =
    getOwnValue(rememberedTreatments, name) ??
    TREATMENT_BY_NAME.get(name) ??
    TREATMENT_BY_NAME.get(normaliseHeading(text.replace(/\.0+%/, '%')));
  if (namedTreatment !== undefined) return namedTreatment;
  const [, rate] = /^\s*(\d+(?:\.\d+)?)\s*%?\s*$/.exec(text) ?? [];
  if (rate === undefined) return undefined;
  const percent = text.includes('%') || Number(rate) >= 1 ? Number(rate) : Number(rate) * 100;
  return percent === 20 ? 'standard' : percent === 5 ? 'reduced' : undefined;
}

function getOwnValue<Value>(values: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}
