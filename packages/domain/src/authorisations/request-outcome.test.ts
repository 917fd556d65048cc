import { describe, expect, it } from 'vitest';
import { planRequest, type RequestFacts } from './request-outcome.ts';

const FACTS: RequestFacts = {
  hasTax: true,
  isGroupMember: false,
  isCurrent: true,
  status: 'not_started',
  hasLink: false,
  hasReference: true,
  hasFact: true,
};

describe('an authorisation request among many', () => {
  it.each([
    ['ready', {}],
    ['ready', { status: 'expired' }],
    ['ready', { status: 'revoked' }],
    ['ready', { status: 'link_sent' }],
    ['pending', { status: 'link_sent', hasLink: true }],
    ['authorised', { status: 'authorised', hasFact: false }],
    ['authorised', { status: 'expiring' }],
    ['insolvent', { status: 'suspended' }],
    ['no_reference', { hasReference: false, hasFact: false }],
    ['no_fact', { hasFact: false }],
    ['in_vat_group', { hasTax: false, isGroupMember: true, status: 'unsupported' }],
    ['no_tax', { hasTax: false, status: 'unsupported' }],
    ['not_current', { isCurrent: false }],
  ] as const)('is %s for %j', (plan, facts) => {
    expect(planRequest({ ...FACTS, ...facts })).toBe(plan);
  });
});
