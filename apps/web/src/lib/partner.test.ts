// Specification 4, "Partner cookie", and 3, "Partner data in local storage".
import { describe, expect, it } from 'vitest';
import { partnerFrom } from './partner.ts';

describe('the partner of a visitor', () => {
  it.each([
    ['?partner=Swoop', '', 'swoop'],
    ['?partner_id=AZETS', 'partner_id=swoop', 'azets'],
    ['', 'a=b; partner_id=swoop; c=d', 'swoop'],
    ['', 'partner_id=my%20partner', 'my partner'],
    ['', 'partner_id=100%', '100%'],
    ['?partner=', 'not_partner_id=swoop', 'organic'],
    ['', '', 'organic'],
  ])('of the query %j and the cookies %j is %s', (search, cookies, partner) => {
    expect(partnerFrom(search, cookies)).toBe(partner);
  });
});
