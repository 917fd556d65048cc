import type { Article } from './article.ts';

export const PRACTICE_ASSISTANT: Article = {
  key: 'practice-assistant',
  title: 'The assistant',
  group: 'Your practice',
  product: 'open_tax',
  pages: ['agenticMode'],
  words:
    'assistant agent agentic automatic propose draft suggestion rule approve reject edit snooze threshold stop pause dry run safe revert claude chatgpt mcp connect',
  write: () => [
    'Rules monitor your clients and suggest what to do. Each proposal shows its rule and version, its evidence with source and date, and the exact text. The rules are on the “Rules” tab.',
    '“Watch” lists what the assistant has noticed, “Drafts to review” what needs your decision, and “Done” the outcomes. The most urgent items become drafts, up to a daily limit set by an admin.',
    'Approving carries out the draft with your own permissions. We check the facts again first: if the text has changed, you’ll see it again, and drafts that are no longer needed disappear.',
    'Rejecting gives the rule feedback: not now, never for this client, a higher or lower threshold (admins), or simply wrong.',
    'An admin switches it on after a dry run of 30 days. With “Act automatically when safe”, it also assigns, tags and adds notes automatically. You can undo this under “Done”. It never sends, files, pays, prices or deletes anything without a person’s approval.',
    'Everyone in the practice can pause it with “Pause assistant”. Only an admin can resume it.',
    { link: { label: 'Go to the assistant', page: 'agenticMode' } },
    'Your own assistant, such as Claude or ChatGPT, can also work with the practice, within your permissions. Its drafts appear here for you to review.',
    { link: { label: 'Connect your assistant', page: 'assistants' } },
  ],
};
