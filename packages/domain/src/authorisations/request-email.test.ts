import { describe, expect, it } from 'vitest';
import type { PlainDate } from '../plain-date.ts';
import { composeRequestEmail, getReminderDay } from './request-email.ts';

const toDay = (text: string) => text as PlainDate;
const EXPIRES_ON = toDay('2026-12-01');

describe('the reminder of an authorisation request', () => {
  it.each([
    ['on the 14th of 21 days', '2026-11-10', '2026-11-10', '2026-11-23'],
    ['at once when that day has passed', '2026-11-10', '2026-11-25', '2026-11-25'],
    ['until five days before the end', '2026-11-10', '2026-11-26', '2026-11-26'],
    ['not after that', '2026-11-10', '2026-11-27', undefined],
    ['three days after an email that was sent again', '2026-11-22', '2026-11-23', '2026-11-25'],
    ['not when the last email is too recent', '2026-11-24', '2026-11-24', undefined],
  ])('is sent %s', (_when, emailed, today, expected) => {
    expect(getReminderDay(EXPIRES_ON, toDay(emailed), toDay(today))).toBe(expected);
  });
});

describe('the email of an authorisation request', () => {
  const facts = {
    tax: 'vat' as const,
    client: 'Brook Ltd',
    practice: 'Oakline Accounting',
    sender: 'Priya Oakes',
    url: 'https://www.tax.service.gov.uk/invitations/1',
    expiresOn: EXPIRES_ON,
  };

  it('names the tax, who asks, HMRC’s link, its last day and what it allows', () => {
    const { subject, body } = composeRequestEmail({ ...facts, isReminder: false });
    expect(subject).toBe('Oakline Accounting asks you to authorise them at HMRC: VAT for Brook Ltd');
    expect(body).toContain('Priya Oakes of Oakline Accounting is asking for your permission to act for Brook Ltd at HMRC for VAT.');
    expect(body).toContain('\nhttps://www.tax.service.gov.uk/invitations/1\n');
    expect(body).toContain('until 30 November 2026');
    expect(body).toContain('file VAT returns');
    expect(body).toContain('If you don’t know Oakline Accounting, don’t accept');
  });

  it('says that it is a reminder', () => {
    const { subject, body } = composeRequestEmail({ ...facts, isReminder: true });
    expect(subject).toMatch(/^Reminder: /);
    expect(body).toContain('HMRC hasn’t received your response yet');
  });
});
