import { describe, expect, it } from 'vitest';
import { mergeFacts } from './merge-facts.ts';

const BASE = { name: 'Alder Ltd', phone: '', email: 'a@alder.example' };

describe('facts that two people change at once', () => {
  it('go together where each changed another field', () => {
    expect(mergeFacts(BASE, { ...BASE, phone: '01' }, { ...BASE, email: 'b@alder.example' })).toEqual({
      merged: { name: 'Alder Ltd', phone: '01', email: 'b@alder.example' },
      taken: ['email'],
      clashes: [],
    });
  });

  it('are a question where both changed the same field, and nothing typed is lost', () => {
    expect(mergeFacts(BASE, { ...BASE, phone: '01' }, { ...BASE, phone: '02' })).toEqual({
      merged: { ...BASE, phone: '01' },
      taken: [],
      clashes: ['phone'],
    });
  });

  it('are no question where both wrote the same', () => {
    expect(mergeFacts(BASE, { ...BASE, phone: '01' }, { ...BASE, phone: '01' })).toMatchObject({ taken: [], clashes: [] });
  });
});
