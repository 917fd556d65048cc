/** OAuth's own endpoints and metadata. Apps call them without a session; a user consents on a page (features/connected-apps/consent.ts). */
import { OAUTH_PATHS } from '@portal/contract/connected-apps.ts';
import { PAGES } from '@portal/contract/pages.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { CONNECTED_APP_SCOPES, MAX_TOKEN_CALLS } from '@portal/domain/developers/connected-apps.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AppDeps, Site } from '../../app-deps.ts';
import { runAsSystem } from '../../run-as-system.ts';
import { limitAttempts, toNetwork } from '../identity/limit-attempts.ts';
import { exchangeToken } from './exchange-token.ts';
import { revokeToken } from './end-apps.ts';
import { OauthError } from './oauth-error.ts';
import { getOauthUrl, getResource, MCP_RESOURCE_METADATA_PATH, RESOURCE_METADATA_PATH } from './app-urls.ts';
import { registerApp } from './register-app.ts';

const MAX_BODY_BYTES = 16_384;

export async function serveOauth(app: FastifyInstance, deps: AppDeps): Promise<void> {
  serveMetadata(app, deps.site);
  await app.register(async (form) => {
    form.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: MAX_BODY_BYTES },
      (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
    );
    form.post(`/portal${OAUTH_PATHS.token}`, { bodyLimit: MAX_BODY_BYTES }, (request, reply) =>
      respond(reply, 200, async () => {
        await limitNetwork(deps, request);
        return runAsSystem('program', () => exchangeToken(deps, toForm(request.body), request.ip));
      }),
    );
    form.post(`/portal${OAUTH_PATHS.revoke}`, { bodyLimit: MAX_BODY_BYTES }, (request, reply) =>
      respond(reply, 200, async () => {
        await limitNetwork(deps, request);
        const { token, client_id: clientId } = toForm(request.body);
        if (token === undefined) throw new OauthError('invalid_request', 'token is missing');
        await runAsSystem('program', () => revokeToken(deps, token, clientId, request.ip));
        return {};
      }),
    );
    form.post(`/portal${OAUTH_PATHS.register}`, { bodyLimit: MAX_BODY_BYTES }, (request, reply) =>
      respond(reply, 201, () => runAsSystem('program', () => registerApp(deps, request.body, request.ip))),
    );
  });
}

/** Serves the metadata of RFC 9728 and RFC 8414, the same for everyone. */
function serveMetadata(app: FastifyInstance, site: Site): void {
  const resource = {
    resource: getResource(site),
    authorization_servers: [site.publicUrl],
    scopes_supported: CONNECTED_APP_SCOPES,
    bearer_methods_supported: ['header'],
    resource_name: `${site.brand} OpenTax`,
    resource_documentation: `${site.publicUrl}/portal${PAGES.assistants.path}`,
  };
  const server = {
    issuer: site.publicUrl,
    authorization_endpoint: getOauthUrl(site, 'authorize'),
    token_endpoint: getOauthUrl(site, 'token'),
    registration_endpoint: getOauthUrl(site, 'register'),
    revocation_endpoint: getOauthUrl(site, 'revoke'),
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    scopes_supported: CONNECTED_APP_SCOPES,
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
    service_documentation: resource.resource_documentation,
  };
  const send = (document: object) => (_request: FastifyRequest, reply: FastifyReply) =>
    // Apps that run in a browser read it too; it contains nothing private.
    reply.header('cache-control', 'public, max-age=3600').header('access-control-allow-origin', '*').send(document);
  app.get(RESOURCE_METADATA_PATH, send(resource));
  app.get(MCP_RESOURCE_METADATA_PATH, send(resource));
  app.get('/.well-known/oauth-authorization-server', send(server));
}

function toForm(body: unknown): Readonly<Record<string, string>> {
  if (typeof body !== 'object' || body === null) throw new OauthError('invalid_request', 'Send the request as a form.');
  return Object.fromEntries(Object.entries(body).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}

function limitNetwork({ database: { db }, wallClock }: AppDeps, { ip }: FastifyRequest): Promise<void> {
  return limitAttempts(db, wallClock, { [`program-token:${toNetwork(ip)}`]: MAX_TOKEN_CALLS });
}

async function respond(reply: FastifyReply, status: number, work: () => Promise<object>): Promise<FastifyReply> {
  reply.header('cache-control', 'no-store').header('pragma', 'no-cache');
  try {
    return reply.status(status).send(await work());
  } catch (error) {
    if (error instanceof OauthError)
      return reply.status(error.code === 'invalid_client' ? 401 : 400).send({ error: error.code, error_description: error.message });
    if (error instanceof AppError && error.kind === 'tooMany') {
      reply.header('retry-after', '900');
      return reply.status(429).send({ error: 'temporarily_unavailable', error_description: error.message });
    }
    throw error;
  }
}
