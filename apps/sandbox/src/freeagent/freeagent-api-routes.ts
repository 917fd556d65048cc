/** FreeAgent's API behind its sign-in (docs/reference/providers.md section 3). */
import type { FastifyInstance } from 'fastify';
import { serveDocumentPages } from '../books/document-pages.ts';
import { openSandboxBooks } from '../books/sandbox-books.ts';
import type { IdentityContext } from '../oidc/provider-profile.ts';
import type { FindRecordings } from '../simulator/recordings.ts';
import { createFreeAgentBooksSimulator } from './freeagent-books-simulator.ts';

export function serveFreeAgentApi(app: FastifyInstance, { store, clock, records }: IdentityContext): void {
  const books = openSandboxBooks(store, clock, 'freeagent');
  const find: FindRecordings = (token) => {
    const grant = records.accessTokens.get(token);
    if (!grant || grant.expiresAt <= clock.now()) return 'unknown_token';
    // A person has one company at FreeAgent.
    const [company] = books.listOrganisations(records.people.get(grant.subject)?.email ?? '');
    return company?.isReadable === true ? (books.read(company.id) ?? 'other_organisation') : 'other_organisation';
  };
  void app.register(createFreeAgentBooksSimulator({ find }), { prefix: '/v2' });
  serveDocumentPages(app, 'FreeAgent', ['/invoices/*', '/bills/*', '/credit_notes/*', '/expenses/*']);
}
