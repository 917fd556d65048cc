/** Filters of the client list as SQL conditions with placeholders, shared by the list, the count and the export. */
import type { ClientFilters } from '@portal/contract/clients.ts';
import { clientRows } from '@portal/db/schema/schema.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import { and, eq, gte, lte, notInArray, or, sql, type SQL } from 'drizzle-orm';

/** A filter as SQL conditions, the values of their placeholders, and a key for the statement (without the values). */
export type ClientNarrowing = {
  /** A function, because a prepared statement already contains its conditions. */
  readonly conditions: () => readonly SQL[];
  readonly values: Readonly<Record<string, unknown>>;
  readonly shape: string;
  /** A search is planned for its text: a statement that the connection keeps would get a plan for any text, which is three times slower. */
  readonly isSearched: boolean;
};

/** `assignedTo` limits the result to clients assigned to a team member. */
export function narrowClients(
  companyId: string,
  filters: ClientFilters,
  { assignedTo, today }: { readonly assignedTo: string | undefined; readonly today: PlainDate },
): ClientNarrowing {
  const conditions: (() => SQL | undefined)[] = [() => eq(clientRows.companyId, sql.placeholder('companyId'))];
  const values: Record<string, unknown> = { companyId };
  const shape: string[] = [];
  const add = (name: string, value: unknown, condition: () => SQL): void => {
    shape.push(name);
    values[name] = value;
    conditions.push(condition);
  };
  const { q, status, tax, attention, member, kind, due_before: dueBefore, has } = filters;
  if (assignedTo !== undefined) add('assignedTo', assignedTo, () => isLookedAfterBy('assignedTo'));
  if (member !== undefined && member !== assignedTo) add('member', member, () => isLookedAfterBy('member'));
  if (status === 'in_hand') {
    shape.push('in_hand');
    conditions.push(() => notInArray(clientRows.status, ['inactive', 'closed']));
  } else if (status !== undefined) add('status', status, () => eq(clientRows.status, sql.placeholder('status')));
  if (attention !== undefined) add('attention', attention, () => eq(clientRows.attention, sql.placeholder('attention')));
  if (kind !== undefined) add('kind', kind, () => eq(clientRows.kind, sql.placeholder('kind')));
  if (tax !== undefined) {
    shape.push(tax);
    conditions.push(() => eq(HAS_TAX[tax], true));
  }
  if (dueBefore !== undefined) {
    add('dueBefore', dueBefore, () => (tax === undefined ? dueByThen() : taxDueByThen(tax)));
    values['today'] = today;
  }
  if (has !== undefined) {
    shape.push(has);
    conditions.push(() => holds(has, tax));
  }
  const isSearched = q !== undefined && q !== '';
  if (isSearched) {
    const readings = searchedReadings(q);
    for (const [reading, words] of readings.entries())
      for (const [place, word] of words.entries()) values[nameOf(reading, place)] = `%${word}%`;
    conditions.push(() => isFound(readings));
    shape.push(`q${readings.map((words) => words.length).join('+')}`);
  }
  return {
    conditions: () => conditions.flatMap((condition) => condition() ?? []),
    values,
    shape: shape.join('_'),
    isSearched,
  };
}

const nameOf = (reading: number, place: number): string => `word${reading}_${place}`;

function isFound(readings: readonly (readonly string[])[]): SQL | undefined {
  const found = readings.map((words, reading) =>
    and(...words.map((_word, place) => sql`${clientRows.search} like ${sql.placeholder(nameOf(reading, place))}`)),
  );
  return or(...found);
}

const HAS_TAX = { vat: clientRows.hasVat, paye: clientRows.hasPaye, ct: clientRows.hasCt, sa: clientRows.hasSa };

function isLookedAfterBy(name: 'assignedTo' | 'member'): SQL {
  return sql`${clientRows.clientId} in (select client_id from client_members where company_id = ${sql.placeholder('companyId')} and user_id = ${sql.placeholder(name)})`;
}

/** The earliest due date over all taxes is stored in the list row. */
function dueByThen(): SQL {
  return sql`${gte(clientRows.nextDueOn, sql.placeholder('today'))} and ${lte(clientRows.nextDueOn, sql.placeholder('dueBefore'))}`;
}

function taxDueByThen(tax: string): SQL {
  return sql`exists (select from due_items d where d.company_id = ${clientRows.companyId} and d.client_id = ${clientRows.clientId}
    and d.tax = ${tax} and d.what <> 'refund' and d.due_on between ${sql.placeholder('today')} and ${sql.placeholder('dueBefore')})`;
}

/** Amounts owed, overdue and refundable over all taxes are in the list row. Everything else is read from the positions. */
function holds(has: NonNullable<ClientFilters['has']>, tax: string | undefined): SQL {
  if (tax === undefined && has === 'owed') return sql`${clientRows.owedPence} > 0`;
  if (tax === undefined && has === 'overdue') return sql`${clientRows.overduePence} > 0`;
  if (tax === undefined && has === 'refund') return sql`${clientRows.refundPence} > 0`;
  const ofTax = tax === undefined ? sql`` : sql`and p.tax = ${tax}`;
  return sql`exists (select from tax_positions p where p.company_id = ${clientRows.companyId} and p.client_id = ${clientRows.clientId} ${ofTax} and ${HOLDING[has]})`;
}

const HOLDING: Readonly<Record<NonNullable<ClientFilters['has']>, SQL>> = {
  owed: sql`p.owed_pence > 0`,
  overdue: sql`p.overdue_pence > 0`,
  overdue_return: sql`p.overdue_returns > 0`,
  refund: sql`p.refund_pence > 0`,
  at_risk: sql`p.penalty_pence + p.interest_pence > 0`,
};

/**
 * Alternatives of a search; the words of at least one must all match. A number written in groups ("GB 123 4567 89") adds an alternative
 * with its digits joined.
 */
export function searchedReadings(q: string | undefined): string[][] {
  const asTyped = (q ?? '').toLowerCase().trim();
  const asNumbers = asTyped.replaceAll(/(?<=\d)[\s.-]+(?=\d)/g, '').replace(/\bgb\s*(?=\d{9}\b)/, '');
  const readings = asNumbers === asTyped ? [asTyped] : [asTyped, asNumbers];
  return readings.map(wordsOf).filter((words) => words.length > 0);
}

const MOST_WORDS = 8;

function wordsOf(text: string): string[] {
  return text
    .split(/\s+/)
    .filter((word) => word !== '')
    .slice(0, MOST_WORDS)
    .map((word) => word.replaceAll(/[\\%_]/g, (mark) => `\\${mark}`));
}
