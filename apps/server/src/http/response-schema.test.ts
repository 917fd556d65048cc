import { ALL_ENDPOINTS } from '@portal/contract/all-endpoints.ts';
import type { Endpoint } from '@portal/contract/endpoint.ts';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { compileSerializerOnUse, getResponseSchema } from './response-schema.ts';

const shape = z.object({
  name: z.string().nullable(),
  items: z.array(z.object({ id: z.string(), amount_pence: z.int().nullable(), tags: z.array(z.enum(['a', 'b'])) })),
  parent: z.object({ id: z.string() }).nullable(),
  note: z.string().optional(),
  done: z.literal(true),
});

function createSerializer(output: z.core.$ZodType): (value: unknown) => string {
  return compileSerializerOnUse({ schema: getResponseSchema(output), method: 'GET', url: '/' });
}

function serialize(value: unknown): unknown {
  return JSON.parse(createSerializer(shape)(value));
}

describe('a serialised response', () => {
  const complete = {
    name: 'A "quoted"\nname',
    items: [{ id: '1', amount_pence: -5, tags: ['a'] }],
    parent: { id: '2' },
    note: 'n',
    done: true,
  };

  it('contains what the contract lists', () => {
    expect(serialize(complete)).toEqual(complete);
    const minimalRow = { name: null, items: [], parent: null, done: true };
    expect(serialize(minimalRow)).toEqual(minimalRow);
  });

  it('contains nothing else, at any depth', () => {
    const [item] = complete.items;
    expect(serialize({ ...complete, secret: 1, parent: { id: '2', secret: 1 }, items: [{ ...item, secret: { deep: 1 } }] })).toEqual(
      complete,
    );
  });

  it('never contains an object where the contract lists a plain value', () => {
    expect(() => serialize({ ...complete, name: { secret: 'deep' } })).toThrow('does not match');
    expect(JSON.stringify(serialize({ ...complete, items: [{ ...complete.items[0], tags: [{ secret: 'deep' }] }] }))).not.toContain('deep');
  });
});

it.each(Object.values(ALL_ENDPOINTS).flatMap((api) => Object.values<Endpoint>(api)))(
  'the response of $method $path has a schema that compiles',
  ({ output }) => {
    // An empty response is incomplete, but by the time the serialiser throws because of that, it has compiled.
    const compile = (): void => {
      try {
        createSerializer(output)({});
      } catch (error) {
        if (!/is required|does not match schema/.test(String(error))) throw error;
      }
    };
    expect(compile).not.toThrow();
  },
);
