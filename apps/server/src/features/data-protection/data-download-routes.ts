/** /portal/v2/data/…: serves a user's, a company's or a practice's data as a ZIP file. The audit entry is written before the first byte. */
import { MAX_DATA_DOWNLOADS } from '@portal/contract/data-protection.ts';
import type { FileEndpoint } from '@portal/contract/file-endpoint.ts';
import { FILE_ENDPOINTS } from '@portal/contract/file-endpoints.ts';
import { companies } from '@portal/db/schema/schema.ts';
import { formatInstant } from '@portal/domain/clock.ts';
import { eq } from '@portal/db/sql.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AppDeps } from '../../app-deps.ts';
import { authorise } from '../../http/authorise.ts';
import { assertSameOrigin } from '../../http/same-origin.ts';
import { sendStream, STREAM_ROUTE } from '../../http/send-stream.ts';
import type { ServeSettings } from '../../http/serve-contract.ts';
import type { Actor } from '../../http/session.ts';
import { NO_COMPANY, recordAudit } from '../audit/record-audit.ts';
import { assertConfirmed } from '../security/confirm-person.ts';
import { NOT_IN_COMPANY_DATA } from './company-data.ts';
import { listCompanySets, listPersonSets } from './data-sets.ts';
import { toHeading } from './index-page.ts';
import { streamStoredFiles } from './stream-stored-files.ts';
import { writeDataZip, type DataZip } from './write-data-zip.ts';

const { person, company, practice } = FILE_ENDPOINTS.dataProtection;

export function serveDataDownloads(app: FastifyInstance, deps: AppDeps, settings: ServeSettings): void {
  const { db } = deps.database;
  app.get(`/portal${person.path}`, STREAM_ROUTE, async (request, reply) => {
    const { actor } = await authorise(settings, { access: person.access, hasEffect: true }, request, request.query);
    await authoriseDownload(deps, settings, { actor, endpoint: person, companyId: NO_COMPANY, subject: actor.userId, request });
    const zip: DataZip = {
      title: `Your data on ${deps.site.brand}`,
      lead: [`Downloaded by ${actor.fullName} (${actor.email}) on ${formatInstant(deps.clock.now())}.`, READING_NOTE],
      sets: listPersonSets(db, actor.userId),
      missing: OMITTED_FROM_PERSON_DATA,
    };
    return sendZip(
      { settings, reply, authorised: { ...person, actor, tenant: undefined } },
      `${deps.site.brand} my data ${deps.clock.today()}`,
      zip,
    );
  });
  for (const endpoint of [company, practice]) {
    app.get(`/portal${endpoint.path}`, STREAM_ROUTE, async (request, reply) => {
      const { actor, tenant } = await authorise(settings, { access: endpoint.access, hasEffect: true }, request, request.query);
      const companyId = tenant.kind === 'trader' ? tenant.companyId : tenant.practiceId;
      await authoriseDownload(deps, settings, { actor, endpoint, companyId, subject: companyId, request });
      const [foundCompany] = await db.select({ name: companies.name }).from(companies).where(eq(companies.id, companyId));
      const name = foundCompany?.name ?? '';
      const zip: DataZip = {
        title: `${name} on ${deps.site.brand}`,
        lead: [`Downloaded by ${actor.fullName} (${actor.email}) on ${formatInstant(deps.clock.now())}.`, READING_NOTE],
        sets: listCompanySets(db, companyId),
        attachments: streamStoredFiles(db, companyId),
        missing: Object.entries(NOT_IN_COMPANY_DATA).map(([table, reason]) => ({ what: toHeading(table), why: reason })),
      };
      return sendZip({ settings, reply, authorised: { ...endpoint, actor, tenant } }, `${name} data ${deps.clock.today()}`, zip);
    });
  }
}

const READING_NOTE =
  'Each part below is a file in the “data” folder, in JSON format, which other software can read. Amounts are in pence, and times are in UTC.';

const OMITTED_FROM_PERSON_DATA: DataZip['missing'] = [
  {
    what: 'Secrets',
    why: 'Passwords, keys and codes are stored in a form that can’t be read, or would let anyone with this file log in as you.',
  },
  {
    what: 'Records of companies and practices',
    why: 'They belong to the company or practice. Its owner or an admin can download them.',
  },
  { what: 'Checks that the law doesn’t allow us to disclose', why: 'Proceeds of Crime Act 2002, sections 21A and 333A.' },
];

type DownloadRequest = {
  readonly actor: Actor;
  readonly endpoint: FileEndpoint;
  readonly companyId: string;
  readonly subject: string;
  readonly request: FastifyRequest;
};

async function authoriseDownload(
  deps: AppDeps,
  settings: ServeSettings,
  { actor, endpoint, companyId, subject, request }: DownloadRequest,
): Promise<void> {
  assertSameOrigin(request);
  assertConfirmed(deps, actor);
  await settings.limitPerPerson(actor.userId, endpoint.path, MAX_DATA_DOWNLOADS);
  await deps.database.db.transaction((tx) =>
    recordAudit(tx, { companyId, at: deps.clock.now(), actor: actor.userId, action: 'data.downloaded', subject, ip: request.ip }),
  );
}

type Download = {
  readonly settings: ServeSettings;
  readonly reply: FastifyReply;
  readonly authorised: Parameters<typeof sendStream>[2];
};

function sendZip({ settings, reply, authorised }: Download, fileName: string, zip: DataZip): Promise<FastifyReply> {
  const ascii = fileName.replaceAll(/[^\w .-]+/g, '_');
  return sendStream(settings, reply, authorised, async () => {
    const disposition = `attachment; filename="${ascii}.zip"; filename*=UTF-8''${encodeURIComponent(fileName)}.zip`;
    reply.type('application/zip').header('content-disposition', disposition);
    return writeDataZip(zip);
  });
}
