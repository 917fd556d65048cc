/** Templates for new messages, which users edit before sending. For service messages only, not marketing. */

export type MessageTemplate = { readonly key: string; readonly name: string; readonly subject: string; readonly body: string };

const SIGNATURE = 'Kind regards\n{sender}\n{practice}';

export const MESSAGE_TEMPLATES: readonly MessageTemplate[] = [
  {
    key: 'deadline',
    name: 'A deadline is coming up',
    subject: '{client}: {deadline} due on {due date}',
    body: `Hello,\n\nThis is a reminder for {client}: the next deadline is the {deadline}, due on {due date}.\n\nIf we’re still waiting for something from you, please send it this week.\n\n${SIGNATURE}`,
  },
  {
    key: 'payment',
    name: 'A payment is due',
    subject: '{client}: {amount} due on {due date}',
    body: `Hello,\n\n{client} has {amount} to pay to HMRC by {due date} ({deadline}).\n\nPlease make sure that the payment reaches HMRC by then. If you’d like us to check the amount with you first, reply to this email.\n\n${SIGNATURE}`,
  },
  {
    key: 'records',
    name: 'Ask for records',
    subject: 'We need your records for {client}',
    body: `Hello,\n\nTo prepare the {deadline} for {client}, due on {due date}, we need your sales and purchase records up to date.\n\nPlease let us know when they’re ready.\n\n${SIGNATURE}`,
  },
];
