/** Taking the chat off the page: apart from opening it, because every page must be able to. */

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

/** HubSpot's own names on the page (developers.hubspot.com, conversations SDK). */
type ChatGlobals = {
  HubSpotConversations?: Conversations;
  hsConversationsSettings?: { loadImmediately: false } & Partial<ChatVisitor>;
  hsConversationsOnReady?: { push(ready: () => void): unknown };
};

/** HubSpot's names on this page. */
export const getChatGlobals = (): ChatGlobals => window as unknown as ChatGlobals;

/** What HubSpot keeps on the device; gone at log-out even where its script is not on the page any more. */
const CHAT_COOKIES = ['messagesUtk', 'hubspotutk', '__hstc', '__hssc', '__hssrc'] as const;

/** Removes the chat and forgets who wrote: at log-out, and where the chat's cookies are not wanted any more. */
export function clearChat(): void {
  const chat = getChatGlobals().HubSpotConversations;
  if (chat) {
    chat.clear({ resetWidget: true });
    chat.widget.remove();
  }
  delete getChatGlobals().hsConversationsSettings;
  for (const name of CHAT_COOKIES) document.cookie = `${name}=; Path=/; Max-Age=0; SameSite=Lax`;
}
