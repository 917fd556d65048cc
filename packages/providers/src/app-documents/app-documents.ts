/**
 * Reads the metadata document of an OAuth app from the URL that is its client id
 * (https://datatracker.ietf.org/doc/draft-ietf-oauth-client-id-metadata-document/). Anyone can choose that URL.
 */
import { request as requestHttp, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { z } from 'zod';
import { parseJson } from '../http/parse-json.ts';
import { createPublicConnections, type PublicConnectionOptions } from '../http/public-connection.ts';

export type AppDocument = { readonly name: string | undefined; readonly redirectUris: readonly string[] };

export type AppDocuments = {
  /** Returns undefined if, for any reason, the URL doesn't have a document describing this app. */
  read(clientId: string): Promise<AppDocument | undefined>;
};

const TIMEOUT_MS = 5_000;
/** The draft recommends at most 5 KB. */
const MAX_BYTES = 20_000;
const MAX_REDIRECT_URIS = 30;

const documentSchema = z.object({
  client_id: z.string(),
  client_name: z.string().optional(),
  redirect_uris: z.array(z.string()).min(1).max(MAX_REDIRECT_URIS),
  token_endpoint_auth_method: z.string().default('none'),
});

export function createAppDocuments(options: PublicConnectionOptions): AppDocuments {
  const { lookup, findAddressProblem } = createPublicConnections(options);
  const get = (url: URL): Promise<string> =>
    new Promise((resolve, reject) => {
      const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(
        url,
        {
          lookup,
          agent: false,
          signal: AbortSignal.timeout(TIMEOUT_MS),
          headers: { accept: 'application/json', 'user-agent': 'portal-programs/1' },
        },
        (response) => void readBody(response).then(resolve, reject),
      );
      request.on('error', reject);
      request.end();
    });
  return {
    read: async (clientId) => {
      if (findAddressProblem(clientId, '') !== undefined || !isClientId(clientId)) return undefined;
      const documentText = await get(new URL(clientId)).catch(() => undefined);
      const parsed = documentSchema.safeParse(documentText === undefined ? undefined : parseJson(documentText));
      // The document must name its own URL, or one server could impersonate another's app.
      if (!parsed.success || parsed.data.client_id !== clientId || parsed.data.token_endpoint_auth_method !== 'none') return undefined;
      return { name: parsed.data.client_name, redirectUris: parsed.data.redirect_uris };
    },
  };
}

/** Accepts a URL with a path, but without dot segments, a fragment or a query. */
function isClientId(clientId: string): boolean {
  const url = new URL(clientId);
  return url.href === clientId && url.pathname !== '/' && url.hash === '' && url.search === '';
}

/** Throws for anything except a short document at the URL itself: redirects aren't followed. */
async function readBody(response: IncomingMessage): Promise<string> {
  const isJson = /^application\/(?:[\w.-]+\+)?json\b/.test(response.headers['content-type'] ?? '');
  if (response.statusCode !== 200 || !isJson) {
    response.destroy();
    throw new Error(`status ${response.statusCode ?? 0}`);
  }
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BYTES) {
      response.destroy();
      throw new Error('too long');
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
