/** Filters of the client list as SQL conditions with placeholders, shared by the list, the count and the export. */
import { UNASSIGNED } from '@portal/domain/clients/client.ts';
import { type ClientFilters } from '@portal/contract/client-filters.ts';
import { clientRows, taxPositions } from '@portal/db/schema/schema.ts';
import { parseClientSearch } from '@portal/domain/clients/search-text.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import type { Tax } from '@portal/domain/uk-tax/tax.ts';
import { eq, getTableColumns, notInArray, sql, Subquery, type SQL } from '@portal/db/sql.ts';
import { buildLinkedFilter } from './linked-filter.ts';
import { AMOUNTS, getFirstDateSql, isDueInWindow, isInMonth, listMatchedSql, type MatchedSql } from './client-figures.ts';
import { hasAuthorisation } from './hmrc-filters.ts';
import { hasInvitation } from './invitation-filter.ts';
import { matchesClientSearch } from './matches-client-search.ts';

/** A filter as SQL conditions, the values of their placeholders, and a key for the statement (without the values). */
export type ClientFilterSql = {
  /**
   * This is a function because a prepared statement already contains its conditions. `without_dates`: for a statement that joins
   * `getFirstDate`, which only has clients with such a date.
   */
  readonly conditions: (part?: 'without_dates') => readonly SQL[];
  readonly values: Readonly<Record<string, unknown>>;
  readonly shape: string;
  /**
   * The tax that the list is filtered by. The statement must join its position (`matchesTaxPosition`), which the conditions and figures
   * use.
   */
  readonly tax: Tax | undefined;
  /** Returns what each filter by dates or amounts found for each client. */
  readonly listMatched: (clientCondition?: SQL) => readonly MatchedSql[];
  /** Returns each client's earliest date that matches the first filter by dates, for sorting. Undefined without such a filter. */
  readonly getFirstDate: () => SQL | undefined;
  /**
   * Searches, and lists of one member's or group's clients, must be planned for their values. A prepared statement would use one plan for
   * all values and be two or three times slower.
   */
  readonly isPlannedEachTime: boolean;
  /** The source to select from. For a search, this is the view that lets PostgreSQL use the search index (docs/decisions/0044). */
  readonly rows: typeof clientRows;
};

// Uses the table's name, so that the conditions and columns are the same.
const SEARCHED_ROWS = new Subquery(
  sql`select * from searched_client_rows`,
  getTableColumns(clientRows),
  'client_rows',
) as unknown as typeof clientRows;

/** `assignedTo` limits the result to clients assigned to a team member. */
export function buildClientFilter(
  companyId: string,
  filters: ClientFilters,
  { assignedTo, today }: { readonly assignedTo: string | undefined; readonly today: PlainDate },
): ClientFilterSql {
  const conditions: (() => SQL | undefined)[] = [() => eq(clientRows.companyId, sql.placeholder('companyId'))];
  const dateConditions: (() => SQL)[] = [];
  const values: Record<string, unknown> = { companyId, today };
  const shape: string[] = [];
  const add = (name: string, value: unknown, condition: () => SQL): void => {
    shape.push(name);
    values[name] = value;
    conditions.push(condition);
  };
  /** Of several filters by date, the items of the first are joined. */
  const addDate = (name: string, value: unknown, condition: () => SQL): void => {
    if (dateConditions.length > 0) return add(name, value, condition);
    shape.push(name);
    values[name] = value;
    dateConditions.push(condition);
  };
  const addFixed = (name: string, condition: () => SQL | undefined): void => {
    shape.push(name);
    conditions.push(condition);
  };
  const { q, status, tax, attention, member, kind, due_before: dueBefore, has, figures, authorisation, tag, group } = filters;
  const { pay_in: payIn, refund_in: refundIn } = filters;
  if (assignedTo !== undefined) add('assignedTo', assignedTo, () => isAssignedTo('assignedTo'));
  if (member === UNASSIGNED) addFixed('unassigned', isUnassigned);
  else if (member !== undefined && member !== assignedTo) add('member', member, () => isAssignedTo('member'));
  if (status === 'in_hand') addFixed('in_hand', () => notInArray(clientRows.status, ['inactive', 'closed']));
  else if (status !== undefined) add('status', status, () => eq(clientRows.status, sql.placeholder('status')));
  if (attention !== undefined) add('attention', attention, () => eq(clientRows.attention, sql.placeholder('attention')));
  if (kind !== undefined) add('kind', kind, () => eq(clientRows.kind, sql.placeholder('kind')));
  if (tax !== undefined) addFixed(tax, () => eq(HAS_TAX[tax], true));
  if (dueBefore !== undefined) addDate('dueBefore', dueBefore, () => hasItem(tax, isDueInWindow()));
  if (payIn !== undefined) addDate('payIn', payIn, () => hasItem(tax, isInMonth('payIn')));
  if (refundIn !== undefined) addDate('refundIn', refundIn, () => hasItem(tax, isInMonth('refundIn')));
  if (has !== undefined) addFixed(has, () => hasAmount(has, tax));
  if (figures !== undefined) addFixed(figures, () => hasFigures(figures, tax));
  if (authorisation !== undefined) addFixed(authorisation, () => hasAuthorisation(authorisation, tax));
  if (tag !== undefined) add('tag', tag, hasTag);
  const { letter, invitation } = filters;
  if (letter !== undefined) addFixed(`letter_${letter}`, () => hasLetter(letter));
  if (invitation !== undefined) addFixed(`invitation_${invitation}`, () => hasInvitation(invitation));
  if (group !== undefined) add('group', group, isInGroup);
  const linkedFilter = buildLinkedFilter(filters);
  conditions.push(...linkedFilter.conditions);
  Object.assign(values, linkedFilter.values);
  shape.push(...linkedFilter.shape);
  const hasSearch = q !== undefined && q !== '';
  if (hasSearch) {
    const alternatives = parseClientSearch(q);
    for (const [alternativeIndex, words] of alternatives.entries())
      for (const [wordIndex, word] of words.entries()) values[toPlaceholderName(alternativeIndex, wordIndex)] = `%${word}%`;
    conditions.push(() => matchesClientSearch(alternatives, (...place) => sql.placeholder(toPlaceholderName(...place))));
    shape.push(`q${alternatives.map((words) => words.length).join('+')}`);
  }
  return {
    conditions: (part) => [...conditions, ...(part === 'without_dates' ? [] : dateConditions)].flatMap((condition) => condition() ?? []),
    values,
    shape: shape.join('_'),
    tax,
    listMatched: (clientCondition) => listMatchedSql(filters, clientCondition),
    getFirstDate: () => getFirstDateSql(filters),
    isPlannedEachTime: hasSearch || group !== undefined || assignedTo !== undefined || (member !== undefined && member !== UNASSIGNED),
    rows: hasSearch ? SEARCHED_ROWS : clientRows,
  };
}

const toPlaceholderName = (alternativeIndex: number, wordIndex: number): string => `word${alternativeIndex}_${wordIndex}`;

const HAS_TAX = { vat: clientRows.hasVat, paye: clientRows.hasPaye, ct: clientRows.hasCt, sa: clientRows.hasSa };

function isAssignedTo(name: 'assignedTo' | 'member'): SQL {
  return sql`${clientRows.clientId} in (select client_id from client_members where company_id = ${sql.placeholder('companyId')} and user_id = ${sql.placeholder(name)})`;
}

function hasTag(): SQL {
  return sql`exists (select from clients c where c.company_id = ${clientRows.companyId} and c.id = ${clientRows.clientId}
    and c.tags @> to_jsonb(${sql.placeholder('tag')}::text))`;
}

function hasLetter(letter: NonNullable<ClientFilters['letter']>): SQL {
  const current = sql`select from engagement_letters l where l.company_id = ${clientRows.companyId} and l.client_id = ${clientRows.clientId}
    and l.superseded_at is null`;
  if (letter === 'none') return sql`not exists (${current})`;
  return sql`exists (${current} and l.signed_at is ${sql.raw(letter === 'signed' ? 'not null' : 'null')})`;
}

function isInGroup(): SQL {
  return sql`${clientRows.clientId} in (select client_id from client_group_members where company_id = ${sql.placeholder('companyId')} and group_id = ${sql.placeholder('group')})`;
}

function isUnassigned(): SQL {
  return sql`not exists (select from client_members m where m.company_id = ${clientRows.companyId} and m.client_id = ${clientRows.clientId})`;
}

/**
 * Matches any item, even if the client has earlier ones: the list row's next date may be overdue. If few clients have such an item,
 * PostgreSQL joins from the index by day; otherwise it probes each client's items.
 */
function hasItem(tax: Tax | undefined, condition: SQL): SQL {
  const taxCondition = tax === undefined ? sql`` : sql`and tax = ${sql.raw(`'${tax}'`)}`;
  return sql`exists (select from due_items where company_id = ${clientRows.companyId} and client_id = ${clientRows.clientId}
    ${taxCondition} and ${condition})`;
}

/** Matches amounts owed, overdue and refundable: over all taxes from the list row, of one tax from its joined position. */
function hasAmount(hasFilter: NonNullable<ClientFilters['has']>, tax: Tax | undefined): SQL {
  if (tax !== undefined) return sql`${AMOUNTS[hasFilter]} > 0`;
  if (hasFilter === 'owed') return sql`${clientRows.owedPence} > 0`;
  if (hasFilter === 'overdue') return sql`${clientRows.overduePence} > 0`;
  if (hasFilter === 'refund') return sql`${clientRows.refundPence} > 0`;
  return sql`exists (select from ${taxPositions} where ${taxPositions.companyId} = ${clientRows.companyId}
    and ${taxPositions.clientId} = ${clientRows.clientId} and ${AMOUNTS[hasFilter]} > 0)`;
}

/** Matches clients by whether their figures, or those of one tax, are known. */
function hasFigures(figures: NonNullable<ClientFilters['figures']>, tax: Tax | undefined): SQL {
  if (tax === undefined) {
    if (figures === 'unread' || figures === 'partial') return eq(clientRows.figures, sql.raw(`'${figures}'`));
    if (figures === 'incomplete') return sql`${clientRows.figures} in ('unread', 'partial')`;
    const isRowOld = sql`${clientRows.staleOn} <= ${sql.placeholder('today')}::date`;
    return sql`${clientRows.figures} = 'read' and (${isRowOld}) ${sql.raw(figures === 'stale' ? 'is true' : 'is not true')}`;
  }
  const isOld = sql`tax_positions.stale_on <= ${sql.placeholder('today')}::date`;
  switch (figures) {
    case 'unread':
    case 'incomplete':
      return sql`tax_positions.as_of is null`;
    case 'partial':
      return sql`false`;
    case 'stale':
      return sql`tax_positions.as_of is not null and ${isOld}`;
    case 'current':
      return sql`tax_positions.as_of is not null and (${isOld}) is not true`;
  }
}
