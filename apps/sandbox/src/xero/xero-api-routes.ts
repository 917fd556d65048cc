/** Serves Xero's connections and accounting API behind its sign-in (docs/reference/providers.md section 1). */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { openSandboxBooks } from '../books/sandbox-books.ts';
import { serveDocumentPages } from '../books/document-pages.ts';
import { openIdentityRecords, type Person } from '../oidc/identity-records.ts';
import { findGrant } from '../oidc/oidc-simulator.ts';
import { deriveGuid } from '../oidc/people.ts';
import type { IdentityContext } from '../oidc/provider-profile.ts';
import type { FindRecordings } from '../simulator/recordings.ts';
import type { SimulatorStore } from '../simulator/simulator-store.ts';
import { createXeroBooksSimulator } from './xero-books-simulator.ts';

type XeroConnection = { readonly id: string; readonly tenantId: string; readonly subject: string; readonly createdAt: string };

const INVOICES_SCOPE = 'accounting.invoices.read';
/** Resources whose scope a token may lack while it can still read documents. */
const SCOPES: Readonly<Record<string, string>> = {
  Contacts: 'accounting.contacts.read',
  'Reports/TrialBalance': 'accounting.reports.trialbalance.read',
};

const openConnections = (store: SimulatorStore) => store.collection<XeroConnection>('xero.connections');

/** When accounting scopes are granted, connects all of the user's organisations that allow another app. */
export function connectXeroOrganisations({ store, clock }: IdentityContext, { subject, email }: Person, scopes: readonly string[]): void {
  if (!scopes.includes(INVOICES_SCOPE)) return;
  const connections = openConnections(store);
  for (const { id: tenantId, isFull } of openSandboxBooks(store, clock, 'xero').listOrganisations(email)) {
    const id = deriveGuid('xero', 'connection', `${subject} ${tenantId}`);
    if (!isFull && !connections.get(id)) connections.put(id, { id, tenantId, subject, createdAt: clock.now() });
  }
}

export function serveXeroApi(app: FastifyInstance, context: IdentityContext): void {
  const { store, clock } = context;
  const books = openSandboxBooks(store, clock, 'xero');
  const connections = openConnections(store);
  const listOwnOrganisations = (request: FastifyRequest) => {
    const grant = findGrant(context, request);
    if (!grant) return undefined;
    return connections
      .list()
      .map(({ document }) => document)
      .filter(({ subject }) => subject === grant.subject);
  };
  app.get('/connections', (request, reply) => {
    const ownConnections = listOwnOrganisations(request);
    if (!ownConnections)
      return reply.code(401).send({ Type: null, Title: 'Unauthorized', Status: 401, Detail: 'AuthenticationUnsuccessful' });
    return reply.send(
      ownConnections.map(({ id, tenantId, createdAt }) => ({
        id,
        authEventId: deriveGuid('xero', 'event', id),
        tenantId,
        tenantType: 'ORGANISATION',
        tenantName: books.findOrganisation(tenantId)?.name ?? '',
        createdDateUtc: createdAt.replace('Z', '0000'),
        updatedDateUtc: createdAt.replace('Z', '0000'),
      })),
    );
  });
  app.delete<{ Params: { id: string } }>('/connections/:id', (request, reply) => {
    const ownConnections = listOwnOrganisations(request);
    if (!ownConnections) return reply.code(401).send();
    if (!ownConnections.some(({ id }) => id === request.params.id)) return reply.code(404).type('text/plain').send('Not found');
    connections.delete(request.params.id);
    return reply.code(204).send();
  });
  const find: FindRecordings = (token, tenantId) => {
    const grant = context.records.accessTokens.get(token);
    if (!grant || grant.expiresAt <= clock.now()) return 'unknown_token';
    const isConnected = connections.list().some(({ document }) => document.subject === grant.subject && document.tenantId === tenantId);
    const isReadable = books.findOrganisation(tenantId)?.isReadable === true && grant.scopes.includes(INVOICES_SCOPE);
    return isConnected && isReadable ? (books.read(tenantId) ?? 'other_organisation') : 'other_organisation';
  };
  const mayRead = (token: string, resource: string): boolean =>
    context.records.accessTokens.get(token)?.scopes.includes(SCOPES[resource] ?? INVOICES_SCOPE) === true;
  void app.register(createXeroBooksSimulator({ find, mayRead }), { prefix: '/api.xro/2.0' });
  serveDocumentPages(app, 'Xero', [
    '/organisationlogin/default.aspx',
    '/AccountsReceivable/*',
    '/AccountsPayable/*',
    '/Journal/*',
    '/Bank/*',
  ]);
}

/** Removes a scope from every existing grant, as if it had been granted before the portal requested that scope. */
export function removeXeroScope(store: SimulatorStore, scope: string): void {
  const { accessTokens, refreshTokens } = openIdentityRecords(store, 'xero');
  const removeScope = (scopes: readonly string[]) => scopes.filter((other) => other !== scope);
  for (const { key, document } of accessTokens.list()) accessTokens.put(key, { ...document, scopes: removeScope(document.scopes) });
  for (const { key, document } of refreshTokens.list()) refreshTokens.put(key, { ...document, scopes: removeScope(document.scopes) });
}

/** Removes the app, as in Xero's list of connected apps. */
export function disconnectXeroOrganisation(store: SimulatorStore, tenantId: string): void {
  const connections = openConnections(store);
  for (const { key, document } of connections.list()) if (document.tenantId === tenantId) connections.delete(key);
}
