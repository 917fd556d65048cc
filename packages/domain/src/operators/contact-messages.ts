/** Messages from the contact page: what they are about, their state, and when the page promises an answer. */
import { londonDate, type Instant } from '../clock.ts';
import { addDays, addMonths, type PlainDate } from '../plain-date.ts';
import { addWorkingDays } from '../uk-tax/calendar/working-days.ts';
import { valueOrForecast } from '../uk-tax/known.ts';

/** Topic of a message. It decides who reads the message first. */
export const CONTACT_TOPICS = ['refund', 'return', 'account', 'complaint', 'privacy', 'other'] as const;
export type ContactTopic = (typeof CONTACT_TOPICS)[number];

/** `open`: needs a reply. `answered`: we replied. `closed`: nothing more to do. */
export const MESSAGE_STATES = ['open', 'answered', 'closed'] as const;
export type MessageState = (typeof MESSAGE_STATES)[number];

const REPLY_WORKING_DAYS = 1;
const COMPLAINT_ACKNOWLEDGED_WORKING_DAYS = 3;
/** The Financial Conduct Authority's limit for a final response (FCA Handbook, DISP 1.6.2), which our contact page promises to everyone. */
const COMPLAINT_FINAL_DAYS = 8 * 7;

const MESSAGE_YEARS = 2;
/** The period within which a claim can be brought (Limitation Act 1980, section 5). */
const COMPLAINT_YEARS = 6;

/** The messages of a topic are deleted if nothing has happened since this day. Open ones stay. Our data policy says the same. */
export function getMessageCutOff(topic: 'complaint' | 'other', today: PlainDate): PlainDate {
  return addMonths(today, -12 * (topic === 'complaint' ? COMPLAINT_YEARS : MESSAGE_YEARS));
}

/** The last day for the first reply, as the contact page promises: one working day, three for a complaint. */
export function getReplyDeadline(topic: ContactTopic, receivedAt: Instant): PlainDate {
  const day = londonDate(receivedAt);
  const workingDays = topic === 'complaint' ? COMPLAINT_ACKNOWLEDGED_WORKING_DAYS : REPLY_WORKING_DAYS;
  return valueOrForecast(addWorkingDays(day, workingDays)) ?? addDays(day, workingDays);
}

/** The last day for the full answer to a complaint; undefined for other messages. */
export function getComplaintDeadline(topic: ContactTopic, receivedAt: Instant): PlainDate | undefined {
  return topic === 'complaint' ? addDays(londonDate(receivedAt), COMPLAINT_FINAL_DAYS) : undefined;
}
