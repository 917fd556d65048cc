import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { refuseUnstorableText } from './refuse-unstorable-text.ts';
import { sendErrors } from './send-errors.ts';

let app: FastifyInstance;
beforeAll(() => {
  app = Fastify();
  sendErrors(app);
  refuseUnstorableText(app);
  app.post('/', async () => ({ done: true }));
});
afterAll(() => app.close());

const post = (payload: string, query = {}) =>
  app.inject({ method: 'POST', url: '/', query, payload, headers: { 'content-type': 'application/json' } });

describe('text that cannot be stored', () => {
  it.each([
    ['a NUL', '{"full_name":"a\\u0000b"}', 'full_name'],
    ['half a surrogate pair', '{"full_name":"a\\ud800b"}', 'full_name'],
    ['a NUL deep inside', '{"list":[{"name":"\\u0000"}]}', 'name'],
  ])('is refused by its field: %s', async (_what, payload, field) => {
    const answer = await post(payload);
    expect(answer.statusCode).toBe(400);
    expect(Object.keys(answer.json<{ message: object }>().message)).toEqual([field]);
  });

  it('is refused in the query too', async () => {
    expect((await post('{}', { file_name: 'a\0.csv' })).statusCode).toBe(400);
  });

  it('is not what people write in any script, and no depth of brackets breaks the check', async () => {
    expect((await post('{"full_name":"O’Brien 漢字 🏴‍☠️"}')).statusCode).toBe(200);
    expect((await post(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)).statusCode).toBe(200);
  });
});
