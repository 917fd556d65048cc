import type { Article } from './article.ts';

export const PRACTICE_ASSISTANT: Article = {
  key: 'practice-assistant',
  title: 'Agentic mode: the assistant',
  group: 'Your practice',
  product: 'open_tax',
  pages: ['agenticMode'],
  words:
    'assistant agent agentic automatic propose draft suggestion rule approve reject edit snooze threshold stop pause dry run safe revert claude chatgpt mcp connect',
  write: () => [
    'Rules watch your clients and propose what to do. Each proposal names its rule and version, shows its evidence with source and date, and has the exact text. The rules are on the tab “Rules”.',
    '“Watch” shows what was noticed, “Drafts to review” what waits for you, and “Done” the outcome. The most urgent become drafts, up to a number a day that an admin sets.',
    'Approving does what the draft says, with your own permissions. The facts are read again first: if a text has changed, you see it again, and what is no longer needed goes away.',
    'Rejecting teaches the rule: not now, never for this client, a higher or lower threshold (admins), or simply wrong.',
    'An admin switches it on after a dry run of 30 days. With “Act on what is safe” it also assigns, tags and notes by itself. You can revert that under “Done”. It never sends, files, pays, prices or deletes anything without a person.',
    'Everyone in the practice can pause it with “Pause assistant”. Only an admin resumes it.',
    { link: { label: 'Go to the assistant', page: 'agenticMode' } },
    'Your own assistant, such as Claude or ChatGPT, can work with the practice too, within your rights. What it drafts waits for you here.',
    { link: { label: 'Connect your assistant', page: 'assistants' } },
  ],
};
