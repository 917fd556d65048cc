/**
 * Simulates HMRC: OAuth, VAT (MTD) 1.0, Check a UK VAT number 2.0, Agent Authorisation 2.0, Self Assessment Accounts 4.0, Obligations 3.0,
 * Create Test User, the fraud-header validator and the browser pages. All state is in the store.
 */
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import { agentAuthorisationRoutes } from '../hmrc-agent/agent-authorisation-service.ts';
import { APPOINT_PATH, decideAppointment, showAppointment } from '../hmrc-agent/appoint-page.ts';
import { incomeTaxRoutes } from '../hmrc-agent/income-tax-routes.ts';
import { changeRepaymentAccount, showRepaymentAccount } from './business-account.ts';
import { handleLookup } from './check-vat-number.ts';
import { handleFeedback, handleValidation } from './fraud-header-service.ts';
import { CALLER_KEY, type RouteAccess, type HmrcRoute } from './gateway.ts';
import { createUnknownPathError, createWrongMethodError, sendApiError } from './hmrc-api-error.ts';
import { openHmrcContext, type HmrcContext, type HmrcSimulatorDeps } from './hmrc-context.ts';
import { decideGrant, sendAuthorizeError, showGrant, startAuthorize } from './oauth-authorize.ts';
import { handleTokenRequest } from './oauth-tokens.ts';
import { openOperationHooks, type BuildOperationHooks } from './operation-hooks.ts';
import { handleCreateTestUser, handleListServices } from './test-user-service.ts';
import { createInformationOperation, createLiabilitiesOperation, createPaymentsOperation } from './vat-accounts.ts';
import { createObligationsOperation } from './vat-obligations.ts';
import { createFinancialDetailsOperation, createPenaltiesOperation } from './vat-penalties.ts';
import { createSubmissionHandler, createViewOperation } from './vat-returns.ts';
import { createVatHandler, type VatOperation } from './vat-service.ts';
import { showSignIn, signIn } from './www-sign-in.ts';

/** Operations for which the control page can set faults. */
export const HMRC_OPERATIONS = [
  'hmrc.token',
  'hmrc.obligations',
  'hmrc.submit_return',
  'hmrc.view_return',
  'hmrc.liabilities',
  'hmrc.payments',
  'hmrc.information',
  'hmrc.penalties',
  'hmrc.financial_details',
  'hmrc.check_vat_number',
  'hmrc.send_invitation',
  'hmrc.list_invitations',
  'hmrc.get_invitation',
  'hmrc.cancel_invitation',
  'hmrc.check_relationship',
  'hmrc.deauthorise',
  'hmrc.sa_balance',
  'hmrc.sa_payments',
  'hmrc.sa_updates',
  'hmrc.sa_declarations',
] as const;

/** `api` serves the API below `publicUrl`, and `www` serves the browser pages below `wwwUrl`. Both use the same records. */
export type HmrcSimulator = { readonly api: FastifyPluginAsync; readonly www: FastifyPluginAsync };

export function createHmrcSimulator(deps: HmrcSimulatorDeps): HmrcSimulator {
  const context = openHmrcContext(deps);
  return { api: createApiPlugin(context), www: createWwwPlugin(context) };
}

function createApiPlugin(context: HmrcContext): FastifyPluginAsync {
  return async (app) => {
    app.decorateRequest(CALLER_KEY);
    app.setErrorHandler(sendApiError);
    app.setNotFoundHandler((request, reply) => sendApiError(createUnknownPathError(), request, reply));
    const methods = collectMethods(app);
    const hooks = openOperationHooks(context);
    applicationRoutes(app, context, hooks);
    vatRoutes(app, context, hooks);
    agentAuthorisationRoutes(app, context, hooks);
    incomeTaxRoutes(app, context, hooks);
    rejectOtherMethods(app, methods);
  };
}

/** Registers the calls that don't need a user's consent. */
function applicationRoutes(app: FastifyInstance, context: HmrcContext, hooks: BuildOperationHooks): void {
  const application: RouteAccess = { kind: 'application' };
  app.post<HmrcRoute>('/oauth/token', hooks({ name: 'hmrc.token', access: { kind: 'open' } }), (request, reply) =>
    handleTokenRequest(context, request, reply),
  );

  const lookup = hooks({ name: 'hmrc.check_vat_number', access: { kind: 'application', scope: 'read:vat' } });
  const lookupPath = '/organisations/vat/check-vat-number/lookup/:targetVrn';
  app.get<HmrcRoute>(lookupPath, lookup, (request, reply) => handleLookup(context, request, reply));
  app.get<HmrcRoute>(`${lookupPath}/:requesterVrn`, lookup, (request, reply) => handleLookup(context, request, reply));

  const testUser = hooks({ name: 'hmrc.create_test_user', access: application });
  for (const kind of ['organisation', 'individual', 'agent'] as const) {
    app.post<HmrcRoute>(`/create-test-user/${kind}s`, testUser, (request, reply) => handleCreateTestUser(context, kind, request, reply));
  }
  app.get<HmrcRoute>('/create-test-user/services', testUser, (_request, reply) => handleListServices(reply));

  const fraudHeaders = '/test/fraud-prevention-headers';
  app.get<HmrcRoute>(`${fraudHeaders}/validate`, hooks({ name: 'hmrc.validate_headers', access: application }), handleValidation);
  app.get<HmrcRoute>(
    `${fraudHeaders}/:api/validation-feedback`,
    hooks({ name: 'hmrc.header_feedback', access: application }),
    (request, reply) => handleFeedback(context, request, reply),
  );
}

function vatRoutes(app: FastifyInstance, context: HmrcContext, hooks: BuildOperationHooks): void {
  const vat = '/organisations/vat/:vrn';
  const addGetRoute = <Checked>(name: string, path: string, operation: VatOperation<Checked>): void => {
    const access: RouteAccess = { kind: 'user', scope: 'read:vat' };
    app.get<HmrcRoute>(`${vat}/${path}`, hooks({ name, access }), createVatHandler(context, operation));
  };
  addGetRoute('hmrc.obligations', 'obligations', createObligationsOperation(context));
  app.post<HmrcRoute>(
    `${vat}/returns`,
    hooks({ name: 'hmrc.submit_return', access: { kind: 'user', scope: 'write:vat' } }),
    createSubmissionHandler(context),
  );
  addGetRoute('hmrc.view_return', 'returns/:periodKey', createViewOperation(context));
  addGetRoute('hmrc.liabilities', 'liabilities', createLiabilitiesOperation(context));
  addGetRoute('hmrc.payments', 'payments', createPaymentsOperation(context));
  addGetRoute('hmrc.information', 'information', createInformationOperation());
  addGetRoute('hmrc.penalties', 'penalties', createPenaltiesOperation(context));
  addGetRoute('hmrc.financial_details', 'financial-details/:penaltyChargeReference', createFinancialDetailsOperation());
}

/** Collects the methods of every route registered from now on, keyed by its path below the plugin's prefix. */
function collectMethods(app: FastifyInstance): ReadonlyMap<string, ReadonlySet<string>> {
  const methods = new Map<string, Set<string>>();
  app.addHook('onRoute', ({ routePath, method }) => {
    methods.set(routePath, new Set([...(methods.get(routePath) ?? []), ...[method].flat()]));
  });
  return methods;
}

/** Like HMRC, responds with 405 instead of 404 when the path exists with another method. */
function rejectOtherMethods(app: FastifyInstance, methods: ReadonlyMap<string, ReadonlySet<string>>): void {
  for (const [path, knownMethods] of methods) {
    const unusedMethods = app.supportedMethods.filter((method) => !knownMethods.has(method)) as HTTPMethods[];
    app.route({ method: unusedMethods, url: path, handler: (request, reply) => sendApiError(createWrongMethodError(), request, reply) });
  }
}

function createWwwPlugin(context: HmrcContext): FastifyPluginAsync {
  type PageHandler = (context: HmrcContext, request: FastifyRequest<HmrcRoute>, reply: FastifyReply) => FastifyReply;
  return async (app) => {
    app.setErrorHandler(sendAuthorizeError);
    app.setNotFoundHandler((request, reply) => sendApiError(createUnknownPathError(), request, reply));
    const servePage = (path: string, pages: { readonly show: PageHandler; readonly submit?: PageHandler }): void => {
      const { show, submit } = pages;
      app.get<HmrcRoute>(path, (request, reply) => show(context, request, reply));
      if (submit) app.post<HmrcRoute>(path, (request, reply) => submit(context, request, reply));
    };
    servePage('/oauth/authorize', { show: startAuthorize });
    servePage('/oauth/grant', { show: showGrant, submit: decideGrant });
    servePage('/sign-in', { show: showSignIn, submit: signIn });
    servePage('/business-account/repayment-account', { show: showRepaymentAccount, submit: changeRepaymentAccount });
    servePage(APPOINT_PATH, { show: showAppointment, submit: decideAppointment });
  };
}
