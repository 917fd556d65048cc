/**
 * The double of HMRC: OAuth, VAT (MTD) 1.0, Check a UK VAT number 2.0, Agent Authorisation 2.0, Self Assessment Accounts 4.0, Obligations 3.0,
 * Create Test User, the fraud-header validator, and the pages a browser sees.
 * It answers below `publicUrl` (the API) and below `wwwUrl` (the pages). All it knows is in the store.
 */
import { agentAuthorisationRoutes } from '../hmrc-agent/agent-authorisation-service.ts';
import { APPOINT_PATH, decideAppointment, showAppointment } from '../hmrc-agent/appoint-page.ts';
import { incomeTaxRoutes } from '../hmrc-agent/income-tax-routes.ts';
import { findRoute, type Simulator, type SimulatorCall, type SimulatorRoute } from '../simulator/simulator.ts';
import { json } from '../simulator/responses.ts';
import { changeRepaymentAccount, showRepaymentAccount } from './business-account.ts';
import { answerLookup } from './check-vat-number.ts';
import { answerFeedback, answerValidation, recordCall } from './fraud-header-service.ts';
import {
  authenticate,
  openThrottle,
  REQUESTS_PER_SECOND,
  throttled,
  unknownPath,
  wrongMethod,
  type Access,
  type ApiRoute,
  type Throttle,
} from './gateway.ts';
import { countUp } from './call-statistics.ts';
import { openHmrcContext, type HmrcContext, type HmrcSimulatorDeps } from './hmrc-context.ts';
import { decideGrant, showGrant, startAuthorize } from './oauth-authorize.ts';
import { answerTokenRequest } from './oauth-tokens.ts';
import { answerCreateTestUser, answerListServices } from './test-user-service.ts';
import { informationOperation, liabilitiesOperation, paymentsOperation } from './vat-accounts.ts';
import { obligationsOperation } from './vat-obligations.ts';
import { financialDetailsOperation, penaltiesOperation } from './vat-penalties.ts';
import { serveSubmission, viewOperation } from './vat-returns.ts';
import { serveVat } from './vat-service.ts';
import { showSignIn, signIn } from './www-sign-in.ts';

/** The operations that the control page can put faults into. */
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

const METHODS = ['GET', 'POST', 'PUT', 'DELETE'] as const;

/** What HMRC promises an application: 3 requests in a second. */
const HMRC_LIMIT = 3;

export function createHmrcSimulator(deps: HmrcSimulatorDeps): Simulator {
  const context = openHmrcContext(deps);
  const throttle = openThrottle(() => Number(context.records.settings.get(REQUESTS_PER_SECOND) ?? deps.requestsPerSecond ?? HMRC_LIMIT));
  const api = { basePath: new URL(deps.publicUrl).pathname.replace(/\/$/, ''), routes: apiRoutes(context) };
  const www = { basePath: new URL(deps.wwwUrl).pathname.replace(/\/$/, ''), routes: wwwRoutes(context) };
  return {
    fetch: async (request) => {
      const url = new URL(request.url);
      const isBelow = (basePath: string) => url.pathname === basePath || url.pathname.startsWith(`${basePath}/`);
      if (isBelow(www.basePath)) return answerPage(www, request, url);
      if (isBelow(api.basePath)) return answerApi(context, throttle, api, request, url);
      return json(404, { message: 'Neither the API nor the pages of the HMRC double lie here.' });
    },
  };
}

async function answerApi(
  context: HmrcContext,
  throttle: Throttle,
  api: { readonly basePath: string; readonly routes: readonly ApiRoute[] },
  request: Request,
  url: URL,
): Promise<Response> {
  const found = findRoute(api.routes, api.basePath, request.method, url.pathname);
  if (!found) {
    const isKnown = METHODS.some((method) => findRoute(api.routes, api.basePath, method, url.pathname));
    return isKnown ? wrongMethod() : unknownPath();
  }
  const { route, params } = found;
  const bodyText = await request.text();
  const caller = authenticate(context, request, route.access);
  const answer = () => {
    const isOver = !(caller instanceof Response) && caller.clientId !== undefined && !throttle.admit(caller.clientId);
    if (isOver) {
      countUp(context, 'throttled');
      return throttled();
    }
    const early = route.refuseFirst?.(request);
    if (early) return early;
    if (caller instanceof Response) return route.reword?.(caller) ?? caller;
    return route.answer({ request, url, params, bodyText, caller });
  };
  const response = await context.faults.through(route.operation, answer);
  const who = caller instanceof Response ? {} : caller;
  const path = url.pathname.slice(api.basePath.length);
  recordCall(
    context,
    { at: context.clock.now(), operation: route.operation, method: request.method, path, status: response.status, ...who },
    request.headers,
  );
  return response;
}

async function answerPage(www: { readonly basePath: string; readonly routes: readonly SimulatorRoute[] }, request: Request, url: URL) {
  const found = findRoute(www.routes, www.basePath, request.method, url.pathname);
  if (!found) return unknownPath();
  return found.route.answer({ request, url, params: found.params, bodyText: await request.text() });
}

function apiRoutes(context: HmrcContext): ApiRoute[] {
  const read: Access = { kind: 'user', scope: 'read:vat' };
  const application: Access = { kind: 'application' };
  const get = (operation: string, path: string, access: Access, answer: ApiRoute['answer']): ApiRoute => ({
    operation,
    method: 'GET',
    path,
    access,
    answer,
  });
  const vat = '/organisations/vat';
  const lookup = `${vat}/check-vat-number/lookup/:targetVrn`;
  const createUser = (kind: 'organisation' | 'individual' | 'agent'): ApiRoute => ({
    operation: 'hmrc.create_test_user',
    method: 'POST',
    path: `/create-test-user/${kind}s`,
    access: application,
    answer: (call) => answerCreateTestUser(context, kind, call),
  });
  return [
    {
      operation: 'hmrc.token',
      method: 'POST',
      path: '/oauth/token',
      access: { kind: 'open' },
      answer: (call) => answerTokenRequest(context, call),
    },
    get('hmrc.check_vat_number', lookup, { kind: 'application', scope: 'read:vat' }, (call) => answerLookup(context, call)),
    get('hmrc.check_vat_number', `${lookup}/:requesterVrn`, { kind: 'application', scope: 'read:vat' }, (call) =>
      answerLookup(context, call),
    ),
    get('hmrc.obligations', `${vat}/:vrn/obligations`, read, serveVat(context, obligationsOperation(context))),
    {
      operation: 'hmrc.submit_return',
      method: 'POST',
      path: `${vat}/:vrn/returns`,
      access: { kind: 'user', scope: 'write:vat' },
      answer: serveSubmission(context),
    },
    get('hmrc.view_return', `${vat}/:vrn/returns/:periodKey`, read, serveVat(context, viewOperation(context))),
    get('hmrc.liabilities', `${vat}/:vrn/liabilities`, read, serveVat(context, liabilitiesOperation(context))),
    get('hmrc.payments', `${vat}/:vrn/payments`, read, serveVat(context, paymentsOperation(context))),
    get('hmrc.information', `${vat}/:vrn/information`, read, serveVat(context, informationOperation())),
    get('hmrc.penalties', `${vat}/:vrn/penalties`, read, serveVat(context, penaltiesOperation(context))),
    get(
      'hmrc.financial_details',
      `${vat}/:vrn/financial-details/:penaltyChargeReference`,
      read,
      serveVat(context, financialDetailsOperation()),
    ),
    createUser('organisation'),
    createUser('individual'),
    createUser('agent'),
    get('hmrc.create_test_user', '/create-test-user/services', application, () => answerListServices()),
    get('hmrc.validate_headers', '/test/fraud-prevention-headers/validate', application, answerValidation),
    get('hmrc.header_feedback', '/test/fraud-prevention-headers/:api/validation-feedback', application, (call) =>
      answerFeedback(context, call),
    ),
    ...agentAuthorisationRoutes(context),
    ...incomeTaxRoutes(context),
  ];
}

function wwwRoutes(context: HmrcContext): SimulatorRoute[] {
  const page = (method: 'GET' | 'POST', path: string, show: (context: HmrcContext, call: SimulatorCall) => Response): SimulatorRoute => ({
    method,
    path,
    answer: (call) => show(context, call),
  });
  return [
    page('GET', '/oauth/authorize', startAuthorize),
    page('GET', '/oauth/grant', showGrant),
    page('POST', '/oauth/grant', decideGrant),
    page('GET', '/sign-in', showSignIn),
    page('POST', '/sign-in', signIn),
    page('GET', '/business-account/repayment-account', showRepaymentAccount),
    page('POST', '/business-account/repayment-account', changeRepaymentAccount),
    page('GET', APPOINT_PATH, showAppointment),
    page('POST', APPOINT_PATH, decideAppointment),
  ];
}
