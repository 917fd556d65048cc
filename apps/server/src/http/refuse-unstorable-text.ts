/** Refuses text that PostgreSQL cannot hold (a NUL, half a surrogate pair), by the field's name: it can only be a mistake or an attack. */
import { invalidField } from '@portal/domain/app-error.ts';
import type { FastifyInstance } from 'fastify';

export function refuseUnstorableText(app: FastifyInstance): void {
  app.addHook('preHandler', async (request) => {
    // A page, or nothing, stands at an address without a handler: nothing of it is stored, and a person gets the page.
    if (request.is404) return;
    checkText(request.query);
    // Webhooks are bytes, verified and read by their own routes.
    if (!Buffer.isBuffer(request.body)) checkText(request.body);
  });
}

/** Goes through it without recursion: a body of brackets alone can be deeper than the stack. */
function checkText(input: unknown): void {
  const waiting: { readonly field: string; readonly value: unknown }[] = [{ field: 'body', value: input }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { field, value } = next;
    if (typeof value === 'string' && (value.includes('\0') || !value.isWellFormed())) {
      throw invalidField(field, 'This holds a character that no text can have. Type it again instead of pasting it.');
    }
    if (typeof value !== 'object' || value === null) continue;
    for (const [name, member] of Object.entries(value)) waiting.push({ field: Array.isArray(value) ? field : name, value: member });
  }
}
