/** Rules about documents that are waiting for the client: its letter of engagement, and requests. */
import { countDaysBetween, formatDate } from '../plain-date.ts';
import type { ClientFacts } from './agent-facts.ts';
import { defineRule, type AgentRule, type Finding, type RuleContext } from './agent-rule.ts';
import { createFinding, createTaskAction, isCurrent, toPracticeFact, writeMessage } from './rule-text.ts';

export const DOCUMENT_RULES: readonly AgentRule[] = [
  defineRule({
    id: 'letter-unsigned',
    version: 1,
    name: 'Letter of engagement not signed',
    looksFor:
      'A letter of engagement that hasn’t been signed for the client. Until someone accepts the client’s invitation, the invitation itself asks for the signature.',
    reads: ['letters of engagement', 'the client’s users', 'the client’s email address'],
    proposes: 'message',
    threshold: { unit: 'days', text: 'Days without a signature', normal: 7, min: 1, max: 90, isFloor: true },
    find: findUnsignedLetters,
  }),
  defineRule({
    id: 'request-unanswered',
    version: 1,
    name: 'Request unanswered',
    looksFor: 'A request with items the client still has to send or answer. The portal’s own reminders stop seven days after the due date.',
    reads: ['requests and their items'],
    proposes: 'task',
    threshold: { unit: 'days', text: 'Days after the due date', normal: 8, min: 1, max: 90, isFloor: true },
    find: findUnansweredRequests,
  }),
];

function findUnsignedLetters(client: ClientFacts, { today, threshold }: RuleContext): Finding[] {
  const { letter, people } = client;
  if (!isCurrent(client) || !client.has_email || letter === null || letter.signed_on !== null || people.length === 0) return [];
  const [days, sentDate] = [countDaysBetween(letter.sent_on, today), formatDate(letter.sent_on)];
  if (days < threshold) return [];
  return [
    createFinding(
      letter.id,
      `Letter of engagement unsigned for ${days} days`,
      [toPracticeFact('Letter of engagement', `sent on ${sentDate}, unsigned`, 'papers'), toPracticeFact('Can sign', people.join(', '))],
      writeMessage('please sign our letter of engagement', [
        `We sent you our letter of engagement for {client} on ${sentDate}, and it isn’t signed yet. It sets out what we do for you and what we need from you.`,
        `Please log in, read it, and sign it with your name:\n${letter.url}`,
      ]),
    ),
  ];
}

function findUnansweredRequests(client: ClientFacts, context: RuleContext): Finding[] {
  if (!isCurrent(client)) return [];
  return client.requests.flatMap(({ id, title, sent_on: sentOn, due_on: due, missing }) => {
    const days = countDaysBetween(due, context.today);
    if (days < context.threshold) return [];
    const count = `${missing} ${missing === 1 ? 'item' : 'items'}`;
    return [
      {
        ...createFinding(
          // A new due date makes it a new subject.
          `${id} ${due}`,
          `“${title}” is ${days} days overdue`,
          [
            toPracticeFact('Request', `“${title}”, sent on ${formatDate(sentOn)}, due on ${formatDate(due)}`, 'papers'),
            toPracticeFact('Still outstanding', count, 'papers'),
          ],
          createTaskAction(client, context, {
            title: `Call about the request “${title}”`,
            notes: `It was due on ${formatDate(due)}. The portal has sent its last reminder. Still missing: ${count}.`,
            inDays: 2,
          }),
        ),
        due_on: due,
      },
    ];
  });
}
