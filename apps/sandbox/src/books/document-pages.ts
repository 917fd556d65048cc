/** The bookkeeping software's pages that the portal's document links open. Each shows which document was requested. */
import type { FastifyInstance } from 'fastify';
import { escapeHtml, sendHtml } from '../simulator/responses.ts';

export function serveDocumentPages(app: FastifyInstance, brand: string, paths: readonly string[]): void {
  for (const path of paths) {
    app.get(path, (request, reply) =>
      sendHtml(
        reply,
        200,
        `<!doctype html><html lang="en"><title>${brand} sandbox</title><h1>${brand}</h1><p>In ${brand} itself this page shows the document <code>${escapeHtml(request.url)}</code>. Change it on the sandbox’s control page.</p></html>`,
      ),
    );
  }
}
