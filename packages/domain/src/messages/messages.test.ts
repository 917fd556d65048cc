import { describe, expect, it } from 'vitest';
import { parseInstant, type Instant } from '../clock.ts';
import { fillInFields, listUnknownFields, type FieldValues } from './message-fields.ts';
import { MESSAGE_TEMPLATES } from './message-templates.ts';
import { getMessageStatus } from './message-status.ts';
import { findNextSendAt, getSendingLimits } from './sending-limits.ts';

const FIELD_VALUES: FieldValues = {
  client: 'Ash & Co',
  deadline: 'VAT return',
  'due date': '7 December 2026',
  amount: null,
  practice: 'Oakline',
  sender: 'Olivia Oak',
};

describe('the fields of a message', () => {
  it('are filled in wherever they are', () => {
    expect(fillInFields('{client}: {deadline} by {due date}. {client}!', FIELD_VALUES)).toEqual({
      text: 'Ash & Co: VAT return by 7 December 2026. Ash & Co!',
    });
  });
  it('keep a message from being sent with a gap', () => {
    expect(fillInFields('{amount} is due, {client}. {amount}', FIELD_VALUES)).toEqual({ missing: ['amount'] });
  });
  it('accept values unchanged, whatever they contain', () => {
    expect(fillInFields('{client}', { ...FIELD_VALUES, client: '$& {amount}' })).toEqual({ text: '$& {amount}' });
  });
  it('that are misspelt are named', () => {
    expect(listUnknownFields('Dear {name}, {client} {Client} {name} {} and { alone')).toEqual(['name', 'Client', '']);
  });
  it.each(MESSAGE_TEMPLATES)('of the template “$name” all exist', ({ subject, body }) => {
    expect(listUnknownFields(subject + body)).toEqual([]);
  });
});

const getInstantAt = (time: string): Instant => parseInstant(`2026-11-10T${time}Z`) ?? ('' as Instant);
const NONE = { minuteAgo: null, dayAgo: null, unknown: null };

describe('the limits of a mailbox', () => {
  it('are smaller for a personal account', () => {
    expect(getSendingLimits('gmail', 'Ann@Gmail.com', true).perDay).toBeLessThan(
      getSendingLimits('gmail', 'ann@oakline.example', true).perDay,
    );
    expect(getSendingLimits('smtp', 'ann@gmail.com', true)).toEqual(getSendingLimits('smtp', 'ann@oakline.example', true));
  });
  it('stay below what the providers allow, with the reserve for emails about one matter', () => {
    const getMostPerDay = (...[route, address, isConfirmed]: Parameters<typeof getSendingLimits>): number => {
      const { perDay, reservePerDay } = getSendingLimits(route, address, isConfirmed);
      return perDay + reservePerDay;
    };
    expect(getMostPerDay('gmail', 'a@gmail.com', true)).toBeLessThan(500);
    expect(getMostPerDay('smtp', 'a@b.example', false)).toBe(50);
    expect(getMostPerDay('gmail', 'a@b.example', true)).toBeLessThan(2_000);
    expect(getMostPerDay('outlook', 'a@b.example', true)).toBeLessThan(10_000);
    expect(getSendingLimits('outlook', 'a@b.example', true).perMinute).toBeLessThan(30);
  });
  it('allow a message to be sent when all of them permit it', () => {
    const now = getInstantAt('09:00:30.000');
    expect(findNextSendAt(NONE, now)).toBeUndefined();
    expect(findNextSendAt({ ...NONE, minuteAgo: getInstantAt('08:59:30.000') }, now)).toBeUndefined();
    expect(findNextSendAt({ ...NONE, minuteAgo: getInstantAt('09:00:00.000') }, now)).toBe(getInstantAt('09:01:00.000'));
    expect(findNextSendAt({ minuteAgo: getInstantAt('09:00:00.000'), dayAgo: null, unknown: getInstantAt('08:58:00.000') }, now)).toBe(
      getInstantAt('09:03:00.000'),
    );
    expect(findNextSendAt({ ...NONE, dayAgo: getInstantAt('06:00:00.000') }, now)).toBe('2026-11-11T06:00:00.000Z');
  });
});

describe('the status of a message', () => {
  const counts = { queued: 0, sending: 0, sent: 0, failed: 0, bounced: 0, unknown: 0, cancelled: 0 };
  it.each([
    ['scheduled', { isDue: false, counts: { ...counts, queued: 2 } }],
    ['sending', { counts: { ...counts, queued: 1, sent: 1 } }],
    ['waiting', { isMailboxLost: true, counts: { ...counts, queued: 1 } }],
    ['done', { isMailboxLost: true, counts: { ...counts, sent: 1, unknown: 1 } }],
    ['cancelled', { isCancelled: true, counts: { ...counts, sent: 1, cancelled: 4 } }],
  ] as const)('is “%s” for its recipients', (status, facts) => {
    expect(getMessageStatus({ isCancelled: false, isDue: true, isMailboxLost: false, ...facts })).toBe(status);
  });
});
