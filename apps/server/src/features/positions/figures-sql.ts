/** What is known of a client's figures, in SQL: the same as domain/positions/figures-state.ts, for statements over many clients. */
import { TAXES, type Tax } from '@portal/domain/uk-tax/tax.ts';
import { sql, type SQL } from 'drizzle-orm';

const HAS_TAX = { vat: 'has_vat', paye: 'has_paye', ct: 'has_ct', sa: 'has_sa' } as const;

/** The client's taxes in the usual order, for a row named `row`. */
export const taxesSql = (row: string): SQL => listSql(TAXES, (tax) => `${row}.${HAS_TAX[tax]}`);

/** The taxes (or the one that the list is narrowed to) that were never read. */
export const unreadTaxesSql = (row: string, tax: Tax | undefined): SQL =>
  listSql(tax === undefined ? TAXES : [tax], (one) => `${row}.${HAS_TAX[one]} and '${one}' <> all(${row}.read_taxes)`);

function listSql(taxes: readonly Tax[], getCondition: (tax: Tax) => string): SQL {
  return sql.raw(`array_remove(array[${taxes.map((tax) => `case when ${getCondition(tax)} then '${tax}' end`).join(', ')}], null)`);
}

/** `getFiguresState` of the domain for a row with `read_taxes` and `stale_on`. A test compares both. */
export function figuresStateSql(row: string, tax: Tax | undefined, today: SQL): SQL {
  const unread = unreadTaxesSql(row, tax);
  const taxes = tax === undefined ? taxesSql(row) : sql.raw(`array['${tax}']`);
  return sql`case cardinality(${unread}) when 0 then case when cardinality(${taxes}) = 0 then 'no_taxes'
      when ${sql.raw(row)}.stale_on <= ${today}::date then 'stale' else 'current' end
    when cardinality(${taxes}) then 'unread' else 'partial' end`;
}
