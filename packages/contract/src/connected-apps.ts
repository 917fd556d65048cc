/** Apps that a user connects with OAuth to work with the practice through tools (docs/decisions/0067-mcp-server.md). */
import { CONNECTED_APP_SCOPES, MAX_CONNECTED_APP_CALLS } from '@portal/domain/developers/connected-apps.ts';
import { z } from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { companyInput, doneOutput, idScalar, instantScalar } from './scalars.ts';

/** The path at which apps call the tools, below /portal. */
export const MCP_PATH = '/mcp';
/** The OAuth endpoints, below /portal. The first is a page. */
export const OAUTH_PATHS = {
  authorize: '/oauth/authorize',
  token: '/oauth/token',
  register: '/oauth/register',
  revoke: '/oauth/revoke',
} as const;

export const APP_STATUSES = ['active', 'expired', 'removed', 'ended'] as const;

const scope = z.enum(CONNECTED_APP_SCOPES);

const connectedApp = z.object({
  program_id: idScalar,
  /** The name that the app gives itself, which we don't verify. */
  name: z.string(),
  /** The server, or the user's own computer, that the app signed in from. */
  redirect_host: z.string(),
  scopes: z.array(scope),
  acts_for: z.string(),
  is_yours: z.boolean(),
  created_at: instantScalar,
  expires_at: instantScalar,
  /** Accurate to the minute; null if the app has never been used. */
  last_used_at: z.nullable(instantScalar),
  /** `ended`: ended by the app, by a rule, or because its user has left. */
  status: z.enum(APP_STATUSES),
});
export type ConnectedApp = z.output<typeof connectedApp>;

/** Part of an authorisation request's query, as the app wrote it (RFC 6749 section 4.1.1, RFC 7636, RFC 8707). */
const text = z.string().check(z.maxLength(2000));
const authorisationRequest = {
  client_id: text,
  redirect_uri: z.optional(text),
  response_type: z.optional(text),
  scope: z.optional(text),
  state: z.optional(text),
  code_challenge: z.optional(text),
  code_challenge_method: z.optional(text),
  resource: z.optional(text),
};

const consent = z.object({
  program: z.object({
    name: z.string(),
    redirect_host: z.string(),
    /** True if the app runs on the user's own computer. */
    is_local: z.boolean(),
    /** The server that hosts the document describing the app; null if the app registered itself, in which case its name is unverified. */
    described_by: z.nullable(z.string()),
  }),
  scopes: z.array(scope),
  practices: z.array(z.object({ company_id: idScalar, name: z.string() })),
  /** The URL to send the browser to if the user declines. */
  refuse_to: z.string(),
});
export type AppConsent = z.output<typeof consent>;

export const connectedAppsApi = {
  request: endpoint({
    method: 'GET',
    path: '/open-tax/programs/request',
    access: 'signed_in',
    summary:
      'Get an app’s authorisation request for the consent page. If the request can’t be granted, the browser must go to `reject_to` immediately.',
    input: z.object(authorisationRequest),
    output: z.object({ consent: z.nullable(consent), reject_to: z.nullable(z.string()) }),
    hasEffect: true,
    maxPerPerson: 60,
  }),
  approve: endpoint({
    method: 'POST',
    path: '/open-tax/programs/approve',
    access: 'practice.read',
    summary:
      'Connect an app that acts for the user in this practice, within these scopes. Needs a session in which the user has confirmed their identity in the last ten minutes.',
    input: z.extend(companyInput, {
      ...authorisationRequest,
      scopes: z.array(scope).check(z.minLength(1, 'Choose at least one thing the app can do'), z.maxLength(CONNECTED_APP_SCOPES.length)),
    }),
    /** The URL to send the browser to, including the code for the app. */
    output: z.object({ redirect_to: z.string() }),
    needsConfirmation: true,
    maxPerPerson: 30,
  }),
  list: endpoint({
    method: 'GET',
    path: '/open-tax/programs',
    access: 'practice.read',
    summary: 'List the apps that users have connected to the practice. Admins see all of them; other users see their own.',
    input: companyInput,
    output: z.object({ programs: z.array(connectedApp) }),
  }),
  remove: endpoint({
    method: 'POST',
    path: '/open-tax/programs/remove',
    access: 'practice.read',
    summary: 'Remove an app: one of the user’s own or, for an admin, any. Its next call is rejected.',
    input: z.extend(companyInput, { program_id: idScalar }),
    output: doneOutput,
  }),
};

/** Text for the documentation page. */
export const APP_LIMIT_TEXT = `${MAX_CONNECTED_APP_CALLS.toLocaleString('en-GB')} calls per user every 15 minutes, across all apps`;
