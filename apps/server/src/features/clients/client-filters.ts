/** Filters of the client list as SQL conditions with placeholders, shared by the list, the count and the export. */
import { UNASSIGNED, type ClientFilters } from '@portal/contract/clients.ts';
import { clientRows } from '@portal/db/schema/schema.ts';
import { parseClientSearch } from '@portal/domain/clients/search-text.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import { and, eq, gte, lte, notInArray, or, sql, type SQL } from 'drizzle-orm';

/** A filter as SQL conditions, the values of their placeholders, and a key for the statement (without the values). */
export type ClientFilterSql = {
  /** This is a function because a prepared statement already contains its conditions. */
  readonly conditions: () => readonly SQL[];
  readonly values: Readonly<Record<string, unknown>>;
  readonly shape: string;
  /** Searches must be planned for their text. A prepared statement would use one plan for every text and be three times slower. */
  readonly hasSearch: boolean;
};

/** `assignedTo` limits the result to clients assigned to a team member. */
export function buildClientFilter(
  companyId: string,
  filters: ClientFilters,
  { assignedTo, today }: { readonly assignedTo: string | undefined; readonly today: PlainDate },
): ClientFilterSql {
  const conditions: (() => SQL | undefined)[] = [() => eq(clientRows.companyId, sql.placeholder('companyId'))];
  const values: Record<string, unknown> = { companyId };
  const shape: string[] = [];
  const add = (name: string, value: unknown, condition: () => SQL): void => {
    shape.push(name);
    values[name] = value;
    conditions.push(condition);
  };
  const { q, status, tax, attention, member, kind, due_before: dueBefore, has } = filters;
  if (assignedTo !== undefined) add('assignedTo', assignedTo, () => isAssignedTo('assignedTo'));
  if (member === UNASSIGNED) {
    shape.push('unassigned');
    conditions.push(isUnassigned);
  } else if (member !== undefined && member !== assignedTo) add('member', member, () => isAssignedTo('member'));
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
    add('dueBefore', dueBefore, () => (tax === undefined ? isDueBefore() : isTaxDueBefore(tax)));
    values['today'] = today;
  }
  if (has !== undefined) {
    shape.push(has);
    conditions.push(() => hasAmount(has, tax));
  }
  const hasSearch = q !== undefined && q !== '';
  if (hasSearch) {
    const alternatives = parseClientSearch(q);
    for (const [alternativeIndex, words] of alternatives.entries())
      for (const [wordIndex, word] of words.entries()) values[toPlaceholderName(alternativeIndex, wordIndex)] = `%${word}%`;
    conditions.push(() => matchesSearch(alternatives));
    shape.push(`q${alternatives.map((words) => words.length).join('+')}`);
  }
  return {
    conditions: () => conditions.flatMap((condition) => condition() ?? []),
    values,
    shape: shape.join('_'),
    hasSearch,
  };
}

const toPlaceholderName = (alternativeIndex: number, wordIndex: number): string => `word${alternativeIndex}_${wordIndex}`;

/** The only condition for a search of clients: of the list, the count, exports, bulk actions and the command palette. */
function matchesSearch(alternatives: readonly (readonly string[])[]): SQL | undefined {
  // The text has no letters or digits.
  if (alternatives.length === 0) return sql`false`;
  const conditions = alternatives.map((words, alternativeIndex) =>
    and(
      ...words.map((_word, wordIndex) => sql`${clientRows.search} like ${sql.placeholder(toPlaceholderName(alternativeIndex, wordIndex))}`),
    ),
  );
  return or(...conditions);
}

const HAS_TAX = { vat: clientRows.hasVat, paye: clientRows.hasPaye, ct: clientRows.hasCt, sa: clientRows.hasSa };

function isAssignedTo(name: 'assignedTo' | 'member'): SQL {
  return sql`${clientRows.clientId} in (select client_id from client_members where company_id = ${sql.placeholder('companyId')} and user_id = ${sql.placeholder(name)})`;
}

function isUnassigned(): SQL {
  return sql`not exists (select from client_members m where m.company_id = ${clientRows.companyId} and m.client_id = ${clientRows.clientId})`;
}

/** The earliest due date over all taxes is stored in the list row. */
function isDueBefore(): SQL {
  return sql`${gte(clientRows.nextDueOn, sql.placeholder('today'))} and ${lte(clientRows.nextDueOn, sql.placeholder('dueBefore'))}`;
}

function isTaxDueBefore(tax: string): SQL {
  return sql`exists (select from due_items d where d.company_id = ${clientRows.companyId} and d.client_id = ${clientRows.clientId}
    and d.tax = ${tax} and d.what <> 'refund' and d.due_on between ${sql.placeholder('today')} and ${sql.placeholder('dueBefore')})`;
}

/** Amounts owed, overdue and refundable over all taxes are in the list row. Everything else is read from the positions. */
function hasAmount(has: NonNullable<ClientFilters['has']>, tax: string | undefined): SQL {
  if (tax === undefined && has === 'owed') return sql`${clientRows.owedPence} > 0`;
  if (tax === undefined && has === 'overdue') return sql`${clientRows.overduePence} > 0`;
  if (tax === undefined && has === 'refund') return sql`${clientRows.refundPence} > 0`;
  const taxCondition = tax === undefined ? sql`` : sql`and p.tax = ${tax}`;
  return sql`exists (select from tax_positions p where p.company_id = ${clientRows.companyId} and p.client_id = ${clientRows.clientId} ${taxCondition} and ${AMOUNT_CONDITIONS[has]})`;
}

const AMOUNT_CONDITIONS: Readonly<Record<NonNullable<ClientFilters['has']>, SQL>> = {
  owed: sql`p.owed_pence > 0`,
  overdue: sql`p.overdue_pence > 0`,
  overdue_return: sql`p.overdue_returns > 0`,
  overdue_any: sql`(p.overdue_pence > 0 or p.overdue_returns > 0)`,
  refund: sql`p.refund_pence > 0`,
  at_risk: sql`p.penalty_pence + p.interest_pence > 0`,
};
