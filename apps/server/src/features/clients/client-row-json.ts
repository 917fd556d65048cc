/** The JSON text of one row of the client list, as written by PostgreSQL (decision 29). */
import type { ClientRow } from '@portal/contract/clients.ts';
import { NEVER_DUE } from '@portal/domain/positions/summarise-client.ts';
import { TAXES } from '@portal/domain/uk-tax/tax.ts';
import { sql, type SQL } from '@portal/db/sql.ts';
import { getFiguresStateSql, HAS_TAX } from '../positions/figures-sql.ts';
import type { MatchedSql } from './client-figures.ts';
import type { ClientFilterSql } from './client-filters.ts';

/**
 * Returns the SQL text of a row named `page`. Joining text is faster than `json_agg` over a row, which looks up the type of every field of
 * every row. No part is null, because one null would make the whole row null.
 */
export function buildRowJson(filter: ClientFilterSql): SQL {
  const fields = Object.entries(getFields(filter)).map(([field, json], index) => {
    return sql`${sql.raw(`'${index === 0 ? '{' : ','}"${field}":'`)} || ${json}`;
  });
  return sql`${sql.join(fields, sql` || `)} || '}'`;
}

/** One JSON expression per field of `ClientRow`. A missing or extra field is a compile error. */
function getFields({ listMatched }: ClientFilterSql): Readonly<Record<keyof ClientRow, SQL>> {
  return {
    client_id: toTextJson(sql`page.client_id`),
    name: selectText(sql`page.name`),
    kind: toTextJson(sql`page.kind`),
    status: toTextJson(sql`page.status`),
    vrn: selectText(sql`page.vrn`),
    utr: selectText(sql`page.utr`),
    company_number: selectText(sql`page.company_number`),
    client_code: selectText(sql`page.client_code`),
    taxes: sql.raw(`'[' || concat_ws(',', ${TAXES.map((tax) => `case when page.${HAS_TAX[tax]} then '"${tax}"' end`).join(', ')}) || ']'`),
    next_due_on: toTextJson(sql`nullif(page.next_due_on, ${sql.raw(`'${NEVER_DUE}'`)})`),
    next_due_tax: toTextJson(sql`page.next_due_tax`),
    next_due_what: toTextJson(sql`page.next_due_what`),
    next_due_pence: selectNumber(sql`page.next_due_pence`),
    owed_pence: selectKnownAmount('owed_pence'),
    overdue_pence: selectKnownAmount('overdue_pence'),
    refund_pence: selectKnownAmount('refund_pence'),
    matched: buildMatchedJson(listMatched(sql`and client_id = page.client_id`)),
    attention: toTextJson(sql`page.attention`),
    // Only upsert-client-rows.ts writes this column, with exactly the contract's three fields.
    members: sql`page.members`,
    figures_state: toTextJson(getFiguresStateSql('page', sql`${sql.placeholder('today')}`)),
    unread_taxes: sql`case when page.unread_taxes = '{}' then '[]' else to_json(page.unread_taxes)::text end`,
    refresh_failed: sql`case when page.refresh_failed then 'true' else 'false' end`,
    as_of: toTextJson(sql`to_char(page.as_of at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`),
  };
}

function buildMatchedJson([first, ...furtherMatches]: readonly MatchedSql[]): SQL {
  if (first === undefined) return sql`'null'`;
  const select = ({ filter, found }: MatchedSql, moreSql = sql``): SQL =>
    sql`(select json_build_object('filter', ${sql.raw(`'${filter}'`)}, 'items', m.items, 'amount_pence', m.amount_pence, 'due', coalesce(m.due, '[]') ${moreSql})
      from (select) row left join (${found}) m on true)`;
  const otherMatches = sql.join(
    furtherMatches.map((furtherMatch) => select(furtherMatch)),
    sql`, `,
  );
  return sql`(${select(first, sql`, 'further', json_build_array(${otherMatches})`)}::text)`;
}

const coalesceNull = (json: SQL): SQL => sql`coalesce(${json}, 'null')`;
/** Encodes text that users enter. */
const selectText = (value: SQL): SQL => coalesceNull(sql`to_json(${value})::text`);
/** Encodes values without characters that JSON escapes: IDs, dates and our own keywords. */
const toTextJson = (value: SQL): SQL => coalesceNull(sql`'"' || ${value} || '"'`);
const selectNumber = (value: SQL): SQL => coalesceNull(sql`${value}::text`);
/** Unknown amounts are null, never zero (domain/positions/figures-state.ts). */
const selectKnownAmount = (column: string): SQL =>
  selectNumber(sql.raw(`case when page.figures in ('partial', 'read') then page.${column} end`));
