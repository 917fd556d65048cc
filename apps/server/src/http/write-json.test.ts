import { ALL_ENDPOINTS } from '@portal/contract/all-endpoints.ts';
import type { Endpoint } from '@portal/contract/endpoint.ts';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { responseSchema } from './response-schema.ts';
import { jsonWriterOf } from './write-json.ts';

const shape = z.object({
  name: z.string().nullable(),
  items: z.array(z.object({ id: z.string(), amount_pence: z.int().nullable(), tags: z.array(z.enum(['a', 'b'])) })),
  parent: z.object({ id: z.string() }).nullable(),
  note: z.string().optional(),
  done: z.literal(true),
});

function write(value: unknown): unknown {
  const writeJson = jsonWriterOf(responseSchema(shape));
  if (!writeJson) throw new Error('the schema has a writer');
  return JSON.parse(writeJson(value));
}

describe('a written answer', () => {
  const whole = {
    name: 'A "quoted"\nname',
    items: [{ id: '1', amount_pence: -5, tags: ['a'] }],
    parent: { id: '2' },
    note: 'n',
    done: true,
  };

  it('holds what the contract lists', () => {
    expect(write(whole)).toEqual(whole);
    const empty = { name: null, items: [], parent: null, done: true };
    expect(write(empty)).toEqual(empty);
  });

  it('holds nothing else, at any depth', () => {
    const [item] = whole.items;
    expect(write({ ...whole, secret: 1, parent: { id: '2', secret: 1 }, items: [{ ...item, secret: { deep: 1 } }] })).toEqual(whole);
  });

  it('is refused where an object stands for a plain value', () => {
    expect(() => write({ ...whole, name: { secret: 1 } })).toThrow('plain value');
    expect(() => write({ ...whole, items: [{ ...whole.items[0], tags: [{ secret: 1 }] }] })).toThrow('plain value');
  });

  it('of choices and free keys is left to the serialiser that knows them', () => {
    for (const other of [z.object({ a: z.union([z.string(), z.object({ b: z.string() })]) }), z.record(z.string(), z.string())]) {
      expect(jsonWriterOf(responseSchema(other))).toBeUndefined();
    }
  });

  it('is ours for nearly every call', () => {
    const calls = Object.values(ALL_ENDPOINTS).flatMap((api) => Object.values<Endpoint>(api));
    const ours = calls.filter(({ output }) => jsonWriterOf(responseSchema(output)));
    expect(ours.length / calls.length).toBeGreaterThan(0.9);
  });
});
