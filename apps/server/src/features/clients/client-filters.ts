/** Filters of the client list as SQL conditions with placeholders, shared by the list, the count and the export. */
import type { ClientFilters } from '@portal/contract/clients.ts';
import { clientRows } from '@portal/db/schema/schema.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import type { AuthorisationFilter } from '@portal/domain/authorisations/describe-authorisation.ts';
import { AGENT_TAXES, type Tax } from '@portal/domain/uk-tax/tax.ts';
import { authorisationStatusSql, toFilteredStatuses } from '../authorisations/authorisation-status-sql.ts';
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
  const { q, status, tax, attention, member, kind, due_before: dueBefore, has, authorisation } = filters;
  if (assignedTo !== undefined) add('assignedTo', assignedTo, () => isAssignedTo('assignedTo'));
  if (member !== undefined && member !== assignedTo) add('member', member, () => isAssignedTo('member'));
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
  if (authorisation !== undefined) {
    shape.push(`auth_${authorisation}`);
    values['authorisationToday'] = today;
    conditions.push(() => hasAuthorisation(authorisation, tax));
  }
  const hasSearch = q !== undefined && q !== '';
  if (hasSearch) {
    const alternatives = parseSearch(q);
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

function matchesSearch(alternatives: readonly (readonly string[])[]): SQL | undefined {
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

/** PAYE and corporation tax have no authorisation that software could ask for, so a filter on them finds nothing. */
function hasAuthorisation(filter: AuthorisationFilter, tax: Tax | undefined): SQL | undefined {
  const statuses = sql.join(
    toFilteredStatuses(filter).map((status) => sql`${status}`),
    sql`, `,
  );
  const today = sql`${sql.placeholder('authorisationToday')}::date`;
  const taxes = AGENT_TAXES.filter((covered) => tax === undefined || tax === covered);
  if (taxes.length === 0) return sql`false`;
  return or(
    ...taxes.map(
      (covered) =>
        sql`(${HAS_TAX[covered]} and ${authorisationStatusSql(sql`${clientRows.companyId}`, sql`${clientRows.clientId}`, covered, today)} in (${statuses}))`,
    ),
  );
}

const AMOUNT_CONDITIONS: Readonly<Record<NonNullable<ClientFilters['has']>, SQL>> = {
  owed: sql`p.owed_pence > 0`,
  overdue: sql`p.overdue_pence > 0`,
  overdue_return: sql`p.overdue_returns > 0`,
  refund: sql`p.refund_pence > 0`,
  at_risk: sql`p.penalty_pence + p.interest_pence > 0`,
};

/**
 * The alternatives of a search: every word of at least one must match. A number written in groups ("GB 123 4567 89") adds an alternative
 * with its digits joined.
 */
export function parseSearch(q: string | undefined): string[][] {
  const asTyped = (q ?? '').toLowerCase().trim();
  const withJoinedDigits = asTyped.replaceAll(/(?<=\d)[\s.-]+(?=\d)/g, '').replace(/\bgb\s*(?=\d{9}\b)/, '');
  const alternatives = withJoinedDigits === asTyped ? [asTyped] : [asTyped, withJoinedDigits];
  return alternatives.map(splitWords).filter((words) => words.length > 0);
}

const MAX_WORDS = 8;

function splitWords(text: string): string[] {
  return text
    .split(/\s+/)
    .filter((word) => word !== '')
    .slice(0, MAX_WORDS)
    .map((word) => word.replaceAll(/[\\%_]/g, (mark) => `\\${mark}`));
}
