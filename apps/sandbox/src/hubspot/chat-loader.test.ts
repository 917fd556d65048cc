/** Tests the simulator's chat loader on a page: HubSpot's documented globals, cookies, and the visitor's identity. */
import { waitFor } from '../testing/wait-for.ts';
import { describe, expect, it } from 'vitest';
import { renderChatLoaderScript } from './chat-loader.ts';
import { openChatPage } from './testing/chat-page.ts';
import { startHubspot } from './testing/start-hubspot.ts';

describe('the chat loader', () => {
  it('waits for load() when loadImmediately is false, and calls onReady functions', async () => {
    const { apiUrl } = await startHubspot();
    const readyCalls: string[] = [];
    const { page, body, cookies, chat } = openChatPage(apiUrl, {
      hsConversationsSettings: { loadImmediately: false },
      hsConversationsOnReady: [() => readyCalls.push('before')],
    });
    page.hsConversationsOnReady?.push(() => readyCalls.push('after'));
    expect(readyCalls).toEqual(['before', 'after']);
    expect(chat().widget.status()).toEqual({ loaded: false, pending: false });
    expect(body.children).toEqual([]);
    expect([...cookies.keys()]).toEqual(['hubspotutk']);
    chat().widget.load({ widgetOpen: true });
    expect(chat().widget.status()).toEqual({ loaded: false, pending: true });
    await waitFor(() => chat().widget.status().loaded);
    expect(body.all('section').map(({ hidden }) => hidden)).toEqual([false]);
    expect([...cookies.keys()]).toEqual(['hubspotutk', 'messagesUtk']);
  });

  it('otherwise loads automatically, once, even if the script is included twice', async () => {
    const { apiUrl } = await startHubspot();
    const { body, chat, load, chatLines } = openChatPage(apiUrl);
    load();
    await waitFor(() => chat().widget.status().loaded);
    chat().widget.load();
    expect(body.all('section')).toHaveLength(1);
    expect(chatLines()).toEqual(['This is a simulated chat. It doesn’t know who you are.']);
  });

  it('identifies the signed-in user by the token in its settings', async () => {
    const { apiUrl, client, controls } = await startHubspot();
    const { token } = await client.createVisitorToken({ email: 'tessa@brightwell.example' });
    const { chat, chatLines, write } = openChatPage(apiUrl, {
      hsConversationsSettings: { identificationEmail: 'tessa@brightwell.example', identificationToken: token },
    });
    const startedPayloads: unknown[] = [];
    const listener = (payload: unknown): void => void startedPayloads.push(payload);
    chat().on('conversationStarted', listener);
    await waitFor(() => chat().widget.status().loaded);
    expect(chatLines()).toEqual(['This is a simulated chat. It knows you as tessa@brightwell.example.']);
    write('Where is my refund?');
    await waitFor(() => chatLines().length === 2);
    write('Hello?');
    await waitFor(() => chatLines().length === 3);
    expect(startedPayloads).toEqual([{ conversation: { conversationId: expect.any(String) } }]);
    chat().off('conversationStarted', listener);
    chat().widget.refresh({ openToNewThread: true });
    write('Again');
    await waitFor(() => chatLines().length === 4);
    expect(startedPayloads).toHaveLength(1);
    expect(controls.listMessages()).toMatchObject([{ text: 'Again' }, { text: 'Hello?' }, { email: 'tessa@brightwell.example' }]);
  });

  it('opens, closes, is removed, and clears the visitor at log-out', async () => {
    const { apiUrl } = await startHubspot();
    const { body, cookies, chat } = openChatPage(apiUrl, {
      hsConversationsSettings: { loadImmediately: false, inlineEmbedSelector: '#chat' },
    });
    chat().widget.load();
    await waitFor(() => chat().widget.status().loaded);
    const [panel] = body.all('section');
    const [openButton] = body.all('button').slice(-1);
    expect([panel?.hidden, openButton?.attributes['aria-expanded']]).toEqual([false, 'true']);
    openButton?.onclick?.();
    expect([panel?.hidden, openButton?.attributes['aria-expanded']]).toEqual([true, 'false']);
    const before = cookies.get('hubspotutk');
    chat().clear({ resetWidget: true });
    chat().widget.remove();
    expect(body.children).toEqual([]);
    expect(chat().widget.status()).toEqual({ loaded: false, pending: false });
    expect([...cookies.keys()]).toEqual([]);
    chat().widget.load();
    await waitFor(() => chat().widget.status().loaded);
    expect(cookies.get('hubspotutk')).not.toBe(before);
  });

  it('reports that the chat is unreachable', async () => {
    const { chat, chatLines, write } = openChatPage('http://127.0.0.1:1/hubspot');
    await waitFor(() => chat().widget.status().loaded);
    expect(chatLines()).toEqual(['The chat cannot be reached.']);
    write('Hello?');
    await waitFor(() => chatLines().length === 2);
    expect(chatLines()[1]).toBe('The message was not sent. Try again.');
  });

  it('escapes its URL', () => {
    const script = renderChatLoaderScript('http://x/</script><script>alert(1)//"');
    expect(script).not.toContain('</script>');
    expect(script).toContain(String.raw`"http://x/\u003c/script>\u003cscript>alert(1)//\""`);
  });
});
