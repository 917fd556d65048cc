/** Exports the links of pending requests as a file, for a practice that sends them to its clients itself. */
import { FILE_ENDPOINTS } from '@portal/contract/file-endpoints.ts';
import { REQUEST_EMAIL_LABELS } from '@portal/domain/authorisations/request-email.ts';
import { toLondonDate } from '@portal/domain/clock.ts';
import { addDays } from '@portal/domain/plain-date.ts';
import type { FastifyInstance } from 'fastify';
import type { AppDeps } from '../../app-deps.ts';
import { authorise } from '../../http/authorise.ts';
import { sendStream, STREAM_ROUTE } from '../../http/send-stream.ts';
import type { ServeSettings } from '../../http/serve-contract.ts';
import { getActingUserId } from '../../http/session.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { Cell } from '../exports/export-columns.ts';
import { writeCsv } from '../exports/write-csv.ts';
import { listPendingLinks } from './authorisation-requests-queries.ts';

const ENDPOINT = FILE_ENDPOINTS.authorisationRequests.linksFile;
const TITLES = ['Client', 'Email', 'Tax', 'Link', 'Respond by', 'Emailed to', 'Emailed on', 'Email status'];

export function serveRequestLinks(app: FastifyInstance, deps: AppDeps, settings: ServeSettings): void {
  app.get(`/portal${ENDPOINT.path}`, STREAM_ROUTE, async (request, reply) => {
    const { actor, tenant, raw } = await authorise(settings, ENDPOINT, request, request.query);
    const { tax } = ENDPOINT.query.parse(raw);
    return sendStream(settings, reply, { ...ENDPOINT, actor, tenant }, async () => {
      const links = await listPendingLinks(deps, tenant.practiceId, tax, actor);
      await deps.database.db.transaction((tx) =>
        recordAudit(tx, {
          companyId: tenant.practiceId,
          at: deps.clock.now(),
          actor: getActingUserId(actor),
          action: 'authorisation_requests.links_exported',
          subject: `${links.length} links`,
          after: { tax, links: links.length },
          ip: request.ip,
        }),
      );
      const toTextCell = (value: string | null): Cell => (value === null ? undefined : { kind: 'text', text: value });
      const rows = links.map(({ name, email, url, expires_on: expiresOn, emailed }): readonly Cell[] => [
        toTextCell(name),
        toTextCell(email),
        toTextCell(tax === 'vat' ? 'VAT' : 'Self Assessment'),
        toTextCell(url),
        // On HMRC's expiry day the request has already expired, so the last valid day is the day before.
        expiresOn === null ? undefined : { kind: 'day', day: addDays(expiresOn, -1) },
        toTextCell(emailed?.to ?? null),
        emailed?.status === 'sent' ? { kind: 'day', day: toLondonDate(emailed.at) } : undefined,
        toTextCell(emailed === null ? 'Not emailed' : REQUEST_EMAIL_LABELS[emailed.status]),
      ]);
      const name = `authorisation-links-${tax}-${deps.clock.today()}.csv`;
      reply.type('text/csv; charset=utf-8').header('content-disposition', `attachment; filename="${name}"`);
      return writeCsv(TITLES, toAsync(rows));
    });
  });
}

async function* toAsync(rows: readonly (readonly Cell[])[]): AsyncGenerator<readonly Cell[]> {
  yield* rows;
}
