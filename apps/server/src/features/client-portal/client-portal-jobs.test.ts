/** Tests the hours at which a client's users are reminded. */
import { randomUUID } from 'node:crypto';
import { clientPeople, dueItems, users } from '@portal/db/schema/schema.ts';
import type { Pence } from '@portal/domain/money.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addClient, addPractice } from '../../testing/add-practice.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await openTestPortal({ at: '2026-07-10T12:00:00.000Z' });
});
afterAll(() => portal.close());

it('a day’s reminder is sent from 8am UK time, not just after midnight', async () => {
  const { db } = portal.deps.database;
  const { companyId } = await addPractice(portal);
  const clientId = await addClient(portal, companyId, { name: 'Harlow Joinery Ltd', taxes: ['vat'] });
  const [userId, now] = [randomUUID(), portal.deps.clock.now()];
  await db.insert(users).values({ id: userId, email: 'carl@harlow.example', fullName: 'Carl Harlow', createdAt: now });
  await db.insert(clientPeople).values({ companyId, clientId, userId, joinedAt: now });
  await db.insert(dueItems).values({
    companyId,
    clientId,
    tax: 'vat',
    what: 'payment',
    kind: 'payment',
    key: 'vat',
    dueOn: '2026-07-18' as PlainDate,
    amountPence: 123_450 as Pence,
    title: '',
    source: 'hmrc',
    asOf: now,
  });
  const countEmailsTo = async (at: string): Promise<number> => {
    portal.moveClock(at);
    await portal.deps.enqueue(db, 'client-portal.sweep', {});
    await portal.runJobs();
    return portal.sentEmails.filter(({ to }) => to === 'carl@harlow.example').length;
  };
  // Reminders start a week before the due date. It is British Summer Time.
  expect(await countEmailsTo('2026-07-10T23:10:00.000Z')).toBe(0);
  expect(await countEmailsTo('2026-07-11T06:50:00.000Z')).toBe(0);
  expect(await countEmailsTo('2026-07-11T07:10:00.000Z')).toBe(1);
  expect(await countEmailsTo('2026-07-11T17:10:00.000Z')).toBe(1);
});
