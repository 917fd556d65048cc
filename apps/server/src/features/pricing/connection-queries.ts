/** Lists the connections that a practice can select: every client and tax that is linked, plus those it selected earlier (decision 55). */
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import type { pricingApi } from '@portal/contract/pricing.ts';
import type { Db } from '@portal/db/database.ts';
import { selectedConnections } from '@portal/db/schema/schema.ts';
import { sql, type SQL } from '@portal/db/sql.ts';
import { TAXES, type Tax } from '@portal/domain/uk-tax/tax.ts';
import { z } from 'zod';
import type { AppDeps } from '../../app-deps.ts';
import { formatCursor, parseCursor, storableTextSchema } from '../../http/page-cursor.ts';
import type { Call } from '../../http/serve-contract.ts';
import { getConnectionsSql } from './connections-sql.ts';
import { countSelectedConnections } from './practice-prices.ts';

const cursorSchema = z.object({ name: storableTextSchema.max(200), client_id: z.uuid(), tax: z.enum(TAXES) });
type ConnectionRow = { client_id: string; name: string; sort_name: string; tax: Tax; linked: boolean; selected: boolean };

export type ConnectionFilter = { readonly q?: string | undefined; readonly tax?: Tax | undefined };

/** Returns a condition on the rows of `getConnectionsSql`, named `c`. */
export function getFilterCondition({ q, tax }: ConnectionFilter): SQL {
  const name = q === undefined || q === '' ? sql`true` : sql`strpos(lower(c.name), ${q.toLowerCase()}) > 0`;
  return tax === undefined ? name : sql`${name} and c.tax = ${tax}`;
}

export async function listConnections(
  { database: { db } }: AppDeps,
  { tenant, input }: Call<typeof pricingApi.connections>,
): Promise<EndpointOutput<typeof pricingApi.connections>> {
  const { practiceId: companyId } = tenant;
  const cursorPosition = input.cursor === undefined ? undefined : parseCursor(input.cursor, cursorSchema);
  const allConnections = sql`select c.*, s.client_id is not null as selected from (${getConnectionsSql(companyId)}) c
    left join ${selectedConnections} s on s.company_id = c.company_id and s.client_id = c.client_id and s.tax = c.tax
    where c.linked or s.client_id is not null`;
  const matchingConnections = sql`select c.* from (${allConnections}) c where ${getFilterCondition(input)}`;
  const isAfter = cursorPosition
    ? sql`where (sort_name, client_id, tax) > (${cursorPosition.name}, ${cursorPosition.client_id}::uuid, ${cursorPosition.tax})`
    : sql``;
  const { rows } = (await db.execute(
    sql`select client_id, name, sort_name, tax, linked, selected from (${matchingConnections}) a ${isAfter} order by sort_name, client_id, tax limit ${input.limit + 1}`,
  )) as unknown as { rows: ConnectionRow[] };
  const page = rows.slice(0, input.limit);
  const last = page.at(-1);
  return {
    connections: page.map(({ client_id, name, tax, linked, selected }) => ({ client_id, name, tax, linked, selected })),
    taxes: await countByTax(db, allConnections),
    count: await countAll(db, matchingConnections),
    no_selected_connections: await countSelectedConnections(db, companyId),
    next_cursor:
      last && rows.length > page.length ? formatCursor({ name: last.sort_name, client_id: last.client_id, tax: last.tax }) : null,
  };
}

async function countByTax(db: Db, all: SQL): Promise<{ tax: Tax; linked: number; selected: number }[]> {
  const { rows } = (await db.execute(
    sql`select tax, count(*) filter (where linked)::int as linked, count(*) filter (where linked and selected)::int as selected from (${all}) a group by tax`,
  )) as unknown as { rows: { tax: Tax; linked: number; selected: number }[] };
  return TAXES.map((tax) => rows.find((row) => row.tax === tax) ?? { tax, linked: 0, selected: 0 });
}

async function countAll(db: Db, matchingSql: SQL): Promise<number> {
  const { rows } = (await db.execute(sql`select count(*)::int as count from (${matchingSql}) a`)) as unknown as {
    rows: { count: number }[];
  };
  return rows[0]?.count ?? 0;
}
