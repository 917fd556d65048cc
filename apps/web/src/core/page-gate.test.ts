// Tests docs/product/specification.md sections 4 ("Login state") and 2.5 (public pages). Nothing private may be visible before the login
// check is complete.
import { findPage } from '@portal/contract/pages.ts';
import { describe, expect, it } from 'vitest';
import { getPageGate, type PageGate } from './page-gate.ts';
import type { Session } from './session-state.ts';

const sessions = {
  checking: { status: 'checking' },
  signed_out: { status: 'signed_out' },
  trader: { status: 'signed_in', person: { type: 'trader' } },
  operator: { status: 'signed_in', person: { type: 'operator', is_operator: true } },
  unknown: { status: 'unknown', error: new Error('offline') },
} as const satisfies Record<string, Session>;

const rows: readonly (readonly [path: string, Record<keyof typeof sessions, PageGate>])[] = [
  ['/v2/instant-vat/dashboard', { checking: 'hidden', signed_out: 'waiting', trader: 'open', operator: 'open', unknown: 'open' }],
  ['/admin', { checking: 'waiting', signed_out: 'waiting', trader: 'not_found', operator: 'open', unknown: 'open' }],
  ['/login', { checking: 'hidden', signed_out: 'open', trader: 'hidden', operator: 'hidden', unknown: 'open' }],
  ['/v2/auth/check-mail', { checking: 'open', signed_out: 'open', trader: 'open', operator: 'open', unknown: 'open' }],
  ['/v2/instant-vat/steps/about', { checking: 'open', signed_out: 'open', trader: 'open', operator: 'open', unknown: 'open' }],
  [
    '/v2/instant-vat/steps/bank-account',
    { checking: 'waiting', signed_out: 'asks_login', trader: 'open', operator: 'open', unknown: 'open' },
  ],
  ['/v2/instant-vat/signup/company', { checking: 'waiting', signed_out: 'asks_login', trader: 'open', operator: 'open', unknown: 'open' }],
  ['/no/such/page', { checking: 'open', signed_out: 'open', trader: 'open', operator: 'open', unknown: 'open' }],
];

describe('the page gate', () => {
  for (const [path, expected] of rows) {
    it.each(Object.entries(expected))(`at ${path} for %s is %s`, (name, gate) => {
      expect(getPageGate(findPage(path), path, sessions[name as keyof typeof sessions])).toBe(gate);
    });
  }
});
