/** Rejects text that PostgreSQL can't store (a NUL, a lone surrogate) and names the field. Such text is either a mistake or an attack. */
import { createInvalidFieldError } from '@portal/domain/app-error.ts';
import type { FastifyInstance } from 'fastify';

export function rejectUnstorableText(app: FastifyInstance): void {
  app.addHook('preHandler', async (request) => {
    // An unknown URL has no handler that could store anything, and visitors should get the not-found page.
    if (request.is404) return;
    checkText(request.query);
    // Webhook bodies are bytes, verified and parsed by their own routes.
    if (!Buffer.isBuffer(request.body)) checkText(request.body);
  });
}

/** Not recursive: a body made up of brackets can be nested more deeply than the stack allows. */
function checkText(input: unknown): void {
  const pendingFields: { readonly field: string; readonly value: unknown }[] = [{ field: 'body', value: input }];
  for (let next = pendingFields.pop(); next; next = pendingFields.pop()) {
    const { field, value } = next;
    if (typeof value === 'string' && (value.includes('\0') || !value.isWellFormed())) {
      throw createInvalidFieldError(field, 'This contains a character we can’t save. Type it instead of pasting it.');
    }
    if (typeof value !== 'object' || value === null) continue;
    for (const [name, member] of Object.entries(value)) pendingFields.push({ field: Array.isArray(value) ? field : name, value: member });
  }
}
