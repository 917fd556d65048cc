// Tests the menu's first entry (docs/product/specification.md section 2.6, "Slide-out menu"). Section 9: "multiple companies means a count
// greater than 1".
import { describe, expect, it } from 'vitest';
import { getHomeEntry } from './home-entry.ts';

const dashboard = '/v2/instant-vat/dashboard';
const gateway = '/v2/instant-vat/steps/government-gateway';

describe('the first entry of the menu', () => {
  it.each([
    ['one company', dashboard, 1, 'Home', '/home'],
    ['no company', dashboard, 0, 'Home', '/home'],
    ['a list that could not be read', dashboard, undefined, 'Home', '/home'],
    ['several companies', dashboard, 2, 'My companies', '/v2/instant-vat/profile?company_id=c1'],
    ['the gateway step', gateway, 1, 'Home', '/company'],
    ['the gateway step with several companies', gateway, 2, 'My companies', '/company'],
    ['the gateway step of a partner’s visitor', '/v2/instant-vat/signup/government-gateway', 1, 'Home', '/company'],
  ] as const)('with %s, at %s (companies: %s), is %s, linked to %s', (_name, pathname, companies, label, to) => {
    expect(getHomeEntry(pathname, companies, 'c1')).toEqual({ label, to });
  });

  it('has no company in its link if none is known', () => {
    expect(getHomeEntry(dashboard, 3, '').to).toBe('/v2/instant-vat/profile');
  });
});
