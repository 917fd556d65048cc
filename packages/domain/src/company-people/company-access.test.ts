import { describe, expect, it } from 'vitest';
import { assertOwnerStays, filterGrantablePermissions } from './company-access.ts';

describe('permissions of a company’s people', () => {
  it('are stored only for roles that need them', () => {
    const all = ['file_returns', 'accept_advances'];
    expect(filterGrantablePermissions('trader_bookkeeper', all)).toEqual(all);
    expect(filterGrantablePermissions('trader_accountant', ['file_returns', 'export'])).toEqual(['file_returns']);
    expect(filterGrantablePermissions('trader_viewer', all)).toEqual([]);
    expect(filterGrantablePermissions('trader_owner', all)).toEqual([]);
  });
});

describe('the last owner', () => {
  it('can’t leave, but one of two can', () => {
    expect(() => assertOwnerStays(['tessa'], 'tessa')).toThrow('A company must have an owner');
    expect(() => assertOwnerStays(['tessa', 'omar'], 'tessa')).not.toThrow();
  });
});
