/** /portal/operator/audit/export: the audit search as a CSV file. The export is itself recorded. */
import { Readable } from 'node:stream';
import { FILE_ENDPOINTS } from '@portal/contract/file-endpoints.ts';
import { formatInstant } from '@portal/domain/clock.ts';
import type { Db } from '@portal/db/database.ts';
import type { FastifyInstance } from 'fastify';
import type { AppDeps } from '../../app-deps.ts';
import { authorise } from '../../http/authorise.ts';
import type { ServeSettings } from '../../http/serve-contract.ts';
import { NO_COMPANY, recordAudit } from '../audit/record-audit.ts';
import type { Cell } from '../exports/export-columns.ts';
import { writeCsv } from '../exports/write-csv.ts';
import { searchAudit, type AuditFilters } from './search-audit.ts';

const ENDPOINT = FILE_ENDPOINTS.operations.auditExport;
const TITLES = ['Time', 'Time (UTC)', 'Company', 'Company id', 'Sequence', 'Person', 'Action', 'Subject', 'Before', 'After', 'Address'];
const BATCH_SIZE = 1_000;

export function serveAuditExport(app: FastifyInstance, deps: AppDeps, settings: ServeSettings): void {
  app.get(`/portal${ENDPOINT.path}`, async (request, reply) => {
    const { actor, raw } = await authorise(settings, { access: ENDPOINT.access, mayOmitTenant: true }, request, request.query);
    const filters = ENDPOINT.query.parse(raw);
    const { db } = deps.database;
    await db.transaction((tx) =>
      recordAudit(tx, {
        companyId: NO_COMPANY,
        at: deps.clock.now(),
        actor: actor.userId,
        action: 'audit.exported',
        subject: 'audit',
        after: filters,
        ip: request.ip,
      }),
    );
    return reply
      .type('text/csv; charset=utf-8')
      .header('cache-control', 'no-store')
      .header('content-disposition', `attachment; filename="audit-${deps.clock.today()}.csv"`)
      .send(Readable.from(writeCsv(TITLES, readRows(db, filters)), { objectMode: false }));
  });
}

async function* readRows(db: Db, filters: AuditFilters): AsyncGenerator<readonly Cell[]> {
  let cursor: string | undefined;
  do {
    const page = await searchAudit(db, filters, cursor, BATCH_SIZE);
    for (const entry of page.entries) {
      const texts = [
        formatInstant(entry.at),
        entry.at,
        entry.company_name ?? '',
        entry.company_id ?? '',
        String(entry.sequence),
        entry.actor,
        entry.action,
        entry.subject,
        entry.before ?? '',
        entry.after ?? '',
        entry.ip,
      ];
      yield texts.map((text) => ({ kind: 'text' as const, text }));
    }
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
}
