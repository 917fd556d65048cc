import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { assertJsonText, JsonText } from './json-text.ts';

const output = z.object({ rows: z.array(z.object({ id: z.string(), name: z.string().nullable() })) });

describe('JSON text written by PostgreSQL', () => {
  it('passes if it matches the contract', () => {
    expect(() => assertJsonText(output, new JsonText('{"rows":[{"name":null,"id":"1"}]}'))).not.toThrow();
  });

  it.each([
    ['a field more, at any depth', '{"rows":[{"id":"1","name":"A","secret":1}]}', 'does not list'],
    ['a field less', '{"rows":[{"id":"1"}]}', 'expected string'],
    ['a value of another type', '{"rows":[{"id":1,"name":"A"}]}', 'expected string'],
    ['no JSON', '{"rows":[', 'JSON'],
  ])('throws for %s', (_case, text, message) => {
    expect(() => assertJsonText(output, new JsonText(text))).toThrow(message);
  });
});
