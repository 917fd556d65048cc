/** The JSON text of one row of the client list, as written by PostgreSQL (decision 29). */
import type { ClientRow } from '@portal/contract/clients.ts';
import { NEVER_DUE } from '@portal/domain/positions/summarise-client.ts';
import { TAXES } from '@portal/domain/uk-tax/tax.ts';
import { sql, type SQL } from '@portal/db/sql.ts';
import { getFiguresStateSql, HAS_TAX } from '../positions/figures-sql.ts';
import type { MatchedSql } from './client-figures.ts';
import type { ClientFilterSql } from './client-filters.ts';

/** A string is literal JSON text. A statement is text that is never null, because one null would make the whole row null. */
type JsonPart = string | SQL;

/**
 * Returns the SQL text of a row named `page`. Joining text is faster than `json_agg` over a row, which looks up the type of every field of
 * every row.
 */
export function buildRowJson(filter: ClientFilterSql): SQL {
  const fields = Object.entries(getFields(filter));
  const parts = fields.flatMap(([field, json], index): JsonPart[] => [`${index === 0 ? '{' : ','}"${field}":`, ...json]);
  return joinParts([...parts, '}'].reduce(addPart, []));
}

/** Adds a part; neighbouring literals become one. */
function addPart(parts: readonly JsonPart[], part: JsonPart): readonly JsonPart[] {
  const last = parts.at(-1);
  return typeof part === 'string' && typeof last === 'string' ? [...parts.slice(0, -1), last + part] : [...parts, part];
}

/** Joins by halves. From left to right, each part would copy all the text before it. */
function joinParts(parts: readonly JsonPart[]): SQL {
  const [first = ''] = parts;
  if (parts.length > 1) {
    const middle = parts.length >> 1;
    return sql`(${joinParts(parts.slice(0, middle))} || ${joinParts(parts.slice(middle))})`;
  }
  return typeof first === 'string' ? sql.raw(`'${first}'`) : first;
}

/** The JSON of each field of `ClientRow`. A missing or extra field is a compile error. */
function getFields({ listMatched }: ClientFilterSql): Readonly<Record<keyof ClientRow, readonly JsonPart[]>> {
  return {
    client_id: quote(sql`page.client_id::text`),
    name: [encode(sql`page.name`)],
    kind: quote(sql`page.kind`),
    status: quote(sql`page.status`),
    vrn: [orNull(encode(sql`page.vrn`))],
    utr: [orNull(encode(sql`page.utr`))],
    company_number: [orNull(encode(sql`page.company_number`))],
    client_code: [orNull(encode(sql`page.client_code`))],
    taxes: ['[', sql.raw(`concat_ws(',', ${TAXES.map((tax) => `case when page.${HAS_TAX[tax]} then '"${tax}"' end`).join(', ')})`), ']'],
    next_due_on: quoteOrNull(sql`nullif(page.next_due_on, ${sql.raw(`'${NEVER_DUE}'`)})::text`),
    next_due_tax: quoteOrNull(sql`page.next_due_tax`),
    next_due_what: quoteOrNull(sql`page.next_due_what`),
    next_due_pence: [orNull(sql`page.next_due_pence::text`)],
    owed_pence: selectKnownAmount('owed_pence'),
    overdue_pence: selectKnownAmount('overdue_pence'),
    refund_pence: selectKnownAmount('refund_pence'),
    matched: [buildMatchedJson(listMatched(sql`and client_id = page.client_id`))],
    attention: quote(sql`page.attention`),
    // Only upsert-client-rows.ts writes this column, with exactly the contract's three fields.
    members: [sql`page.members::text`],
    figures_state: quote(getFiguresStateSql('page', sql`${sql.placeholder('today')}`)),
    unread_taxes: [sql`case when page.unread_taxes = '{}' then '[]' else to_json(page.unread_taxes)::text end`],
    refresh_failed: [sql`case when page.refresh_failed then 'true' else 'false' end`],
    as_of: quoteOrNull(sql`to_char(page.as_of at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`),
  };
}

function buildMatchedJson([first, ...furtherMatches]: readonly MatchedSql[]): JsonPart {
  if (first === undefined) return 'null';
  const select = ({ filter, found }: MatchedSql, moreSql = sql``): SQL =>
    sql`(select json_build_object('filter', ${sql.raw(`'${filter}'`)}, 'items', m.items, 'amount_pence', m.amount_pence, 'due', coalesce(m.due, '[]') ${moreSql})
      from (select) row left join (${found}) m on true)`;
  const otherMatches = sql.join(
    furtherMatches.map((furtherMatch) => select(furtherMatch)),
    sql`, `,
  );
  return sql`(${select(first, sql`, 'further', json_build_array(${otherMatches})`)}::text)`;
}

const orNull = (json: SQL): SQL => sql`coalesce(${json}, 'null')`;
/** Encodes text that users enter. */
const encode = (value: SQL): SQL => sql`to_json(${value})::text`;
/** Encodes text without characters that JSON escapes: IDs, dates and our own keywords. */
const quote = (text: SQL): readonly JsonPart[] => ['"', text, '"'];
const quoteOrNull = (text: SQL): readonly JsonPart[] => [orNull(sql`'"' || ${text} || '"'`)];
/** Unknown amounts are null, never zero (domain/positions/figures-state.ts). */
const selectKnownAmount = (column: string): readonly JsonPart[] => [
  orNull(sql.raw(`case when page.figures in ('partial', 'read') then page.${column}::text end`)),
];
