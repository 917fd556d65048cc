/** Serves QuickBooks Online's query endpoint and Intuit's token revocation behind its sign-in (docs/reference/providers.md section 2). */
import { parseJson } from '@portal/providers/http/parse-json.ts';
import { INTUIT_ACCOUNTING_SCOPE } from '@portal/providers/intuit/intuit-wire.ts';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { serveDocumentPages } from '../books/document-pages.ts';
import { openSandboxBooks } from '../books/sandbox-books.ts';
import type { IdentityContext } from '../oidc/provider-profile.ts';
import type { FindRecordings } from '../simulator/recordings.ts';
import { readBodyText } from '../simulator/request.ts';
import { createQuickBooksBooksSimulator } from './quickbooks-books-simulator.ts';

const revocationWire = z.object({ token: z.string() });

export function serveQuickBooksApi(app: FastifyInstance, { store, clock, records }: IdentityContext): void {
  const books = openSandboxBooks(store, clock, 'quickbooks');
  const find: FindRecordings = (token, realmId) => {
    const grant = records.accessTokens.get(token);
    if (!grant || grant.expiresAt <= clock.now()) return 'unknown_token';
    const isGranted = grant.realmId === realmId && grant.scopes.includes(INTUIT_ACCOUNTING_SCOPE);
    const isReadable = books.findOrganisation(realmId)?.isReadable === true;
    return isGranted && isReadable ? (books.read(realmId) ?? 'other_organisation') : 'other_organisation';
  };
  void app.register(createQuickBooksBooksSimulator({ find }));
  app.post('/v2/oauth2/tokens/revoke', (request, reply) => {
    const parsed = revocationWire.safeParse(parseJson(readBodyText(request)));
    const refresh = parsed.success ? records.refreshTokens.get(parsed.data.token) : undefined;
    if (!refresh) return reply.code(400).send({ error: 'invalid_request' });
    for (const kind of [records.accessTokens, records.refreshTokens]) {
      for (const { key, document } of kind.list()) {
        if (document.subject === refresh.subject && document.realmId === refresh.realmId) kind.delete(key);
      }
    }
    return reply.code(200).send();
  });
  serveDocumentPages(app, 'QuickBooks', ['/app/*']);
}
