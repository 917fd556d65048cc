/**
 * The live chat (docs/product/specification.md section 4, "Chat widget"). Its script is added once per page. The server identifies the
 * visitor by email and token. The chat sets cookies, so ask for consent first (docs/decisions/0015).
 */
import { companyLookUpApi } from '@portal/contract/company-look-up.ts';
import { identityApi } from '@portal/contract/identity.ts';
import { requestConsent } from './request-consent.ts';
import { ApiError, apiRequest } from './api.ts';
import { getChatGlobals, type ChatVisitor, type Conversations } from './clear-chat.ts';
import { getChatScriptUrl } from './settings.ts';

/** `declined`: the visitor didn't allow the chat's cookies, so no error is shown. */
export type OpenChatResult = 'opened' | 'not_configured' | 'declined' | 'failed';

const SCRIPT_ID = 'hs-script-loader';
const LOAD_TIMEOUT_MS = 15_000;
export const isChatConfigured = (): boolean => getChatScriptUrl() !== '';

/** Opens the chat window, after asking for consent if needed. */
export async function openChat(): Promise<OpenChatResult> {
  if (!isChatConfigured()) return 'not_configured';
  if (!(await requestConsent('chat'))) return 'declined';
  try {
    const visitor = await identifyVisitor();
    if (visitor === 'not_configured') return 'not_configured';
    await showWidget(await loadScript(visitor), visitor?.identificationEmail);
    return 'opened';
  } catch (error) {
    console.error('The chat could not be opened', error);
    return 'failed';
  }
}

/**
 * Returns undefined for visitors who aren't signed in or whom the server can't identify. They chat anonymously, and a failure is only
 * logged.
 */
async function identifyVisitor(): Promise<ChatVisitor | 'not_configured' | undefined> {
  try {
    const { email } = await apiRequest(identityApi.checkLogin, {}, { unauthorized: 'throw' });
    if (email === undefined) return undefined;
    const { data } = await apiRequest(companyLookUpApi.chatVisitor, { email }, { unauthorized: 'throw' });
    return { identificationEmail: data.email, identificationToken: data.token };
  } catch (error) {
    if (error instanceof ApiError && error.code === 'chat.not_set_up') return 'not_configured';
    console.error('The chat visitor could not be identified', error);
    return undefined;
  }
}

let scriptPromise: Promise<Conversations> | undefined;

function loadScript(visitor: ChatVisitor | undefined): Promise<Conversations> {
  getChatGlobals().hsConversationsSettings = { loadImmediately: false, ...visitor };
  const loaded = getChatGlobals().HubSpotConversations;
  if (loaded) return Promise.resolve(loaded);
  scriptPromise ??= addScript().catch((error: unknown) => {
    // Clear the failed attempt, so that the next one loads the script again.
    scriptPromise = undefined;
    document.getElementById(SCRIPT_ID)?.remove();
    throw error;
  });
  return scriptPromise;
}

function addScript(): Promise<Conversations> {
  return withTimeout('The chat’s script did not start in time', (resolve, reject) => {
    const onReady = (): void => {
      const chat = getChatGlobals().HubSpotConversations;
      if (chat) resolve(chat);
    };
    const readyCallbacks = getChatGlobals().hsConversationsOnReady;
    if (readyCallbacks) readyCallbacks.push(onReady);
    else getChatGlobals().hsConversationsOnReady = [onReady];
    const script = Object.assign(document.createElement('script'), { id: SCRIPT_ID, async: true, defer: true, src: getChatScriptUrl() });
    script.addEventListener('error', () => reject(new Error('The chat’s script could not be loaded')));
    document.body.append(script);
  });
}

let shownEmail: string | undefined;

/** Loads the widget, or refreshes it for the current visitor, then opens it. */
async function showWidget(chat: Conversations, email: string | undefined): Promise<void> {
  // The widget reads the visitor's identity only while loading.
  if (chat.widget.status().loaded && shownEmail !== email) chat.widget.remove();
  shownEmail = email;
  if (chat.widget.status().loaded) chat.widget.refresh();
  if (!chat.widget.status().loaded) {
    await withTimeout<void>('The chat window did not load in time', (resolve) => {
      const onLoaded = (): void => {
        chat.off('widgetLoaded', onLoaded);
        resolve();
      };
      chat.on('widgetLoaded', onLoaded);
      chat.widget.load({ widgetOpen: true });
    });
  }
  chat.widget.open();
}

function withTimeout<Value>(
  timeoutMessage: string,
  executor: (resolve: (value: Value) => void, reject: (error: Error) => void) => void,
): Promise<Value> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(timeoutMessage)), LOAD_TIMEOUT_MS);
    executor(
      (value) => {
        clearTimeout(timer);
        resolve(value);
      },
      (error) => {
        clearTimeout(timer);
        reject(error);
      },
    );
  });
}
