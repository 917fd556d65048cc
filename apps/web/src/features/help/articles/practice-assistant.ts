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
    '“Watch” shows what was noticed, “Drafts to review” what is waiting for you, and “Done” the outcome. The most urgent become drafts, up to a daily limit that an admin sets.',
    'Approving does what the draft says, with your own permissions. The facts are read again first: if a text has changed, you see it again, and drafts that are no longer needed disappear.',
    'Rejecting teaches the rule: not now, never for this client, a higher or lower threshold (admins), or simply wrong.',
    'An admin switches it on after a dry run of 30 days. With “Act on what is safe” it also assigns, tags and adds notes automatically. You can undo that under “Done”. It never sends, files, pays, prices or deletes anything without a person.',
    'Everyone in the practice can pause it with “Pause assistant”. Only an admin resumes it.',
    { link: { label: 'Go to the assistant', page: 'agenticMode' } },
    'Your own assistant, such as Claude or ChatGPT, can work with the practice too, within your permissions. What it drafts appears here for you to review.',
    { link: { label: 'Connect your assistant', page: 'assistants' } },
  ],
};
