import { describe, expect, it } from 'vitest';
import { mergeFacts } from './merge-facts.ts';

const BASE = { name: 'Alder Ltd', phone: '', email: 'a@alder.example' };

describe('two people editing the same facts', () => {
  it('merges changes to different fields', () => {
    expect(mergeFacts(BASE, { ...BASE, phone: '01' }, { ...BASE, email: 'b@alder.example' })).toEqual({
      merged: { name: 'Alder Ltd', phone: '01', email: 'b@alder.example' },
      updatedByOther: ['email'],
      conflicts: [],
    });
  });

  it('reports a conflict when both changed the same field, and loses no input', () => {
    expect(mergeFacts(BASE, { ...BASE, phone: '01' }, { ...BASE, phone: '02' })).toEqual({
      merged: { ...BASE, phone: '01' },
      updatedByOther: [],
      conflicts: ['phone'],
    });
  });

  it('reports no conflict when both entered the same text', () => {
    expect(mergeFacts(BASE, { ...BASE, phone: '01' }, { ...BASE, phone: '01' })).toMatchObject({ updatedByOther: [], conflicts: [] });
  });
});
