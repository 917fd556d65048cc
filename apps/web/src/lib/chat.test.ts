// @vitest-environment jsdom
/** Tests the chat (docs/product/specification.md section 4, "Chat widget"). */
import { identityApi } from '@portal/contract/identity.ts';
import { companyLookUpApi } from '@portal/contract/company-look-up.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError, setTransport } from './api.ts';
import { openChat } from './chat.ts';
import { clearChat } from './clear-chat.ts';
import { saveConsent } from './consent.ts';

const VISITOR_EMAIL = 'tessa@brightwell.example';
let calls: string[];
let respondWithToken: () => Promise<unknown>;
let undo: () => void;

/** Installs the part of the widget's API that the portal uses. */
function installWidget() {
  let loaded = false;
  const listeners = new Set<() => void>();
  const record = (name: string) => () => void calls.push(name);
  Object.assign(window, {
    HubSpotConversations: {
      widget: {
        load: () => {
          calls.push('load');
          loaded = true;
          for (const listener of listeners) listener();
        },
        refresh: record('refresh'),
        open: record('open'),
        remove: () => {
          calls.push('remove');
          loaded = false;
        },
        status: () => ({ loaded }),
      },
      on: (_name: string, listener: () => void) => listeners.add(listener),
      off: (_name: string, listener: () => void) => listeners.delete(listener),
      clear: record('clear'),
    },
  });
}

const getGlobals = () => window as unknown as Record<string, unknown>;
const countScripts = () => document.querySelectorAll('#hs-script-loader').length;

/** Remove only our own elements: the head also contains styles for other tests' screens. */
const removeSettings = () => document.head.querySelectorAll('meta[name^="portal-"]').forEach((meta) => meta.remove());

function configureChat(scriptUrl: string): void {
  removeSettings();
  const meta = document.head.appendChild(document.createElement('meta'));
  meta.name = 'portal-chat';
  meta.content = scriptUrl;
}

beforeEach(() => {
  calls = [];
  document.body.replaceChildren();
  configureChat('https://js.hs-scripts.com/123.js');
  saveConsent({ analytics: false, marketing: false, chat: true });
  respondWithToken = async () => ({ data: { token: 'a-token', email: VISITOR_EMAIL } });
  undo = setTransport(async (endpoint) => {
    if (endpoint === identityApi.checkLogin) return { type: 'trader', email: VISITOR_EMAIL };
    if (endpoint === companyLookUpApi.chatVisitor) return respondWithToken();
    throw new Error(`unexpected request to ${endpoint.path}`);
  });
});
afterEach(() => {
  undo();
  clearChat();
  removeSettings();
  document.cookie = 'cookie_choices=; Path=/; Max-Age=0';
  delete getGlobals()['HubSpotConversations'];
  delete getGlobals()['hsConversationsOnReady'];
});

describe('the chat', () => {
  it('is not loaded if it is not configured on the page or on the server', async () => {
    configureChat('');
    expect(await openChat()).toBe('not_configured');
    configureChat('https://js.hs-scripts.com/123.js');
    respondWithToken = async () => {
      throw new ApiError({ status: 502, code: 'chat.not_set_up', message: 'There is no chat here.' });
    };
    expect(await openChat()).toBe('not_configured');
    expect(countScripts()).toBe(0);
  });

  it('needs consent and is declined if no prompt is registered', async () => {
    saveConsent({ analytics: true, marketing: true, chat: false });
    expect(await openChat()).toBe('declined');
    expect(countScripts()).toBe(0);
  });

  it('adds the script once, identifies the visitor before loading, and refreshes later', async () => {
    const opening = openChat();
    await expect.poll(() => countScripts()).toBe(1);
    expect(getGlobals()['hsConversationsSettings']).toEqual({
      loadImmediately: false,
      identificationEmail: VISITOR_EMAIL,
      identificationToken: 'a-token',
    });
    installWidget();
    for (const ready of getGlobals()['hsConversationsOnReady'] as (() => void)[]) ready();
    expect(await opening).toBe('opened');
    expect(calls).toEqual(['load', 'open']);
    expect(await openChat()).toBe('opened');
    expect(calls).toEqual(['load', 'open', 'refresh', 'open']);
    expect(countScripts()).toBe(1);
  });

  it('opens without identifying the visitor if the server fails, and logs that', async () => {
    const consoleErrorSpy = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    respondWithToken = async () => {
      throw new ApiError({ status: 502, code: 'upstream.refused', message: 'no' });
    };
    installWidget();
    expect(await openChat()).toBe('opened');
    expect(getGlobals()['hsConversationsSettings']).toEqual({ loadImmediately: false });
    expect(consoleErrorSpy).toHaveBeenCalledTimes(1);
    consoleErrorSpy.mockRestore();
  });

  it('is removed with its cookies, even if its script is not on the page', () => {
    document.cookie = 'messagesUtk=1; Path=/';
    clearChat();
    expect(document.cookie).not.toContain('messagesUtk');
    installWidget();
    clearChat();
    expect(calls).toEqual(['clear', 'remove']);
  });
});
