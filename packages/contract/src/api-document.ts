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

/** `publicUrl`: the portal's public origin, without a path. `sessionCookie`: the name of the session cookie. */
export function describeApi({ publicUrl, sessionCookie }: { readonly publicUrl: string; readonly sessionCookie: string }): ApiDocument {
  const paths: Record<string, Record<string, Json>> = {};
  const addOperation = ({ method, path }: Pick<Endpoint, 'method' | 'path'>, operation: Json): void => {
    (paths[path] ??= {})[method.toLowerCase()] = operation;
  };
  for (const [id, tag, call] of listWithIds<Endpoint>(ALL_ENDPOINTS)) addOperation(call, describeCall(id, tag, call));
  for (const [id, tag, call] of listWithIds<FileEndpoint>(FILE_ENDPOINTS)) addOperation(call, describeFileCall(id, tag, call));
  return {
    openapi: '3.1.0',
    info: {
      title: 'InstantVAT and OpenTax',
      version: '1',
      description:
        'Amounts ending in _pence are whole pence, dates are calendar days in London, and date-times are UTC. Every error is an RFC 9457 problem. With a session, requests that change data are accepted from our own origin only. An API key needs no session: send it as `Authorization: Bearer`.',
    },
    servers: [{ url: `${publicUrl}/portal` }],
    tags: Object.keys(ALL_ENDPOINTS).map((name) => ({ name })),
    paths,
    components: {
      schemas: { Problem: toJsonSchema(problemOutput, 'output') },
      responses: {
        Problem: {
          description: 'The request was rejected or failed. `message` says why and what to do; `code` is machine-readable.',
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
  'An API key of a practice or a company, created in the settings. It acts for the user who created it, within its scopes and that user’s own permissions, in one practice or company, which every call may then omit.',
  `Scopes: ${API_SCOPES.map((scope) => `\`${scope}\` ${API_SCOPE_NAMES[scope].replace(/^[A-Z]/, (letter) => letter.toLowerCase())}`).join('; ')}.`,
  'A call without a scope needs a logged-in user. A valid key without the scope gets 403, an unknown, expired or revoked one 401.',
].join(' ');

/** Lists every endpoint with its ID and subject. */
function listWithIds<Call>(
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
    responses: responses(200, toJsonContent(call.output)),
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
    // Uploads and streams must specify their company; reads may omit it (resolve-tenant.ts).
    parameters: query ? listQueryParameters(query, isUpload || isStream ? 'signed_in' : call.access) : [],
    ...(requestBody ? { requestBody } : {}),
    responses: responses(isUpload ? 201 : 200, content),
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
  const limit = maxPerPerson === undefined ? '' : ` One user may call it ${maxPerPerson} times in 15 minutes.`;
  return {
    operationId,
    tags: [tag],
    summary,
    description: `${ACCESS_DESCRIPTIONS[access]}${limit}`,
    // A role in a security requirement is the name of a scope (OpenAPI 3.1, Security Requirement Object).
    security: access === 'public' ? [] : [{ session: [] }, ...(scope === undefined ? [] : [{ apiKey: [scope] }])],
  };
}

/** Descriptions of the access rules for readers of the document. */
const ACCESS_DESCRIPTIONS: Readonly<Record<Access, string>> = {
  public: 'Anyone.',
  signed_in: 'Any logged-in user.',
  'company.read': 'Users who can view the company.',
  'company.prepare': 'Owners, bookkeepers and accountants of the company.',
  'company.manage': 'Owners of the company.',
  'company.leave': 'People of the company, about themselves.',
  'company.people': 'Owners of the company who have just confirmed who they are.',
  'company.file_return': 'Owners of the company, and people with the permission to file returns.',
  'company.accept_advance': 'Owners of the company, and people with the permission to accept refund offers.',
  'company.api': 'Owners of the company. Writes need a session in which the user confirmed their identity in the last ten minutes.',
  'practice.read': 'Members of the practice. Results for a team member cover only the clients assigned to them.',
  'practice.work':
    'Members of the practice. A team member reaches tasks of the clients assigned to them, and of those without a client their own.',
  'practice.export': 'Admins of the practice, and team members with the permission to export, who get only the clients assigned to them.',
  'practice.invitations':
    'Admins of the practice, and team members with the permission to invite clients, who reach those assigned to them and their own runs.',
  'practice.messages':
    'Admins of the practice, and team members with the permission to message clients, who write to those assigned to them.',
  'practice.connections': 'Admins of the practice, and team members with the permission to manage its connections.',
  'practice.team': 'Admins of the practice. Writes need a session in which the user confirmed their identity in the last ten minutes.',
  'practice.api': 'Admins of the practice. Writes need a session in which the user confirmed their identity in the last ten minutes.',
  'practice.manage': 'Admins of the practice.',
  'client.read': 'Members of the practice who can view the client.',
  'client.work': 'Members of the practice who can view the client.',
  'client.figures':
    'Members of the practice who can view the client, and the client’s own people, for whom `company_id` may be the client.',
  'client.companies': 'Members of the practice, and people of the client that `company_id` names.',
  'client.papers': 'Members of the practice who can view the client, and the client’s own people, for whom `company_id` may be the client.',
  'client.own': 'People of the client that `company_id` names.',
  'client.manage': 'Admins of the practice.',
  'client.file_return':
    'Admins of the practice, and team members with the permission to file clients’ returns, if they can view the client.',
  'client.propose_advance':
    'Admins of the practice, and team members with the permission to propose early refunds, if they can view the client.',
  'client.invite': 'Admins of the practice, and team members with the permission to invite clients, if they can view the client.',
  'client.connections':
    'Admins of the practice, and team members with the permission to manage its connections, if they can view the client.',
  operator: 'Operators of the portal.',
  'operator.underwrite': 'Operators who approve or decline refunds.',
  'operator.release': 'Operators who release payouts.',
  'operator.finance': 'Operators who reconcile credits, collect shortfalls and write off.',
  'operator.screen': 'The money laundering reporting officer.',
  'operator.manage': 'Administrators of the portal.',
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
    return 'The client. Users who belong to only one practice can send the client as company_id instead.';
  }
  return undefined;
}

function listHeaderParameters(call: Endpoint): readonly Json[] {
  const { needsIdempotencyKey = false, callsHmrc } = call;
  const isForKeys = call.method === 'POST' && findScope(call) !== undefined;
  const key = {
    name: 'Idempotency-Key',
    in: 'header',
    required: needsIdempotencyKey,
    schema: { type: 'string', minLength: 8, maxLength: 200 },
    description: `Identifies this request for 30 days. Repeating it returns the first response and does nothing else.${isForKeys ? ' Used with an API key only.' : ''}`,
  };
  const device = {
    name: CLIENT_DEVICE_HEADER,
    in: 'header',
    required: false,
    schema: { type: 'string' },
    description: 'Percent-encoded JSON with the browser details that HMRC’s fraud prevention headers require.',
  };
  return [...(needsIdempotencyKey || isForKeys ? [key] : []), ...(callsHmrc ? [device] : [])];
}

const toJsonContent = (schema: z.ZodMiniType): Json => ({ 'application/json': { schema: toJsonSchema(schema, 'output') } });

const createJsonBody = (input: z.ZodMiniObject): Json => ({
  required: true,
  content: { 'application/json': { schema: toJsonSchema(input, 'input') } },
});

function responses(status: 200 | 201, content: Json): Json {
  return { [status]: { description: 'Success.', content }, default: { $ref: '#/components/responses/Problem' } };
}

/** Browsers define the shape of their own objects (passkeys), so the document allows anything there. */
export function toJsonSchema(schema: z.ZodMiniType, io: 'input' | 'output'): Json {
  const { $schema: _dialect, ...shape } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return shape;
}
