/** Builds the statement of account for a period, as a PDF and as CSV. */
import { getFeeVatTreatment } from '@portal/domain/advances/fee-vat-treatment.ts';
import { formatCsvLine, neutraliseCsvCell } from '@portal/domain/books/csv-text.ts';
import type { Instant } from '@portal/domain/clock.ts';
import type { StatementEntry, StatementOfAccount } from '@portal/domain/ledger/statement-of-account.ts';
import { formatPounds, pence, toPoundsText, type Pence } from '@portal/domain/money.ts';
import { formatDate, formatPeriod } from '@portal/domain/plain-date.ts';
import { formatVrn } from '@portal/domain/uk-tax/references/vrn.ts';
import type { Site } from '../../app-deps.ts';
import {
  createAmounts,
  describeSender,
  createHeading,
  createParagraph,
  createMutedParagraph,
  type PrintedDocument,
  type DocumentBlock,
} from './printed-document.ts';

type Company = { readonly name: string; readonly vrn: string | null };

export function createStatementDocument(site: Site, company: Company, statement: StatementOfAccount): PrintedDocument {
  const period = formatPeriod(statement.from, statement.to);
  return {
    brand: site.brand,
    title: 'Statement of account',
    lead: `${company.name}${company.vrn === null ? '' : `, VAT number ${formatVrn(company.vrn)}`} · ${period}`,
    subject: `Statement of ${company.name}’s account with ${site.brand}, ${period}`,
    // Use the end of the period, because the day of the download isn’t one of the facts.
    createdAt: `${statement.to}T00:00:00.000Z` as Instant,
    blocks: [
      createHeading('Balance'),
      createAmounts([
        [`Opening balance on ${formatDate(statement.from)}`, formatPounds(statement.opening)],
        ...listTotals(statement.entries),
        [`Closing balance on ${formatDate(statement.to)}`, formatPounds(statement.closing), 'total'],
      ]),
      createParagraph(describeBalance(statement)),
      createHeading('Entries'),
      statement.entries.length === 0 ? createParagraph('No entries in this period.') : createEntriesTable(statement),
      ...describeFee(statement),
    ],
    footer: describeSender(site),
  };
}

/** Sums the entries of each kind, in order of appearance. */
function listTotals(entries: readonly StatementEntry[]): [string, string][] {
  const sums = new Map<string, Pence>();
  for (const { kind, text, amount } of entries) {
    if (kind !== 'moved') sums.set(text, pence((sums.get(text) ?? 0) + amount));
  }
  return [...sums].map(([text, sum]) => [text, formatPounds(sum)]);
}

function describeBalance({ closing, position }: StatementOfAccount): string {
  const { awaitedFromHmrc, dueFromYou, heldForYou } = position;
  const parts = [
    awaitedFromHmrc > 0 ? `HMRC still has to repay ${formatPounds(awaitedFromHmrc)}.` : '',
    dueFromYou > 0 ? `You owe us ${formatPounds(dueFromYou)}.` : '',
    heldForYou > 0 ? `We hold ${formatPounds(heldForYou)} for you.` : '',
  ].filter((part) => part !== '');
  const meaning =
    closing === 0 && parts.length === 0
      ? 'Nothing is outstanding.'
      : 'The balance is what you or HMRC still have to pay us for the refunds we bought, less what we hold for you.';
  return [meaning, ...parts].join(' ');
}

function createEntriesTable({ entries, opening, closing, from, to }: StatementOfAccount): DocumentBlock {
  return {
    kind: 'table',
    columns: [
      { title: 'Date', share: 0.16 },
      { title: 'Description', share: 0.5 },
      { title: 'Amount', share: 0.17, align: 'right' },
      { title: 'Balance', share: 0.17, align: 'right' },
    ],
    rows: [
      { cells: [formatDate(from, 'short'), 'Opening balance', '', formatPounds(opening)] },
      ...entries.map((entry) => ({
        cells: [
          formatDate(entry.on, 'short'),
          describeEntry(entry),
          entry.kind === 'moved' ? '' : formatPounds(entry.amount),
          formatPounds(entry.balance),
        ],
      })),
      { cells: [formatDate(to, 'short'), 'Closing balance', '', formatPounds(closing)], isTotal: true },
    ],
  };
}

function describeEntry({ text, period }: StatementEntry): string {
  return period ? `${text} (VAT ${formatPeriod(period.start, period.end, 'short')})` : text;
}

function describeFee({ entries }: StatementOfAccount): DocumentBlock[] {
  const fee = entries.find(({ kind }) => kind === 'fee');
  if (!fee) return [];
  const { text, source } = getFeeVatTreatment(fee.on);
  return [createMutedParagraph(`${text} Source: ${source}.`)];
}

/** Formats the same entries for a spreadsheet. UTF-8 with a byte order mark, because Excel assumes another encoding without it. */
export function formatStatementCsv({ from, to, opening, closing, entries }: StatementOfAccount): string {
  const rows: (readonly string[])[] = [
    ['Date', 'Description', 'VAT period from', 'VAT period to', 'Amount (£)', 'Balance (£)'],
    [from, 'Opening balance', '', '', '', toPoundsText(opening)],
    ...entries.map(({ on, text, period, amount, balance }) => [
      on,
      neutraliseCsvCell(text),
      period?.start ?? '',
      period?.end ?? '',
      toPoundsText(amount),
      toPoundsText(balance),
    ]),
    [to, 'Closing balance', '', '', '', toPoundsText(closing)],
  ];
  return `\uFEFF${rows.map((cells) => `${formatCsvLine(cells)}\r\n`).join('')}`;
}
