/** Builds the API document as OpenAPI 3.1 from the schemas that the server uses (docs/product/decisions.md section 7). */
import { z } from 'zod/mini';
import { API_SCOPE_NAMES, API_SCOPES } from '@portal/domain/developers/api-scopes.ts';
import { ALL_ENDPOINTS } from './all-endpoints.ts';
import { findScope } from './api-scope-access.ts';
import { CLIENT_DEVICE_HEADER } from './client-device.ts';
import type { Access, Endpoint } from './endpoint.ts';
import type { FileEndpoint } from './file-endpoint.ts';
import { FILE_ENDPOINTS } from './file-endpoints.ts';
import { problemOutput } from './problem.ts';

type Json = Readonly<Record<string, unknown>>;

export type ApiDocument = Json & { readonly paths: Readonly<Record<string, Readonly<Record<string, Json>>>> };

/** `publicUrl`: the portal's public origin, without a path. `sessionCookie`: the session cookie's name. */
export function createApiDocument({
  publicUrl,
  sessionCookie,
}: {
  readonly publicUrl: string;
  readonly sessionCookie: string;
}): ApiDocument {
  const paths: Record<string, Record<string, Json>> = {};
  const addOperation = ({ method, path }: Pick<Endpoint, 'method' | 'path'>, operation: Json): void => {
    (paths[path] ??= {})[method.toLowerCase()] = operation;
  };
  for (const [id, tag, call] of listCallsWithIds<Endpoint>(ALL_ENDPOINTS)) addOperation(call, describeCall(id, tag, call));
  for (const [id, tag, call] of listCallsWithIds<FileEndpoint>(FILE_ENDPOINTS)) addOperation(call, describeFileCall(id, tag, call));
  return {
    openapi: '3.1.0',
    info: {
      title: 'InstantVAT and OpenTax',
      version: '1',
      description:
        'Amounts ending in _pence are whole pence, dates are calendar dates in the Europe/London time zone, and date-times are UTC. Every error is an RFC 9457 problem. With a session cookie, requests that change data are accepted only from our own origin. An API key needs no session: send it as `Authorization: Bearer`.',
    },
    servers: [{ url: `${publicUrl}/portal` }],
    tags: Object.keys(ALL_ENDPOINTS).map((name) => ({ name })),
    paths,
    components: {
      schemas: { Problem: toJsonSchema(problemOutput, 'output') },
      responses: {
        Problem: {
          description: 'The request was rejected or failed. `message` says why and how to fix it; `code` is machine-readable.',
          content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
        },
      },
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: sessionCookie },
        apiKey: { type: 'http', scheme: 'bearer', description: API_KEY_DESCRIPTION },
      },
    },
  };
}

const API_KEY_DESCRIPTION = [
  'An API key for a practice or a company, created in its settings. It acts for the user who created it, within its scopes and that user’s own permissions. It belongs to one practice or company, so calls can leave out that ID.',
  `Scopes: ${API_SCOPES.map((scope) => `\`${scope}\` ${API_SCOPE_NAMES[scope].replace(/^[A-Z]/, (letter) => letter.toLowerCase())}`).join('; ')}.`,
  'An operation with no scope needs a logged-in user. A valid key without the scope gets 403; an unknown, expired or revoked key gets 401.',
].join(' ');

/** Lists every endpoint with its ID and subject. */
function listCallsWithIds<Call>(
  subjects: Readonly<Record<string, Readonly<Record<string, Call>>>>,
): readonly (readonly [string, string, Call])[] {
  return Object.entries(subjects).flatMap(([subject, calls]) =>
    Object.entries(calls).map(([name, call]) => [`${subject}.${name}`, subject, call] as const),
  );
}

function describeCall(operationId: string, tag: string, call: Endpoint): Json {
  const isRead = call.method === 'GET';
  return {
    ...describeCommonFields(operationId, tag, call),
    parameters: [...(isRead ? listQueryParameters(call.input, call.access) : []), ...listHeaderParameters(call)],
    ...(isRead ? {} : { requestBody: createJsonBody(call.input) }),
    responses: createResponses(200, toJsonContent(call.output)),
  };
}

function describeFileCall(operationId: string, tag: string, { query, body, response, ...call }: FileEndpoint): Json {
  const requestBody =
    body === 'file' ? { required: true, content: { '*/*': { schema: { description: 'The file' } } } } : body && createJsonBody(body);
  const isUpload = response instanceof z.ZodMiniType;
  const content = isUpload ? toJsonContent(response) : Object.fromEntries(response.map((type) => [type, {}]));
  const isStream = 'text/event-stream' in content;
  return {
    ...describeCommonFields(operationId, tag, call, isStream),
    // Uploads and streams must specify their company; other reads may omit it (resolve-tenant.ts).
    parameters: query ? listQueryParameters(query, isUpload || isStream ? 'signed_in' : call.access) : [],
    ...(requestBody ? { requestBody } : {}),
    responses: createResponses(isUpload ? 201 : 200, content),
  };
}

function describeCommonFields(
  operationId: string,
  tag: string,
  { summary, maxPerPerson, ...call }: Pick<Endpoint, 'summary' | 'access' | 'method' | 'callsHmrc' | 'needsPerson' | 'maxPerPerson'>,
  isStream = false,
): Json {
  const { access } = call;
  const scope = isStream ? undefined : findScope(call);
  const limit = maxPerPerson === undefined ? '' : ` Limited to ${maxPerPerson} calls per user every 15 minutes.`;
  return {
    operationId,
    tags: [tag],
    summary,
    description: `${ACCESS_DESCRIPTIONS[access]}${limit}`,
    // A role in a security requirement is the name of a scope (OpenAPI 3.1, Security Requirement Object).
    security: access === 'public' ? [] : [{ session: [] }, ...(scope === undefined ? [] : [{ apiKey: [scope] }])],
  };
}

/** Descriptions of the access rules, written for readers of the API document. */
const ACCESS_DESCRIPTIONS: Readonly<Record<Access, string>> = {
  public: 'Anyone.',
  signed_in: 'Any logged-in user.',
  'company.read': 'Users who can view the company.',
  'company.prepare': 'The company’s owners, bookkeepers and accountants.',
  'company.manage': 'The company’s owners.',
  'company.leave': 'The company’s users, for themselves only.',
  'company.people': 'The company’s owners, if they have just confirmed their identity.',
  'company.file_return': 'The company’s owners, and users with permission to file returns.',
  'company.accept_advance': 'The company’s owners, and users with permission to accept refund offers.',
  'company.api': 'The company’s owners. Writes need a session in which the user has confirmed their identity in the last ten minutes.',
  'practice.read': 'Practice admins and team members. A team member gets results only for the clients assigned to them.',
  'practice.work':
    'Practice admins and team members. A team member can access tasks for the clients assigned to them, and their own tasks that have no client.',
  'practice.export': 'Practice admins, and team members with permission to export, who can export only the clients assigned to them.',
  'practice.invitations':
    'Practice admins, and team members with permission to invite clients, limited to the clients assigned to them and their own runs.',
  'practice.messages': 'Practice admins, and team members with permission to message clients, limited to the clients assigned to them.',
  'practice.connections': 'Practice admins, and team members with permission to manage the practice’s connections.',
  'practice.team': 'Practice admins. Writes need a session in which the user has confirmed their identity in the last ten minutes.',
  'practice.api': 'Practice admins. Writes need a session in which the user has confirmed their identity in the last ten minutes.',
  'practice.manage': 'Practice admins.',
  'practice.clients': 'Practice admins.',
  'client.read': 'Practice admins and team members who can view the client.',
  'client.work': 'Practice admins and team members who can view the client.',
  'client.figures':
    'Practice admins and team members who can view the client, and the client’s own users, whose `company_id` can be the client’s ID.',
  'client.companies': 'Practice admins and team members, and users of the client that `company_id` identifies.',
  'client.papers':
    'Practice admins and team members who can view the client, and the client’s own users, whose `company_id` can be the client’s ID.',
  'client.own': 'Users of the client that `company_id` identifies.',
  'client.manage': 'Practice admins.',
  'client.file_return': 'Practice admins, and team members with permission to file clients’ returns, if they can view the client.',
  'client.propose_advance': 'Practice admins, and team members with permission to propose early refunds, if they can view the client.',
  'client.invite': 'Practice admins, and team members with permission to invite clients, if they can view the client.',
  'client.connections':
    'Practice admins, and team members with permission to manage the practice’s connections, if they can view the client.',
  operator: 'Portal operators.',
  'operator.underwrite': 'Operators who approve or decline refunds.',
  'operator.release': 'Operators who release payouts.',
  'operator.finance': 'Operators who reconcile credits, collect shortfalls and write off debts.',
  'operator.screen': 'The money laundering reporting officer (MLRO).',
  'operator.manage': 'Portal administrators.',
};

function listQueryParameters(query: z.ZodMiniObject, access: Access): readonly Json[] {
  const { properties = {}, required = [] } = toJsonSchema(query, 'input') as {
    properties?: Record<string, Json>;
    required?: readonly string[];
  };
  return Object.entries(properties).map(([name, schema]) => {
    const optionalDescription = describeOptionalTenant(access, name);
    return {
      name,
      in: 'query',
      required: required.includes(name) && optionalDescription === undefined,
      schema,
      ...(optionalDescription === undefined ? {} : { description: optionalDescription }),
    };
  });
}

/** Describes a parameter that a read may omit, because the server's http/resolve-tenant.ts fills it in. */
function describeOptionalTenant(access: Access, name: string): string | undefined {
  const isClients = access.startsWith('client.');
  if (name === 'company_id' && (isClients || access.startsWith('practice.'))) {
    return 'The practice. Optional for users who belong to only one practice.';
  }
  if (isClients && (name === 'client_id' || name === 'client_company_id')) {
    return 'The client. Users who belong to only one practice can send the client’s ID as company_id instead.';
  }
  return undefined;
}

function listHeaderParameters(call: Endpoint): readonly Json[] {
  const { needsIdempotencyKey = false, callsHmrc } = call;
  const acceptsApiKeys = call.method === 'POST' && findScope(call) !== undefined;
  const key = {
    name: 'Idempotency-Key',
    in: 'header',
    required: needsIdempotencyKey,
    schema: { type: 'string', minLength: 8, maxLength: 200 },
    description: `Identifies this request for 30 days. Repeating it returns the first response and does nothing else.${acceptsApiKeys ? ' Used only with an API key.' : ''}`,
  };
  const device = {
    name: CLIENT_DEVICE_HEADER,
    in: 'header',
    required: false,
    schema: { type: 'string' },
    description: 'Percent-encoded JSON with the browser details required for HMRC’s fraud prevention headers.',
  };
  return [...(needsIdempotencyKey || acceptsApiKeys ? [key] : []), ...(callsHmrc ? [device] : [])];
}

const toJsonContent = (schema: z.ZodMiniType): Json => ({ 'application/json': { schema: toJsonSchema(schema, 'output') } });

const createJsonBody = (input: z.ZodMiniObject): Json => ({
  required: true,
  content: { 'application/json': { schema: toJsonSchema(input, 'input') } },
});

function createResponses(status: 200 | 201, content: Json): Json {
  return { [status]: { description: 'Success.', content }, default: { $ref: '#/components/responses/Problem' } };
}

/** Browsers define the shape of their own objects (passkeys), so the document allows anything there. */
export function toJsonSchema(schema: z.ZodMiniType, io: 'input' | 'output'): Json {
  const { $schema: _dialect, ...shape } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return shape;
}
