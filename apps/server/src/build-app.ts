/** Puts the server together from its dependencies; `main.ts` and the tests both do it here. It does not listen. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import fastifyCookie from '@fastify/cookie';
import { ALL_ENDPOINTS } from '@portal/contract/all-endpoints.ts';
import Fastify, { LogController, type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import type { AppDeps } from './app-deps.ts';
import { advanceHandlers } from './features/advances/advance-routes.ts';
import { servePaymentsWebhook } from './features/advances/payments-webhook-routes.ts';
import { booksHandlers, serveBooksFiles } from './features/books/books-routes.ts';
import { clientDashboardHandlers } from './features/client-dashboard/client-dashboard-routes.ts';
import { clientImportHandlers, serveClientFiles } from './features/client-imports/client-import-routes.ts';
import { clientHandlers } from './features/clients/client-routes.ts';
import { companyLookUpHandlers } from './features/company-look-up/company-look-up-routes.ts';
import { connectionHandlers } from './features/connections/connection-routes.ts';
import { contactHandlers } from './features/contact/contact-routes.ts';
import { dashboardHandlers } from './features/dashboard/dashboard-routes.ts';
import { serveConsentCallback } from './features/hmrc-connection/consent-callback-routes.ts';
import { serveExports } from './features/exports/export-routes.ts';
import { identityHandlers } from './features/identity/identity-routes.ts';
import { identityCheckHandlers, serveIdentityWebhook } from './features/identity-check/identity-check-routes.ts';
import { securityHandlers } from './features/identity/security-routes.ts';
import { verificationHandlers } from './features/identity/verification-routes.ts';
import { serveProviderSignIn } from './features/identity/provider-routes.ts';
import { onboardingHandlers } from './features/onboarding/onboarding-routes.ts';
import { positionHandlers } from './features/positions/position-routes.ts';
import { serveSyncEvents } from './features/sync/sync-events-routes.ts';
import { syncHandlers } from './features/sync/sync-routes.ts';
import { agentHandlers, operatorPartnerHandlers, partnerHandlers } from './features/partners/partner-routes.ts';
import { operatorHandlers } from './features/operators/operator-routes.ts';
import { operatorMatterHandlers } from './features/operators/work-matters.ts';
import { authorisationHandlers, practiceHandlers } from './features/practice/practice-routes.ts';
import { practiceDashboardHandlers, serveCalendarFeed } from './features/practice-dashboard/practice-dashboard-routes.ts';
import { taskHandlers } from './features/tasks/task-routes.ts';
import { serveStatementFiles, taxStatementHandlers } from './features/tax-statements/tax-statement-routes.ts';
import { vatReturnHandlers } from './features/vat-returns/vat-return-routes.ts';
import { prepareClientCheck } from './http/client-access.ts';
import { answerUnreadable, rewriteOddAddress } from './http/odd-addresses.ts';
import { recordRoutes } from './http/recorded-routes.ts';
import { refuseUnstorableText } from './http/refuse-unstorable-text.ts';
import { serveApiDocument } from './http/serve-api-document.ts';
import { sendErrors } from './http/send-errors.ts';
import { sendSecurityHeaders } from './http/security-headers.ts';
import { serveContract, type ServeSettings } from './http/serve-contract.ts';
import { serveWeb } from './http/serve-web.ts';
import { prepareOnlyPractice } from './http/name-tenant.ts';
import { prepareSessionCheck, sessionCookieName } from './http/session.ts';
import type { FailedJob } from './jobs/job-table.ts';

export type AppSettings = {
  /** Passed to Fastify: which peers may say where a request came from. */
  readonly trustProxy: string | number | boolean;
  /** Whether each part that the portal stands on works now, by name. */
  readonly checkReady: () => Promise<Record<string, boolean>>;
  /** Checks every answer against its zod shape too: in tests. */
  readonly validateOutputs: boolean;
  readonly distDir: string;
  readonly listFailedJobs: () => Promise<FailedJob[]>;
};

/** Where the web app's build rests. */
export const WEB_DIST = join(import.meta.dirname, '../../web/dist');

export async function buildApp(deps: AppDeps, settings: AppSettings): Promise<FastifyInstance> {
  const app = createServer(deps, settings);
  recordRoutes(app);
  sendErrors(app);
  refuseUnstorableText(app);
  await app.register(fastifyCookie);
  await sendSecurityHeaders(app, deps.site);
  const serve: ServeSettings = {
    checkSession: prepareSessionCheck(deps.database.db, deps.wallClock),
    seesClient: prepareClientCheck(deps.database.db),
    onlyPractice: prepareOnlyPractice(deps.database.db),
    validateOutputs: settings.validateOutputs,
    sessionCookie: sessionCookieName(deps.site.publicUrl),
  };
  serveHealth(app, settings);
  serveApiDocument(app, deps.site);
  serveContract(app, deps, serve, ALL_ENDPOINTS.identity, identityHandlers(deps));
  serveContract(app, deps, serve, ALL_ENDPOINTS.security, securityHandlers(deps));
  serveContract(app, deps, serve, ALL_ENDPOINTS.verification, verificationHandlers(deps));
  serveContract(app, deps, serve, ALL_ENDPOINTS.companyLookUp, companyLookUpHandlers(deps));
  serveContract(app, deps, serve, ALL_ENDPOINTS.identityCheck, identityCheckHandlers(deps));
  serveContract(app, deps, serve, ALL_ENDPOINTS.onboarding, onboardingHandlers(deps));
  serveContract(app, deps, serve, ALL_ENDPOINTS.books, booksHandlers(deps));
  serveContract(app, deps, serve, ALL_ENDPOINTS.dashboard, dashboardHandlers(deps));
  serveContract(app, deps, serve, ALL_ENDPOINTS.vatReturns, vatReturnHandlers(deps));
  serveContract(app, deps, serve, ALL_ENDPOINTS.advances, advanceHandlers(deps));
  serveContract(app, deps, serve, ALL_ENDPOINTS.contact, contactHandlers(deps));
  serveContract(app, deps, serve, ALL_ENDPOINTS.tasks, taskHandlers(deps));
  serveContract(app, deps, serve, ALL_ENDPOINTS.connections, connectionHandlers(deps));
  serveContract(app, deps, serve, ALL_ENDPOINTS.practice, practiceHandlers(deps));
  serveContract(app, deps, serve, ALL_ENDPOINTS.authorisations, authorisationHandlers(deps));
  serveContract(app, deps, serve, ALL_ENDPOINTS.positions, positionHandlers(deps));
  serveContract(app, deps, serve, ALL_ENDPOINTS.sync, syncHandlers(deps));
  serveContract(app, deps, serve, ALL_ENDPOINTS.clientImports, clientImportHandlers(deps));
  serveContract(app, deps, serve, ALL_ENDPOINTS.taxStatements, taxStatementHandlers(deps));
  serveContract(app, deps, serve, ALL_ENDPOINTS.clients, clientHandlers(deps));
  serveContract(app, deps, serve, ALL_ENDPOINTS.clientDashboard, clientDashboardHandlers(deps));
  serveContract(app, deps, serve, ALL_ENDPOINTS.practiceDashboard, practiceDashboardHandlers(deps));
  serveContract(app, deps, serve, ALL_ENDPOINTS.partners, partnerHandlers(deps));
  serveContract(app, deps, serve, ALL_ENDPOINTS.agent, agentHandlers(deps));
  serveContract(app, deps, serve, ALL_ENDPOINTS.operatorPartners, operatorPartnerHandlers(deps));
  serveContract(app, deps, serve, ALL_ENDPOINTS.operatorMatters, operatorMatterHandlers(deps));
  serveContract(app, deps, serve, ALL_ENDPOINTS.operator, operatorHandlers(deps, settings.listFailedJobs));
  serveSyncEvents(app, deps, serve);
  await serveBooksFiles(app, deps, serve);
  await serveClientFiles(app, deps, serve);
  await serveStatementFiles(app, deps, serve);
  serveExports(app, deps, serve);
  serveCalendarFeed(app, deps);
  serveConsentCallback(app, deps, serve);
  serveProviderSignIn(app, deps, serve);
  await servePaymentsWebhook(app, deps);
  await serveIdentityWebhook(app, deps);
  await serveWeb(app, deps.site, settings.distDir);
  return app;
}

/** Fastify as we want it, with no route yet. */
function createServer(deps: AppDeps, settings: AppSettings): FastifyInstance {
  return Fastify({
    loggerInstance: deps.logger as FastifyBaseLogger,
    trustProxy: trustedProxies(settings.trustProxy),
    genReqId: () => randomUUID(),
    // One logger for all: what is logged names its request, and most requests log nothing.
    childLoggerFactory: (logger) => logger,
    logController: new LogController({ disableRequestLogging: true }),
    // Draining waits for requests at work, not for connections that browsers keep open.
    forceCloseConnections: 'idle',
    routerOptions: { ignoreTrailingSlash: true },
    rewriteUrl: ({ url = '/' }) => rewriteOddAddress(url),
    clientErrorHandler: answerUnreadable,
  });
}

/** A number of hops counts the proxies in front of us. */
function trustedProxies(setting: AppSettings['trustProxy']): boolean | string | ((address: string, hop: number) => boolean) {
  return typeof setting === 'number' ? (_address, hop) => hop < setting : setting;
}

/** `/healthz`: the process is alive. `/readyz`: 200 where people may be sent here, 503 where not; the body names each part. */
function serveHealth(app: FastifyInstance, settings: AppSettings): void {
  app.get('/portal/healthz', () => ({ alive: true }));
  app.get('/portal/readyz', async (_request, reply) => {
    const parts = await settings.checkReady();
    const ready = Object.values(parts).every(Boolean);
    return reply
      .status(ready ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({ ready, parts });
  });
}
