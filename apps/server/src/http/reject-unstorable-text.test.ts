import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rejectUnstorableText } from './reject-unstorable-text.ts';
import { sendErrors } from './send-errors.ts';

let app: FastifyInstance;
beforeAll(() => {
  app = Fastify();
  sendErrors(app, () => undefined);
  rejectUnstorableText(app);
  app.post('/', async () => ({ done: true }));
});
afterAll(() => app.close());

const post = (payload: string, query = {}) =>
  app.inject({ method: 'POST', url: '/', query, payload, headers: { 'content-type': 'application/json' } });

describe('text that cannot be stored', () => {
  it.each([
    ['a NUL', '{"full_name":"a\\u0000b"}', 'full_name'],
    ['half a surrogate pair', '{"full_name":"a\\ud800b"}', 'full_name'],
    ['a NUL deep inside', '{"list":[{"name":"\\u0000"}]}', 'list.0.name'],
  ])("returns 400 with the field's name: %s", async (_case, payload, field) => {
    const response = await post(payload);
    expect(response.statusCode).toBe(400);
    expect(Object.keys(response.json<{ message: object }>().message)).toEqual([field]);
  });

  it('is rejected in the query too', async () => {
    expect((await post('{}', { file_name: 'a\0.csv' })).statusCode).toBe(400);
  });

  it("allows text in any script, and deeply nested brackets don't break the check", async () => {
    expect((await post('{"full_name":"O’Brien 漢字 🏴‍☠️"}')).statusCode).toBe(200);
    expect((await post(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)).statusCode).toBe(200);
  });
});
