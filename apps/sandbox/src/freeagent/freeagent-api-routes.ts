/** Serves FreeAgent's API behind its sign-in (docs/reference/providers.md section 3). */
import type { FastifyInstance } from 'fastify';
import { serveDocumentPages } from '../books/document-pages.ts';
import { openSandboxBooks, type SimulatedOrganisation } from '../books/sandbox-books.ts';
import type { IdentityContext } from '../oidc/provider-profile.ts';
import type { FindRecordings, RecordedObject } from '../simulator/recordings.ts';
import { createFreeAgentBooksSimulator } from './freeagent-books-simulator.ts';

const PAGED_PATHS = ['/invoices/*', '/bills/*', '/credit_notes/*', '/expenses/*'];

export function serveFreeAgentApi(app: FastifyInstance, context: IdentityContext): void {
  const { books, listOwn } = openOwnBooks(context);
  const find: FindRecordings = (token) => {
    const ownOrganisations = listOwn(token);
    if (!ownOrganisations) return 'unknown_token';
    // A FreeAgent user has one company.
    const [company] = ownOrganisations;
    return company?.isReadable === true ? (books.read(company.id) ?? 'other_organisation') : 'other_organisation';
  };
  void app.register(createFreeAgentBooksSimulator({ find }), { prefix: '/v2' });
  serveDocumentPages(app, 'FreeAgent', PAGED_PATHS);
}

/** Serves the account manager's clients, and the company API for the client named by X-Subdomain. */
export function serveFreeAgentPracticeApi(app: FastifyInstance, context: IdentityContext): void {
  const { books, listOwn } = openOwnBooks(context);
  const readCompany = ({ id }: SimulatedOrganisation): RecordedObject => books.read(id)?.['company']?.[0] ?? {};
  const find: FindRecordings = (token, subdomain) => {
    const client = listOwn(token)?.find((item) => readCompany(item)['subdomain'] === subdomain);
    if (listOwn(token) === undefined) return 'unknown_token';
    return client?.isReadable === true ? (books.read(client.id) ?? 'other_organisation') : 'other_organisation';
  };
  // None of the simulated companies invited the practice itself, so other views are empty.
  const listClients = (token: string, view: string): RecordedObject[] =>
    (listOwn(token) ?? []).filter(({ isActive }) => view === 'all' || (view === 'active' && isActive !== false)).map(readCompany);
  void app.register(createFreeAgentBooksSimulator({ find, listClients }), { prefix: '/v2' });
  serveDocumentPages(app, 'FreeAgent', PAGED_PATHS);
}

/** `listOwnOrganisations` returns the organisations of the token's user, or undefined for an invalid token. */
function openOwnBooks({ store, clock, records }: IdentityContext) {
  const books = openSandboxBooks(store, clock, 'freeagent');
  const listOwnOrganisations = (token: string): SimulatedOrganisation[] | undefined => {
    const grant = records.accessTokens.get(token);
    if (!grant || grant.expiresAt <= clock.now()) return undefined;
    return books.listOrganisations(records.people.get(grant.subject)?.email ?? '');
  };
  return { books, listOwn: listOwnOrganisations };
}
