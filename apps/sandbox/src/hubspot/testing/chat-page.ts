/** The parts of a web page that the chat loader uses: elements, cookies, and calls to the simulator over real HTTP. */
import { createContext, Script } from 'node:vm';
import { renderChatLoaderScript } from '../chat-loader.ts';

type Listener = (payload: unknown) => void;

/** The globals of the chat, as HubSpot documents them. */
export type ChatGlobals = {
  HubSpotConversations?: {
    readonly widget: {
      load(options?: { widgetOpen?: boolean }): void;
      refresh(options?: { openToNewThread?: boolean }): void;
      open(): void;
      close(): void;
      remove(): void;
      status(): { loaded: boolean; pending: boolean };
    };
    on(name: string, listener: Listener): void;
    off(name: string, listener: Listener): void;
    clear(options?: { resetWidget?: boolean }): void;
  };
  hsConversationsSettings?: Record<string, unknown>;
  hsConversationsOnReady?: { push(ready: () => void): unknown };
};

class PageElement {
  readonly children: PageElement[] = [];
  readonly attributes: Record<string, string> = {};
  readonly style: Record<string, string> = {};
  readonly name: string;
  parent: PageElement | undefined;
  textContent = '';
  value = '';
  hidden = false;
  onclick: (() => void) | undefined;
  onsubmit: ((event: { preventDefault(): void }) => void) | undefined;

  constructor(name: string) {
    this.name = name;
  }

  appendChild(child: PageElement): void {
    child.parent = this;
    this.children.push(child);
  }

  remove(): void {
    this.parent?.children.splice(this.parent.children.indexOf(this), 1);
  }

  setAttribute(name: string, value: string): void {
    this.attributes[name] = value;
  }

  /** Returns all descendants with that element name. */
  all(name: string): PageElement[] {
    return this.children.flatMap((child) => [...(child.name === name ? [child] : []), ...child.all(name)]);
  }
}

export function openChatPage(apiUrl: string, globals: ChatGlobals = {}) {
  const body = new PageElement('body');
  const cookies = new Map<string, string>();
  const document = {
    body,
    createElement: (name: string) => new PageElement(name),
    querySelector: (selector: string) => (selector === '#chat' ? body : null),
    get cookie(): string {
      return [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    },
    set cookie(text: string) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(text) ?? [];
      if (/max-age=0(;|$)/.test(text)) cookies.delete(name);
      else cookies.set(name, value);
    },
  };
  const page: ChatGlobals = globals;
  const context = createContext(Object.assign(page, { document, fetch, crypto, window: page }));
  const load = (): void => void new Script(renderChatLoaderScript(apiUrl)).runInContext(context);
  load();
  return {
    page,
    body,
    cookies,
    load,
    /** Returns the lines in the chat's log. */
    chatLines: () => body.all('p').map(({ textContent }) => textContent),
    write: (text: string) => {
      const [input] = body.all('input');
      const [form] = body.all('form');
      if (!input || !form) throw new Error('the chat is not open');
      input.value = text;
      form.onsubmit?.({ preventDefault: () => undefined });
    },
    chat: () => {
      if (!page.HubSpotConversations) throw new Error('the loader did not create its globals');
      return page.HubSpotConversations;
    },
  };
}
