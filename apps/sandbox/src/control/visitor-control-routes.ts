/** Control routes that show what visitors' browsers sent to the chat and the analytics container. */
import type { HubspotControls } from '../hubspot/hubspot-simulator.ts';
import type { TagManagerControls } from '../tag-manager/tag-manager-simulator.ts';
import { sendResult, readChoice, readInput, type ControlRoute } from './control-call.ts';
import { h, type Markup } from './markup.ts';
import { sendPage } from './page.ts';

const CHAT_PAGE = '/control/chat';

export function visitorControlRoutes({ chat, tags }: { chat: HubspotControls; tags: TagManagerControls }): ControlRoute[] {
  return [
    { method: 'GET', url: CHAT_PAGE, handler: (_request, reply) => sendPage(reply, 'Chat', renderChatPage(chat)) },
    {
      method: 'GET',
      url: `${CHAT_PAGE}.json`,
      summary: 'Chat messages, newest first. `email` is set only if the portal identified the visitor.',
      responseExample: '{"messages": [{"conversation_id", "email", "text", "sent_at"}]}',
      handler: (_request, reply) => reply.send({ messages: chat.listMessages() }),
    },
    {
      method: 'POST',
      url: `${CHAT_PAGE}/plan`,
      summary: 'Sets HubSpot’s plan. Below Professional, visitors aren’t identified.',
      requestExample: '{"plan": "professional" | "starter"}',
      responseExample: '{"plan": "starter"}',
      handler: (request, reply) => {
        const plan = readChoice(readInput(request), 'plan', ['professional', 'starter']);
        chat.setPlan(plan);
        return sendResult(reply, { plan }, CHAT_PAGE, `The plan is ${plan}.`);
      },
    },
    {
      method: 'GET',
      url: '/control/analytics.json',
      summary: 'What pages sent to the analytics container, oldest first. ANALYTICS_CONTAINER_ID and ANALYTICS_CONTAINER_URL turn it on.',
      responseExample: '{"entries": [{"container", "at", "entry", "sent_at"}]}',
      handler: (_request, reply) => reply.send({ entries: tags.listEntries() }),
    },
    {
      method: 'POST',
      url: '/control/analytics/clear',
      summary: 'Deletes what pages sent to the analytics container.',
      responseExample: '{"cleared": true}',
      handler: (_request, reply) => {
        tags.deleteEntries();
        return sendResult(reply, { cleared: true }, '/', 'The container’s entries have been deleted.');
      },
    },
  ];
}

function renderChatPage(chat: HubspotControls): Markup {
  const items = chat
    .listMessages()
    .map(
      ({ email, text, sent_at }) =>
        h`<li class="card"><p>${text}</p><p class="soft">${email ?? 'Unidentified visitor'}, ${sent_at}</p></li>`,
    );
  return h`<p class="lead">Messages sent in the portal’s chat.</p>
${items.length > 0 ? h`<ul class="cards">${items}</ul>` : h`<p class="empty">No messages yet. Choose “Contact us” in the portal to open the chat.</p>`}
<form class="row" method="post" action="${CHAT_PAGE}/plan"><button name="plan" value="professional">Identify visitors</button> <button class="plain" name="plan" value="starter">Don’t identify visitors</button></form>`;
}
