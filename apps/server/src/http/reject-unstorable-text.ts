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

type Field = { readonly name: string; readonly parent: Field | undefined; readonly value: unknown };

/** Not recursive: a body made up of brackets can be nested more deeply than the stack allows. */
function checkText(input: unknown): void {
  const pendingFields: Field[] = [{ name: '', parent: undefined, value: input }];
  for (let field = pendingFields.pop(); field; field = pendingFields.pop()) {
    const { value } = field;
    if (typeof value === 'string' && (value.includes('\0') || !value.isWellFormed())) {
      throw createInvalidFieldError(formatPath(field), 'This contains a character we can’t save. Type it instead of pasting it.');
    }
    if (typeof value !== 'object' || value === null) continue;
    for (const [name, member] of Object.entries(value)) pendingFields.push({ name, parent: field, value: member });
  }
}

/** Formats the field as for every other invalid input: "checklist.0.text". */
function formatPath(field: Field): string {
  const names: string[] = [];
  for (let next: Field | undefined = field; next?.parent; next = next.parent) names.unshift(next.name);
  return names.join('.') || 'body';
}
