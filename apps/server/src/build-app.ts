/** Builds the server from its dependencies, for `main.ts` and the tests. It doesn't listen. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import fastifyCookie from '@fastify/cookie';
import { ALL_ENDPOINTS } from '@portal/contract/all-endpoints.ts';
import Fastify, { LogController, type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import { ALL_HANDLERS } from './all-handlers.ts';
import type { AppDeps, JobOverview } from './app-deps.ts';
import { serveGoCardlessWebhook } from './features/direct-debits/gocardless-webhook-routes.ts';
import { servePaymentsWebhook } from './features/advances/payments-webhook-routes.ts';
import { serveStripeWebhook } from './features/billing/stripe-webhook-routes.ts';
import { serveInvoiceFiles } from './features/billing/invoice-files-routes.ts';
import { serveBooksFiles } from './features/books/books-routes.ts';
import { serveUploadedFiles } from './features/client-files/client-files-routes.ts';
import { serveClientBooksFiles } from './features/client-returns/client-returns-routes.ts';
import { serveLetterFiles } from './features/engagement/engagement-routes.ts';
import { serveLogoUpload } from './features/practice-brand/practice-brand-routes.ts';
import { serveClientFiles } from './features/client-imports/client-imports-routes.ts';
import { serveDataDownloads } from './features/data-protection/data-download-routes.ts';
import { serveDocumentFiles } from './features/documents/document-files-routes.ts';
import { serveBooksWebhooks } from './features/books-connection/books-webhook-routes.ts';
import { serveBooksCallback } from './features/books-connection/books-callback-routes.ts';
import { serveMailboxCallback } from './features/mailbox/mailbox-callback-routes.ts';
import { serveAuthorisationCallback } from './features/hmrc-connection/authorisation-callback-routes.ts';
import { serveRequestLinks } from './features/authorisation-requests/links-file-routes.ts';
import { serveAuditExport } from './features/operations/audit-export-routes.ts';
import { serveLedgerExport } from './features/ledger/ledger-export-routes.ts';
import { limitApiKey, prepareApiKeyCheck } from './features/api-keys/check-api-key.ts';
import { serveMcp } from './features/mcp/mcp-routes.ts';
import { prepareAppTokenCheck } from './features/connected-apps/check-app-token.ts';
import { serveOauth } from './features/connected-apps/oauth-routes.ts';
import { serveExports } from './features/exports/exports-routes.ts';
import { serveIdentityWebhook } from './features/identity-check/identity-check-routes.ts';
import { serveProviderSignIn } from './features/identity/provider-routes.ts';
import { serveSyncEvents } from './features/sync/sync-events-routes.ts';
import { serveCalendarFeed } from './features/practice-dashboard/practice-dashboard-routes.ts';
import { createDatabaseReader } from './features/monitoring/database-figures.ts';
import { serveOneClickUnsubscribe } from './features/staff-notifications/staff-notifications-routes.ts';
import { serveStatementFiles } from './features/tax-statements/tax-statements-routes.ts';
import { prepareClientCheck } from './http/client-access.ts';
import { prepareOwnClient } from './http/own-client.ts';
import { observeRequests } from './http/observe-requests.ts';
import { serveMetrics } from './http/serve-metrics.ts';
import { createUnreadableRequestHandler, rewriteUndecodableUrl } from './http/unusual-urls.ts';
import { recordRoutes } from './http/recorded-routes.ts';
import { rejectUnstorableText } from './http/reject-unstorable-text.ts';
import { limitRequests } from './features/identity/limit-attempts.ts';
import { assertNoConflictOfInterest } from './features/operators/conflict-of-interest.ts';
import { assertAccessIsNotNew } from './features/operators/new-access.ts';
import { compileSerializerOnUse } from './http/response-schema.ts';
import { serveApiDocument } from './http/serve-api-document.ts';
import { sendErrors } from './http/send-errors.ts';
import { sendSecurityHeaders } from './http/security-headers.ts';
import { serveSubjects, type ServeSettings } from './http/serve-contract.ts';
import { serveWeb } from './http/serve-web.ts';
import { warnAboutUntrustedProxy } from './http/warn-untrusted-proxy.ts';
import { startRequestScopes } from './http/request-scope.ts';
import { prepareOnlyPractice } from './http/resolve-tenant.ts';
import { getSessionCookieName, prepareSessionCheck } from './http/session.ts';

export type AppSettings = JobOverview & {
  /** Passed to Fastify: the proxies whose forwarding headers are trusted. */
  readonly trustProxy: string | number | boolean;
  /** Returns whether each part that the portal depends on is available, by name. */
  readonly checkReady: () => Promise<Record<string, boolean>>;
  /** Also validates every response against its zod schema. Used in tests. */
  readonly validateOutputs: boolean;
  /** Allows monitoring tools on other computers to read the metrics. */
  readonly metricsToken?: string | undefined;
  readonly distDir: string;
};

/** The web app's build output. */
export const WEB_DIST = join(import.meta.dirname, '../../web/dist');

export async function buildApp(deps: AppDeps, settings: AppSettings): Promise<FastifyInstance> {
  const app = createServer(deps, settings);
  app.setSerializerCompiler(compileSerializerOnUse);
  recordRoutes(app);
  startRequestScopes(app);
  observeRequests(app, deps.metrics, deps.recordSecurityEvent);
  warnAboutUntrustedProxy(app);
  sendErrors(app, deps.recordSecurityEvent);
  rejectUnstorableText(app);
  await app.register(fastifyCookie);
  await sendSecurityHeaders(app, deps.site);
  const serve: ServeSettings = {
    checkSession: prepareSessionCheck(deps.database.db, deps.wallClock),
    checkApiKey: prepareApiKeyCheck(deps),
    checkAppToken: prepareAppTokenCheck(deps),
    limitCredential: (credential) => limitApiKey(deps, credential),
    seesClient: prepareClientCheck(deps.database.db),
    findOwnClient: prepareOwnClient(deps.database.db),
    onlyPractice: prepareOnlyPractice(deps.database.db, deps.wallClock),
    assertAccessIsNotNew: (operatorId) => assertAccessIsNotNew(deps.database.db, deps.clock.now(), operatorId),
    assertNoInterest: (operatorId, companyId) => assertNoConflictOfInterest(deps, deps.database.db, operatorId, companyId),
    limitPerPerson: (userId, path, max) => limitRequests(deps.database.db, deps.wallClock, { userId, path, max }),
    validateOutputs: settings.validateOutputs,
    recordSecurityEvent: deps.recordSecurityEvent,
    sessionCookie: getSessionCookieName(deps.site.publicUrl),
  };
  serveHealth(app, settings);
  serveMetrics(app, deps.metrics, { token: settings.metricsToken, readDatabase: createDatabaseReader(deps, deps.metrics.database) });
  serveApiDocument(app, deps.site);
  serveSubjects(app, deps, settings, serve, ALL_ENDPOINTS, ALL_HANDLERS);
  serveSyncEvents(app, deps, serve);
  await serveBooksFiles(app, deps, serve);
  await serveClientBooksFiles(app, deps, serve);
  await serveClientFiles(app, deps, serve);
  await serveStatementFiles(app, deps, serve);
  await serveUploadedFiles(app, deps, serve);
  serveLetterFiles(app, deps, serve);
  await serveLogoUpload(app, deps, serve);
  serveExports(app, deps, serve);
  serveRequestLinks(app, deps, serve);
  serveAuditExport(app, deps, serve);
  serveLedgerExport(app, deps, serve);
  serveDocumentFiles(app, deps, serve);
  serveInvoiceFiles(app, deps, serve);
  serveDataDownloads(app, deps, serve);
  serveCalendarFeed(app, deps);
  await serveOneClickUnsubscribe(app, deps);
  await serveOauth(app, deps);
  serveMcp(app, deps, serve);
  serveAuthorisationCallback(app, deps, serve);
  serveMailboxCallback(app, deps, serve);
  serveBooksCallback(app, deps, serve);
  serveProviderSignIn(app, deps, serve);
  await servePaymentsWebhook(app, deps);
  await serveIdentityWebhook(app, deps);
  await serveBooksWebhooks(app, deps);
  await serveGoCardlessWebhook(app, deps);
  await serveStripeWebhook(app, deps);
  await serveWeb(app, deps.site, settings.distDir);
  return app;
}

/** Creates the Fastify instance with our options and no routes. */
function createServer(deps: AppDeps, settings: AppSettings): FastifyInstance {
  return Fastify({
    loggerInstance: deps.logger as FastifyBaseLogger,
    trustProxy: parseTrustedProxies(settings.trustProxy),
    genReqId: () => randomUUID(),
    // One logger for all requests: entries name their request, and most requests log nothing.
    childLoggerFactory: (logger) => logger,
    logController: new LogController({ disableRequestLogging: true }),
    // A slow body is cut off. Uploading the largest file takes two minutes at 4 Mbit/s.
    requestTimeout: 180_000,
    // Shutdown waits for active requests, not for idle connections that browsers keep open.
    forceCloseConnections: 'idle',
    routerOptions: { ignoreTrailingSlash: true },
    rewriteUrl: ({ url = '/' }) => rewriteUndecodableUrl(url),
    clientErrorHandler: createUnreadableRequestHandler(deps.site),
  });
}

/** A number means the number of proxies in front of us. */
function parseTrustedProxies(setting: AppSettings['trustProxy']): boolean | string | ((address: string, hop: number) => boolean) {
  return typeof setting === 'number' ? (_address, hop) => hop < setting : setting;
}

/** `/healthz`: the process is alive. `/readyz`: 200 if it can serve requests, otherwise 503; the body lists each part. */
function serveHealth(app: FastifyInstance, settings: AppSettings): void {
  app.get('/portal/healthz', () => ({ alive: true }));
  app.get('/portal/readyz', async (_request, reply) => {
    const parts = await settings.checkReady();
    const isReady = Object.values(parts).every(Boolean);
    return reply
      .status(isReady ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({ ready: isReady, parts });
  });
}
