/** Messages from the contact page: topics, states and promised response times. */
import { toLondonDate, type Instant } from '../clock.ts';
import { addDays, addMonths, type PlainDate } from '../plain-date.ts';
import { addWorkingDays } from '../uk-tax/calendar/working-days.ts';
import { getValueOrForecast } from '../uk-tax/known.ts';

/** The topic of a message, which decides which operators read it first. */
export const CONTACT_TOPICS = ['refund', 'return', 'account', 'complaint', 'privacy', 'other'] as const;
export type ContactTopic = (typeof CONTACT_TOPICS)[number];

/** `open`: needs a reply. `answered`: we replied. `closed`: no further action. */
export const MESSAGE_STATES = ['open', 'answered', 'closed'] as const;
export type MessageState = (typeof MESSAGE_STATES)[number];

const REPLY_WORKING_DAYS = 1;
const COMPLAINT_ACKNOWLEDGED_WORKING_DAYS = 3;
/** The Financial Conduct Authority's limit for a final response (FCA Handbook, DISP 1.6.2), which our contact page promises to everyone. */
const COMPLAINT_FINAL_DAYS = 8 * 7;

const MESSAGE_YEARS = 2;
/** The period in which a claim can be brought (Limitation Act 1980, section 5). */
const COMPLAINT_YEARS = 6;

/**
 * Returns the cut-off day for deleting a topic's messages: those inactive since then are deleted unless they are open. Our data policy says
 * the same.
 */
export function getMessageCutOff(topic: 'complaint' | 'other', today: PlainDate): PlainDate {
  return addMonths(today, -12 * (topic === 'complaint' ? COMPLAINT_YEARS : MESSAGE_YEARS));
}

/** Returns the last day for the first reply, as promised on the contact page: one working day, or three for a complaint. */
export function getReplyDeadline(topic: ContactTopic, receivedAt: Instant): PlainDate {
  const day = toLondonDate(receivedAt);
  const workingDays = topic === 'complaint' ? COMPLAINT_ACKNOWLEDGED_WORKING_DAYS : REPLY_WORKING_DAYS;
  return getValueOrForecast(addWorkingDays(day, workingDays)) ?? addDays(day, workingDays);
}

/** Returns the last day for the final response to a complaint; undefined for other messages. */
export function getComplaintDeadline(topic: ContactTopic, receivedAt: Instant): PlainDate | undefined {
  return topic === 'complaint' ? addDays(toLondonDate(receivedAt), COMPLAINT_FINAL_DAYS) : undefined;
}
