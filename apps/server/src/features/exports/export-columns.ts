/** Columns of the client export, with the titles that users know from the screen. */
import type { ClientFilters } from '@portal/contract/client-filters.ts';
import { MATCHED_FILTERS, type ClientMatchedItems, type MatchedFilter } from '@portal/contract/figures.ts';
import type { clientRows, clients } from '@portal/db/schema/schema.ts';
import { toLondonDate, type Instant } from '@portal/domain/clock.ts';
import { AUTHORISATION_LABELS, type Authorisation } from '@portal/domain/authorisations/describe-authorisation.ts';
import { formatPounds, type Pence } from '@portal/domain/money.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import { describeFigures, getFiguresState, hasAmounts, listUnreadTaxes } from '@portal/domain/positions/figures-state.ts';
import { getItemName } from '@portal/domain/positions/item-names.ts';
import type { VatGroupRole } from '@portal/domain/clients/vat-group.ts';
import type { ImportedTurnover } from '@portal/domain/client-imports/imported-client.ts';
import { NEVER_DUE } from '@portal/domain/positions/summarise-client.ts';
import { type AgentTax, TAX_NAMES } from '@portal/domain/uk-tax/tax.ts';
import { listTaxes } from '../clients/list-clients.ts';

/** A cell of an exported table. Undefined means empty. */
export type Cell =
  | { readonly kind: 'count'; readonly count: number }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'money'; readonly pence: Pence }
  | { readonly kind: 'day'; readonly day: PlainDate }
  | undefined;

export type MatchedItem = ClientMatchedItems['further'][number];

/** `row` has the figures for all taxes, or for the tax that the export is filtered by (clients/client-figures.ts). */
export type ExportedClient = {
  readonly row: typeof clientRows.$inferSelect;
  readonly client: typeof clients.$inferSelect;
  readonly vatGroupRole: VatGroupRole | null;
  /** The practice's own figure for the newest month, unless it is too old to be imported again. */
  readonly turnover: ImportedTurnover | undefined;
  /** What each of the export's filters by dates and amounts counted of the client. */
  readonly matched: readonly MatchedItem[];
  /** HMRC's authorisation by tax. Null if the client doesn't have the tax. */
  readonly authorisations: Readonly<Record<AgentTax, Authorisation | null>>;
};

export type ExportColumn = { readonly title: string; readonly width: number; readonly getCell: (exportedClient: ExportedClient) => Cell };

const ATTENTION_LABELS = {
  overdue_payment: 'Payment overdue',
  overdue_return: 'Return overdue',
  overdue_update: 'Quarterly update overdue',
  sync_failed: 'Last refresh failed',
  not_authorised: 'Client hasn’t authorised you',
  authorisation_pending: 'Waiting for client’s authorisation',
  due_soon: 'Due within 7 days',
  no_data: 'Some taxes not updated yet',
  none: 'None',
} as const;

const IDENTITY_COLUMNS: readonly ExportColumn[] = [
  { title: 'Name', width: 36, getCell: ({ row }) => toTextCell(row.name) },
  { title: 'Client type', width: 14, getCell: ({ row }) => toTextCell(capitalise(row.kind)) },
  { title: 'Status', width: 10, getCell: ({ row }) => toTextCell(capitalise(row.status)) },
  {
    title: 'Taxes',
    width: 24,
    getCell: ({ row }) =>
      toTextCell(
        listTaxes(row)
          .map((tax) => TAX_NAMES[tax])
          .join(', '),
      ),
  },
  { title: 'VAT number', width: 12, getCell: ({ row }) => toTextCell(row.vrn) },
  { title: 'VAT group role', width: 14, getCell: ({ vatGroupRole }) => toTextCell(vatGroupRole && capitalise(vatGroupRole)) },
  { title: 'VAT group number', width: 12, getCell: ({ client }) => toTextCell(client.vatGroupVrn) },
  { title: 'UTR', width: 12, getCell: ({ row }) => toTextCell(row.utr) },
  { title: 'Company number', width: 14, getCell: ({ row }) => toTextCell(row.companyNumber) },
  { title: 'PAYE reference', width: 16, getCell: ({ client }) => toTextCell(client.payeReference) },
  { title: 'Postcode', width: 10, getCell: ({ client }) => toTextCell(client.postcode) },
  { title: 'Email', width: 28, getCell: ({ client }) => toTextCell(client.email) },
  { title: 'Phone', width: 16, getCell: ({ client }) => toTextCell(client.phone) },
  { title: 'Client code', width: 12, getCell: ({ client }) => toTextCell(client.clientCode) },
  { title: 'Taxable turnover (£)', width: 14, getCell: ({ turnover }) => turnover && { kind: 'money', pence: turnover.turnover_pence } },
  { title: 'Turnover to', width: 12, getCell: ({ turnover }) => turnover && { kind: 'day', day: turnover.end_on } },
];

type ItemFilters = Pick<ClientFilters, MatchedFilter>;

const MATCHED_TITLES = { due_before: 'Due in period', pay_in: 'Payments in month', refund_in: 'Refunds in month' } as const;

/** What each filter counted of each client, so that the file adds up to the sums above the list. */
function listMatchedColumns(filters: ItemFilters): readonly ExportColumn[] {
  return MATCHED_FILTERS.filter((name) => filters[name] !== undefined).flatMap((filter) => {
    const find = ({ matched }: ExportedClient): MatchedItem | undefined => matched.find((found) => found.filter === filter);
    const createAmountColumn = (title: string): ExportColumn => ({
      title,
      width: 14,
      getCell: (client) => toAmountCell(find(client)?.amount_pence ?? null),
    });
    const createItemsColumn = (title: string): ExportColumn => ({
      title,
      width: 12,
      getCell: (client) => toCount(find(client)?.items ?? null),
    });
    if (filter === 'has') return listAmountColumns(filters, createAmountColumn, createItemsColumn);
    const columnTitles = MATCHED_TITLES[filter];
    return [
      { title: `${columnTitles}: first date`, width: 12, getCell: (client: ExportedClient) => toDay(find(client)?.due[0]?.due_on) },
      {
        title: `${columnTitles}: what`,
        width: 40,
        getCell: (client: ExportedClient) => toTextCell((find(client)?.due ?? []).map(describeItem).join('; ')),
      },
      createItemsColumn(`${columnTitles}: items`),
      createAmountColumn(`${columnTitles}: amount (£)`),
    ];
  });
}

type GetColumn = (title: string) => ExportColumn;

function listAmountColumns({ has }: ItemFilters, amount: GetColumn, createItemsColumn: GetColumn): readonly ExportColumn[] {
  switch (has) {
    case 'at_risk':
      return [amount('Penalties and interest not charged yet (£)')];
    case 'overdue_return':
      return [createItemsColumn('Overdue returns')];
    case 'overdue_update':
      return [createItemsColumn('Overdue quarterly updates')];
    case 'overdue_any':
      return [createItemsColumn('Overdue returns and quarterly updates')];
    default:
      // The amounts owed, overdue and refundable have their own columns.
      return [];
  }
}

/** For example "2026-11-13 VAT payment £40.00". */
function describeItem({ due_on: day, tax, kind, amount_pence: amount }: MatchedItem['due'][number]): string {
  return `${day} ${TAX_NAMES[tax]} ${getItemName(kind)}${amount === null ? '' : ` ${formatPounds(amount)}`}`;
}

/** Returns the file's columns. If filtered by a tax, the dates and amounts are for that tax, and their headers name it. */
export function listExportColumns(filters: ItemFilters & Pick<ClientFilters, 'tax'>, today: PlainDate): readonly ExportColumn[] {
  const { tax } = filters;
  const toTitlePart = (title: string): string =>
    tax === undefined ? title : `${TAX_NAMES[tax]}: ${title.charAt(0).toLowerCase()}${title.slice(1)}`;
  const getFigures = ({ row }: ExportedClient) => {
    const taxes = tax === undefined ? listTaxes(row) : [tax];
    const state = getFiguresState({ taxes, readTaxes: row.readTaxes, staleOn: row.staleOn }, today);
    return { state, taxes, unreadTaxes: listUnreadTaxes(taxes, row.readTaxes), asOf: row.asOf, hasFailed: row.refreshFailed };
  };
  // Leaves the cell empty if the amount was never read, because a zero would mean that nothing is owed.
  const toKnownCell = (exportedClient: ExportedClient, amount: Pence): Cell =>
    hasAmounts(getFigures(exportedClient).state) ? toAmountCell(amount) : undefined;
  return [
    ...IDENTITY_COLUMNS,
    {
      title: toTitlePart('Next due'),
      width: 12,
      getCell: ({ row }) => toDay(row.nextDueOn === NEVER_DUE ? undefined : row.nextDueOn),
    },
    ...(tax === undefined
      ? [
          {
            title: 'Next due: tax',
            width: 16,
            getCell: ({ row }: ExportedClient) => toTextCell(row.nextDueTax && TAX_NAMES[row.nextDueTax]),
          },
        ]
      : []),
    {
      title: toTitlePart('Next due: type'),
      width: 12,
      getCell: ({ row }) => toTextCell(row.nextDueWhat && capitalise(getItemName(row.nextDueWhat))),
    },
    { title: toTitlePart('Next due: amount (£)'), width: 14, getCell: ({ row }) => toAmountCell(row.nextDuePence) },
    ...listMatchedColumns(filters).map((column) => ({ ...column, title: toTitlePart(column.title) })),
    {
      title: toTitlePart('Owed to HMRC (£)'),
      width: 14,
      getCell: (exportedClient) => toKnownCell(exportedClient, exportedClient.row.owedPence),
    },
    {
      title: toTitlePart('Overdue (£)'),
      width: 14,
      getCell: (exportedClient) => toKnownCell(exportedClient, exportedClient.row.overduePence),
    },
    {
      title: toTitlePart('Refund due (£)'),
      width: 14,
      getCell: (exportedClient) => toKnownCell(exportedClient, exportedClient.row.refundPence),
    },
    {
      title: toTitlePart('Figures'),
      width: 32,
      getCell: (exportedClient) => toTextCell(describeFigures(getFigures(exportedClient), today)),
    },
    { title: 'Needs attention', width: 24, getCell: ({ row }) => toTextCell(ATTENTION_LABELS[row.attention]) },
    {
      title: 'Owner',
      width: 28,
      getCell: ({ row }) => toTextCell([...new Set(row.members.map((member) => member.full_name))].join(', ')),
    },
    { title: toTitlePart('Figures updated on'), width: 14, getCell: ({ row }) => toDayCell(row.asOf) },
    { title: 'HMRC authorisation: VAT', width: 22, getCell: ({ authorisations }) => toAuthorisationCell(authorisations.vat) },
    { title: 'HMRC authorisation: Self Assessment', width: 22, getCell: ({ authorisations }) => toAuthorisationCell(authorisations.sa) },
  ];
}

function toTextCell(value: string | null): Cell {
  return value === null || value === '' ? undefined : { kind: 'text', text: value };
}

function toAuthorisationCell(status: Authorisation | null): Cell {
  return toTextCell(status && AUTHORISATION_LABELS[status]);
}

function toAmountCell(amount: Pence | null): Cell {
  return amount === null ? undefined : { kind: 'money', pence: amount };
}

function toCount(count: number | null): Cell {
  return count === null ? undefined : { kind: 'count', count };
}

function toDay(day: PlainDate | undefined): Cell {
  return day === undefined ? undefined : { kind: 'day', day };
}

function toDayCell(at: Instant | null): Cell {
  return at === null ? undefined : { kind: 'day', day: toLondonDate(at) };
}

function capitalise(word: string): string {
  return word === 'llp' ? 'LLP' : `${word.charAt(0).toUpperCase()}${word.slice(1).replaceAll('_', ' ')}`;
}
