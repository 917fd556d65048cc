import { toInstant } from '@portal/domain/clock.ts';
import { describe, expect, it } from 'vitest';
import { findWebhook } from './record-webhook.ts';

const createEntry = (action: string, after: unknown = {}) => ({ companyId: 'c', at: toInstant(0), action, subject: 'the id', after });

describe('the webhook of an audit entry', () => {
  it.each([
    [createEntry('clients.imported', { added: 3 }), 'clients.imported', { import_id: 'the id' }],
    [
      createEntry('authorisation.checked', { tax: 'vat', status: 'authorised', refusal: null }),
      'authorisation.changed',
      { client_id: 'the id', tax: 'vat', status: 'authorised' },
    ],
    [createEntry('client.person_joined', { email: 'carl@harlow.example' }), 'client.person_joined', { client_id: 'the id' }],
    [createEntry('work.created_by_obligation', { client_ids: ['a', 'b'] }), 'task.created', { client_ids: ['a', 'b'] }],
    [createEntry('hmrc.ended', { because: 'expired' }), 'hmrc.connection_ended', { reason: 'expired' }],
    [createEntry('return.accepted', { receipt: { form_bundle: '1' } }), 'return.filed', { obligation_id: 'the id' }],
    [
      createEntry('advance.paid', { state: 'paid', reason: 'The bank executed it.' }),
      'advance.stage_changed',
      { advance_id: 'the id', state: 'paid' },
    ],
  ])('of $action holds ids and states only', (change, event, data) => {
    expect(findWebhook(change)).toEqual({ event, data });
  });

  it.each(['identity.signed_in', 'return.refused', 'return.filing', 'advance.assigned', 'team.invited'])(
    'doesn’t exist for %s',
    (action) => {
      expect(findWebhook(createEntry(action))).toBeUndefined();
    },
  );
});
