import type { engagementApi } from '@portal/contract/engagement.ts';
import { FILE_ENDPOINTS } from '@portal/contract/file-endpoints.ts';
import { clients, companies, engagementLetters } from '@portal/db/schema/schema.ts';
import { and, eq } from '@portal/db/sql.ts';
import { formatInstant } from '@portal/domain/clock.ts';
import { SIGNING_STATEMENT } from '@portal/domain/engagement/engagement-letter.ts';
import type { FastifyInstance } from 'fastify';
import type { AppDeps } from '../../app-deps.ts';
import { authorise } from '../../http/authorise.ts';
import { createNotFoundError } from '../../http/policies.ts';
import type { Handlers, ServeSettings } from '../../http/serve-contract.ts';
import { replyWithFile } from '../client-files/client-files-routes.ts';
import { createFacts, createHeading, createMutedParagraph, createParagraph, type PrintedDocument } from '../documents/printed-document.ts';
import { writePdf } from '../documents/write-pdf.ts';
import { listLetters, sendLetter, signLetter } from './engagement-letters.ts';
import { getTemplate, saveTemplate } from './engagement-template.ts';

export function engagementHandlers(deps: AppDeps): Handlers<typeof engagementApi> {
  return {
    template: ({ tenant }) => getTemplate(deps, tenant.practiceId),
    saveTemplate: (call) => saveTemplate(deps, call),
    list: ({ tenant, actor }) => listLetters(deps, tenant, actor),
    send: (call) => sendLetter(deps, call),
    sign: (call) => signLetter(deps, call),
  };
}

const { letter: endpoint } = FILE_ENDPOINTS.engagement;

/** Serves the letter as a tagged PDF with its signature. Generated on request from the stored facts, so it is always the same. */
export function serveLetterFiles(app: FastifyInstance, deps: AppDeps, settings: ServeSettings): void {
  app.get(`/portal${endpoint.path}`, async (request, reply) => {
    const { tenant, raw } = await authorise(settings, { access: endpoint.access }, request, request.query);
    const { letter_id: letterId } = endpoint.query.parse(raw);
    const [foundLetter] = await deps.database.db
      .select({ letter: engagementLetters, client: clients.name, practice: companies.name })
      .from(engagementLetters)
      .innerJoin(clients, and(eq(clients.companyId, engagementLetters.companyId), eq(clients.id, engagementLetters.clientId)))
      .innerJoin(companies, eq(companies.id, engagementLetters.companyId))
      .where(
        and(
          eq(engagementLetters.companyId, tenant.practiceId),
          eq(engagementLetters.clientId, tenant.clientId),
          eq(engagementLetters.id, letterId),
        ),
      );
    if (!foundLetter) throw createNotFoundError();
    const bytes = await writePdf(createLetterDocument(deps.site.brand, foundLetter));
    const state = foundLetter.letter.signedAt === null ? ' not signed' : '';
    return replyWithFile(reply, { name: `Letter of engagement ${foundLetter.client}${state}.pdf`, type: 'pdf', bytes });
  });
}

type Letter = { readonly letter: typeof engagementLetters.$inferSelect; readonly client: string; readonly practice: string };

function createLetterDocument(brand: string, { letter, client, practice }: Letter): PrintedDocument {
  const { text, digest, sentAt, signedAt, signedName, signedIp } = letter;
  return {
    brand: practice,
    title: 'Letter of engagement',
    lead: `${practice} and ${client}`,
    subject: `Letter of engagement between ${practice} and ${client}`,
    createdAt: signedAt ?? sentAt,
    blocks: [
      ...text.split(/\n\s*\n/).map((part) => createParagraph(part.trim())),
      createHeading('Signature'),
      createParagraph(signedAt === null ? 'Not signed.' : SIGNING_STATEMENT),
      createFacts([
        ['Sent', formatInstant(sentAt)],
        ['Signed by', signedName ?? 'Not signed'],
        ['Signed on', signedAt === null ? 'Not signed' : formatInstant(signedAt)],
        ['From IP address', signedIp ?? 'Not signed'],
        ['SHA-256 of text and statement', digest],
      ]),
      createMutedParagraph(`Signed and kept electronically on ${brand}.`),
    ],
    footer: `${practice} · via ${brand}`,
  };
}
