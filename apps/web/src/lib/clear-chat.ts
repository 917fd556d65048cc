/** Removes the chat. Kept apart from opening it, because every page must be able to remove it. */

type WidgetOptions = { readonly widgetOpen?: boolean };

export type Conversations = {
  readonly widget: {
    load(options?: WidgetOptions): void;
    refresh(options?: WidgetOptions): void;
    open(): void;
    remove(): void;
    status(): { readonly loaded: boolean };
  };
  on(event: 'widgetLoaded', listener: () => void): void;
  off(event: 'widgetLoaded', listener: () => void): void;
  clear(options: { readonly resetWidget: boolean }): void;
};

export type ChatVisitor = { readonly identificationEmail: string; readonly identificationToken: string };

/** HubSpot's globals (developers.hubspot.com, conversations SDK). */
type ChatGlobals = {
  HubSpotConversations?: Conversations;
  hsConversationsSettings?: { loadImmediately: false } & Partial<ChatVisitor>;
  hsConversationsOnReady?: { push(ready: () => void): unknown };
};

export const getChatGlobals = (): ChatGlobals => window as unknown as ChatGlobals;

/** HubSpot's cookies. Deleted at log-out even if its script is no longer on the page. */
const CHAT_COOKIES = ['messagesUtk', 'hubspotutk', '__hstc', '__hssc', '__hssrc'] as const;

/** Removes the chat and the visitor's identity, at log-out and when consent is withdrawn. */
export function clearChat(): void {
  const chat = getChatGlobals().HubSpotConversations;
  if (chat) {
    chat.clear({ resetWidget: true });
    chat.widget.remove();
  }
  delete getChatGlobals().hsConversationsSettings;
  for (const name of CHAT_COOKIES) document.cookie = `${name}=; Path=/; Max-Age=0; SameSite=Lax`;
}
