/**
 * /portal/open-tax/export-table: streams the whole client list (GET) or the selected clients (POST) as a file. The audit entry is written
 * before the first byte.
 */
import { exportSelectedInput } from '@portal/contract/clients.ts';
import { FILE_ENDPOINTS } from '@portal/contract/file-endpoints.ts';
import type { Db } from '@portal/db/database.ts';
import { clientRows, clients } from '@portal/db/schema/schema.ts';
import { MAX_AGE_DAYS } from '@portal/domain/agent/known-returns.ts';
import type { ImportedTurnover } from '@portal/domain/client-imports/imported-client.ts';
import type { Pence } from '@portal/domain/money.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import type { AgentTax } from '@portal/domain/uk-tax/tax.ts';
import { and, eq, inArray, sql } from '@portal/db/sql.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AppDeps } from '../../app-deps.ts';
import { getActingUserId } from '../../http/session.ts';
import { assertSameOrigin } from '../../http/same-origin.ts';
import { authorise } from '../../http/authorise.ts';
import { sendStream, STREAM_ROUTE } from '../../http/send-stream.ts';
import { type ServeSettings } from '../../http/serve-contract.ts';
import { getAuthorisationStatusSql } from '../authorisations/authorisation-status-sql.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { buildClientFilter, type ClientFilterSql } from '../clients/client-filters.ts';
import { listClientIds, selectRows, toClientOrder } from '../clients/list-clients.ts';
import { getAssigneeLimit } from '../positions/visible-clients.ts';
import { VAT_GROUP_ROLE } from '../vat-groups/find-vat-group.ts';
import { listExportColumns, type Cell, type ExportColumn, type MatchedItem } from './export-columns.ts';
import { writeCsv } from './write-csv.ts';
import { writeXlsx } from './write-xlsx.ts';

const ENDPOINT = FILE_ENDPOINTS.clients.exportTable;
const CONTENT_TYPES = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const;

export function serveExports(app: FastifyInstance, deps: AppDeps, settings: ServeSettings): void {
  const { db } = deps.database;
  const handleExport = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    if (request.method !== 'GET') assertSameOrigin(request);
    const { actor, tenant, raw } = await authorise(settings, { access: ENDPOINT.access, mayOmitTenant: true }, request, request.query);
    const { company_id: _, format, sort, direction, ...filters } = ENDPOINT.query.parse(raw);
    const { client_ids: requestedIds } = exportSelectedInput.parse(request.body ?? {});
    return sendStream(settings, reply, { ...ENDPOINT, actor, tenant }, async () => {
      const companyId = tenant.practiceId;
      const today = deps.clock.today();
      const order = toClientOrder({ sort, direction });
      const chosenIds = requestedIds && new Set(requestedIds);
      const filter = buildClientFilter(companyId, filters, { assignedTo: getAssigneeLimit(actor), today });
      const foundIds = await listClientIds(db, filter, order);
      const ids = chosenIds ? foundIds.filter((id) => chosenIds.has(id)) : foundIds;
      await db.transaction((tx) =>
        recordAudit(tx, {
          companyId,
          at: deps.clock.now(),
          actor: getActingUserId(actor),
          action: 'clients.exported',
          subject: `${ids.length} clients`,
          after: { format, ...order, filters, clients: ids.length, ...(chosenIds ? { client_ids: ids } : {}) },
          ip: request.ip,
        }),
      );
      const columns = listExportColumns(filters, today);
      const rows = readCells(db, { companyId, filter, columns, today }, ids);
      const titles = columns.map(({ title }) => title);
      const bytes = format === 'csv' ? writeCsv(titles, rows) : writeXlsx({ name: 'Clients', columns }, rows);
      reply.type(CONTENT_TYPES[format]).header('content-disposition', `attachment; filename="clients-${today}.${format}"`);
      return bytes;
    });
  };
  app.get(`/portal${ENDPOINT.path}`, STREAM_ROUTE, handleExport);
  app.post(`/portal${ENDPOINT.path}`, handleExport);
}

const BATCH_SIZE = 500;

type ExportScope = {
  readonly companyId: string;
  readonly filter: ClientFilterSql;
  readonly columns: readonly ExportColumn[];
  readonly today: PlainDate;
};

/** Fix the IDs before reading the first row, so that concurrent changes neither omit nor repeat a client. */
async function* readCells(
  db: Db,
  { companyId, filter, columns, today }: ExportScope,
  ids: readonly string[],
): AsyncGenerator<readonly Cell[]> {
  for (let from = 0; from < ids.length; from += BATCH_SIZE) {
    const batchIds = ids.slice(from, from + BATCH_SIZE);
    const rows = await selectRows(db, filter.tax).where(and(eq(clientRows.companyId, companyId), inArray(clientRows.clientId, batchIds)));
    const details = await db
      .select({
        client: clients,
        vatGroupRole: VAT_GROUP_ROLE,
        turnover: selectTurnover(today),
        vatStatus: selectStatus('vat', today),
        saStatus: selectStatus('sa', today),
      })
      .from(clients)
      .where(and(eq(clients.companyId, companyId), inArray(clients.id, batchIds)));
    const matchedById = await loadMatchedItems(db, filter, batchIds);
    const [rowById, detailById] = [
      new Map(rows.map((row) => [row.clientId, row])),
      new Map(details.map((detail) => [detail.client.id, detail])),
    ];
    for (const id of batchIds) {
      const [row, detail] = [rowById.get(id), detailById.get(id)];
      // A client may have been deleted since the export began.
      if (!row || !detail) continue;
      const { client, vatGroupRole, vatStatus, saStatus } = detail;
      const turnover = detail.turnover ?? undefined;
      const authorisations = { vat: row.hasVat ? vatStatus : null, sa: row.hasSa ? saStatus : null };
      yield columns.map(({ getCell }) =>
        getCell({ row, client, vatGroupRole, turnover, authorisations, matched: matchedById.get(id) ?? [] }),
      );
    }
  }
}

/** Names the table itself, as VAT_GROUP_ROLE does. */
const selectTurnover = (today: PlainDate) =>
  sql<ImportedTurnover | null>`(select json_build_object('turnover_pence', t.turnover_pence, 'end_on', t.end_on) from client_turnovers t
    where t.company_id = clients.company_id and t.client_id = clients.id and t.source = 'practice'
      and t.end_on between ${today}::date - ${MAX_AGE_DAYS}::int and ${today}::date order by t.end_on desc, t.known_at desc, t.id limit 1)`;

/** Loads what each filter counted of each client. */
async function loadMatchedItems(
  db: Db,
  { listMatched, values }: ClientFilterSql,
  clientIds: readonly string[],
): Promise<ReadonlyMap<string, readonly MatchedItem[]>> {
  const list = sql.join(
    clientIds.map((id) => sql`${id}::uuid`),
    sql`, `,
  );
  const byClient = new Map<string, MatchedItem[]>();
  for (const { filter, found } of listMatched(sql`and client_id in (${list})`)) {
    const rows = await db
      .select({
        id: sql<string>`m.client_id`,
        items: sql<number | null>`m.items`,
        amount_pence: sql<Pence | null>`m.amount_pence`,
        due: sql<MatchedItem['due']>`m.due`,
      })
      .from(sql`(${found}) m`)
      .prepare('')
      .execute(values);
    for (const { id, ...counted } of rows) byClient.set(id, [...(byClient.get(id) ?? []), { filter, ...counted }]);
  }
  return byClient;
}

const selectStatus = (tax: AgentTax, today: PlainDate) =>
  getAuthorisationStatusSql(sql`${clients.companyId}`, sql`${clients.id}`, tax, sql`${today}::date`);
