/** /portal/operator/audit/export: the audit search as a CSV file. */
import { FILE_ENDPOINTS } from '@portal/contract/file-endpoints.ts';
import { formatInstant } from '@portal/domain/clock.ts';
import type { Db } from '@portal/db/database.ts';
import type { FastifyInstance } from 'fastify';
import type { AppDeps } from '../../app-deps.ts';
import type { ServeSettings } from '../../http/serve-contract.ts';
import type { Cell } from '../exports/export-columns.ts';
import { serveCsvExport } from '../exports/csv-export-routes.ts';
import { searchAudit, type AuditFilters } from './search-audit.ts';

const TITLES = ['Time', 'Time (UTC)', 'Company', 'Company ID', 'Sequence', 'Person', 'Action', 'Subject', 'Before', 'After', 'Address'];
const BATCH_SIZE = 1_000;

export function serveAuditExport(app: FastifyInstance, deps: AppDeps, settings: ServeSettings): void {
  const endpoint = FILE_ENDPOINTS.operations.auditExport;
  serveCsvExport(app, deps, settings, { endpoint, subject: 'audit', titles: TITLES, readRows });
}

async function* readRows(db: Db, filters: AuditFilters): AsyncGenerator<readonly Cell[]> {
  let cursor: string | undefined;
  do {
    const page = await searchAudit(db, filters, cursor, BATCH_SIZE);
    for (const entry of page.entries) {
      const headings = [
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
      yield headings.map((text) => ({ kind: 'text' as const, text }));
    }
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
}
