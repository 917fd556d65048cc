import { expect, it } from 'vitest';
import { joinInstructions } from './form-panel.tsx';

it.each([
  [['Enter the company name'], 'Enter the company name.'],
  [
    ['Enter the account holder', 'Enter the 6 digits of the sort code, for example 20-00-00', 'Enter the 8 digits of the account number'],
    'Enter the account holder, the 6 digits of the sort code and the 8 digits of the account number.',
  ],
  [['Email is required', 'Enter your full name'], 'Enter your email and your full name.'],
  [['Choose a topic.', 'Enter your full name'], 'Choose a topic.'],
  [['Choose a topic.'], 'Choose a topic.'],
])('says what is missing: %j', (messages, text) => {
  expect(joinInstructions(messages)).toBe(text);
});
