import type { FileEndpoint } from '@portal/contract/file-endpoint.ts';
import type { Db } from '@portal/db/database.ts';
import type { FastifyInstance } from 'fastify';
import type { z } from 'zod/mini';
import type { AppDeps } from '../../app-deps.ts';
import { authorise } from '../../http/authorise.ts';
import { sendStream, STREAM_ROUTE } from '../../http/send-stream.ts';
import type { ServeSettings } from '../../http/serve-contract.ts';
import { NO_COMPANY, recordAudit } from '../audit/record-audit.ts';
import type { Cell } from './export-columns.ts';
import { writeCsv } from './write-csv.ts';

type FiltersSchema = z.ZodMiniObject<{ company_id: z.ZodMiniType<string | undefined> }>;

type CsvExport<Schema extends FiltersSchema> = {
  readonly endpoint: FileEndpoint & { readonly access: 'operator'; readonly query: Schema };
  /** The exported subject, used in the audit entry and the file's name. */
  readonly subject: 'audit' | 'ledger';
  readonly titles: readonly string[];
  readonly readRows: (db: Db, filters: z.output<Schema>) => AsyncGenerator<readonly Cell[]>;
};

/** Serves a list for operators as a CSV file, row by row as it is read. The export itself is recorded. */
export function serveCsvExport<Schema extends FiltersSchema>(
  app: FastifyInstance,
  deps: AppDeps,
  settings: ServeSettings,
  { endpoint, subject, titles, readRows }: CsvExport<Schema>,
): void {
  app.get(`/portal${endpoint.path}`, STREAM_ROUTE, async (request, reply) => {
    const { actor, raw } = await authorise(settings, { access: endpoint.access, mayOmitTenant: true }, request, request.query);
    const filters = endpoint.query.parse(raw);
    const { db } = deps.database;
    return sendStream(settings, reply, { ...endpoint, actor, tenant: undefined }, async () => {
      await db.transaction((tx) =>
        recordAudit(tx, {
          companyId: filters.company_id ?? NO_COMPANY,
          at: deps.clock.now(),
          actor: actor.userId,
          action: `${subject}.exported`,
          subject,
          after: filters,
          ip: request.ip,
        }),
      );
      reply.type('text/csv; charset=utf-8').header('content-disposition', `attachment; filename="${subject}-${deps.clock.today()}.csv"`);
      return writeCsv(titles, readRows(db, filters));
    });
  });
}
