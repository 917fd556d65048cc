// Statuses: docs/product/decisions.md section 5. 21 days, services and codes: docs/reference/hmrc.md section 5.
import { describe, expect, it } from 'vitest';
import { plainDate } from '../plain-date.ts';
import {
  AUTHORISATION_FILTERS,
  AUTHORISATION_LABELS,
  describeAuthorisation,
  FILTERED_STATUSES,
  type AuthorisationFacts,
} from './describe-authorisation.ts';

const FACTS: AuthorisationFacts = {
  tax: 'vat',
  status: 'not_started',
  sentOn: null,
  expiresOn: null,
  refusal: null,
  hasReference: true,
  hasFact: true,
  hmrcConnection: 'connected',
  agentCode: null,
  today: plainDate('2026-11-21'),
};
const describeWith = (facts: Partial<AuthorisationFacts>) => describeAuthorisation({ ...FACTS, ...facts });
const sentAuthorisation = { status: 'link_sent', sentOn: plainDate('2026-11-10'), expiresOn: plainDate('2026-12-01') } as const;

describe('the status of an authorisation', () => {
  it('is unknown until HMRC has answered: never “not authorised”', () => {
    expect(AUTHORISATION_LABELS[describeWith({ status: null }).status]).toBe('Not checked yet');
    expect(FILTERED_STATUSES.missing).not.toContain('not_checked');
    expect(AUTHORISATION_FILTERS.filter((filter) => FILTERED_STATUSES[filter].includes('not_checked'))).toEqual(['not_checked']);
  });

  it('offers to send a request when none was sent before', () => {
    expect(describeWith({})).toMatchObject({ status: 'not_started', acts: ['send', 'check'], needs: null });
  });

  it('never says that a client was not asked: requests can also be created on HMRC’s website', () => {
    expect(describeWith({ status: null })).toMatchObject({
      status: 'not_checked',
      sentence: 'We haven’t checked with HMRC yet whether this client has authorised you.',
      acts: ['send', 'check'],
    });
    expect(describeWith({ refusal: 'MAYBE_REQUESTED' }).sentence).toContain('One may be for this client');
    expect(describeWith({}).next).toContain('If a request is already pending at HMRC, you’ll get its link.');
  });

  it.each([
    ['2026-11-10', 1],
    ['2026-11-21', 12],
    ['2026-11-30', 21],
  ])('counts the days of a link: on %s it is day %i of 21', (today, day) => {
    const description = describeWith({ ...sentAuthorisation, today: plainDate(today) });
    expect(description).toMatchObject({ status: 'link_sent', linkDay: day, acts: ['check', 'cancel'] });
    expect(description.sentence).toBe(`Request created (day ${day} of 21). The client can respond until 30 November 2026.`);
  });

  it('expires on the day HMRC gave, or after 21 days if it gave none', () => {
    expect(describeWith({ ...sentAuthorisation, today: plainDate('2026-12-01') })).toMatchObject({
      status: 'expired',
      acts: ['send', 'check'],
      linkDay: null,
    });
    expect(describeWith({ ...sentAuthorisation, expiresOn: null, today: plainDate('2026-11-30') })).toMatchObject({ status: 'link_sent' });
    expect(describeWith({ ...sentAuthorisation, expiresOn: null, today: plainDate('2026-12-01') })).toMatchObject({ status: 'expired' });
  });

  it('is expiring when the client has authorised but HMRC’s permission for the portal ends soon', () => {
    expect(describeWith({ status: 'authorised' })).toMatchObject({ status: 'authorised', next: '' });
    expect(describeWith({ status: 'authorised', hmrcConnection: 'ending' })).toMatchObject({ status: 'expiring' });
  });

  it.each([
    ['REJECTED', 'The client declined your last request.'],
    ['VAT_REG_DATE_DOES_NOT_MATCH', 'The VAT registration date doesn’t match HMRC’s records for the client.'],
    ['A_CODE_OF_TOMORROW', 'This client hasn’t authorised you yet.'],
  ])('explains %s', (refusal, sentence) => {
    expect(describeWith({ refusal }).sentence).toBe(sentence);
  });

  it.each(['paye', 'ct'] as const)('of %s is unsupported whatever is stored, and says what to do instead', (tax) => {
    const description = describeWith({ tax, status: 'link_sent', agentCode: 'A1234B' });
    expect(description).toMatchObject({ status: 'unsupported', acts: [] });
    expect(description.next).toContain('your agent code A1234B');
    expect(describeWith({ tax }).next).toContain('add it in Settings');
  });

  it('asks for a missing known fact, and for the reference first', () => {
    expect(describeWith({ hasFact: false })).toMatchObject({ acts: ['send'], needs: 'vat_registered_on' });
    expect(describeWith({ tax: 'sa', hasFact: false })).toMatchObject({ acts: ['send'], needs: 'postcode' });
    expect(describeWith({ tax: 'sa', hasReference: false })).toMatchObject({
      acts: [],
      next: 'Add the client’s National Insurance number first.',
    });
  });

  it.each(['not_connected', 'lapsed', 'declined'] as const)('offers no actions while the practice is %s', (grant) => {
    expect(describeWith({ hmrcConnection: grant })).toMatchObject({ status: 'not_started', acts: [], needs: null });
    expect(describeWith({ ...sentAuthorisation, hmrcConnection: grant }).next).toContain('Connect to HMRC before');
    expect(describeWith({ tax: 'ct', hmrcConnection: grant }).next).toContain('64-8');
  });

  it('asks for the known fact again when HMRC holds a different one', () => {
    expect(describeWith({ refusal: 'VAT_REG_DATE_DOES_NOT_MATCH' })).toMatchObject({ acts: ['send'], needs: 'vat_registered_on' });
    expect(describeWith({ tax: 'sa', refusal: 'POSTCODE_FORMAT_INVALID' })).toMatchObject({ acts: ['send'], needs: 'postcode' });
    expect(describeWith({ refusal: 'CLIENT_REGISTRATION_NOT_FOUND' })).toMatchObject({ acts: ['send', 'check'], needs: null });
  });
});
