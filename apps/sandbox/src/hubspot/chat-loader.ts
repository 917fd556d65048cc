/**
 * The script that the simulator serves in place of HubSpot's loader: the same globals (`HubSpotConversations`, `hsConversationsSettings`,
 * `hsConversationsOnReady`), a small chat window and the same cookies, so that consent can be tested. The calls it makes to the simulator
 * aren't part of HubSpot's API.
 */

/** `apiUrl` is the simulator's URL as seen by the browser. A script sets the styles, because a page's policy may forbid inline styles. */
export function renderChatLoaderScript(apiUrl: string): string {
  return `${SCRIPT.replace('"API_URL"', () => JSON.stringify(apiUrl).replaceAll('<', '\\u003c'))}\n`;
}

const SCRIPT = String.raw`(function () {
  'use strict';
  if (window.HubSpotConversations) return;
  var api = "API_URL";
  var listeners = {};
  var state = { box: null, panel: null, opener: null, log: null, conversation: null, loaded: false, pending: false };

  function settings() { return window.hsConversationsSettings || {}; }
  function readCookie(name) {
    var found = document.cookie.split('; ').filter(function (pair) { return pair.indexOf(name + '=') === 0; })[0];
    return found ? found.slice(name.length + 1) : '';
  }
  function ensureCookie(name) {
    var value = readCookie(name) || (window.crypto && crypto.randomUUID ? crypto.randomUUID() : String(Math.random()).slice(2)).replace(/-/g, '');
    document.cookie = name + '=' + value + '; path=/; max-age=15552000; SameSite=Lax';
    return value;
  }
  function dropCookie(name) { document.cookie = name + '=; path=/; max-age=0; SameSite=Lax'; }
  function emit(name, payload) {
    (listeners[name] || []).slice().forEach(function (listener) { listener(payload); });
  }
  // text/plain makes this a simple request, so the browser sends no preflight.
  function post(path, body) {
    return fetch(api + path, { method: 'POST', headers: { 'content-type': 'text/plain' }, body: JSON.stringify(body) })
      .then(function (response) { return response.ok ? response.json() : Promise.reject(new Error('the chat simulator answered ' + response.status)); });
  }
  function element(name, text, style) {
    var made = document.createElement(name);
    if (text) made.textContent = text;
    Object.assign(made.style, style || {});
    return made;
  }
  function log(text) { if (state.log) state.log.appendChild(element('p', text, { margin: '0 0 8px' })); }

  function build(host, inline) {
    var place = inline ? {} : { position: 'fixed', right: '16px', bottom: '16px', zIndex: '2147483000' };
    state.box = element('div', '', Object.assign({ font: '16px/1.4 system-ui, sans-serif', color: '#1b1b1f' }, place));
    state.box.id = 'hubspot-messages-iframe-container';
    state.opener = element('button', 'Chat', { font: 'inherit', padding: '10px 18px', color: '#fff', background: '#b3372a', border: '0', borderRadius: '24px' });
    state.opener.type = 'button';
    state.opener.setAttribute('aria-expanded', 'false');
    state.opener.setAttribute('aria-controls', 'hubspot-chat-simulator');
    state.opener.onclick = function () { if (state.panel.hidden) widget.open(); else widget.close(); };
    state.panel = element('section', '', { width: '300px', background: '#fff', border: '1px solid #555', borderRadius: '8px', padding: '12px', marginBottom: '8px' });
    state.panel.id = 'hubspot-chat-simulator';
    state.panel.hidden = true;
    state.panel.setAttribute('aria-label', 'Chat (sandbox)');
    state.log = element('div', '', { maxHeight: '240px', overflow: 'auto' });
    state.log.setAttribute('role', 'log');
    var form = element('form');
    var label = element('label', 'Your message', { display: 'block' });
    var input = element('input', '', { font: 'inherit', width: '100%', boxSizing: 'border-box' });
    input.required = true;
    input.maxLength = 1000;
    label.appendChild(input);
    var send = element('button', 'Send', { font: 'inherit', marginTop: '8px' });
    form.appendChild(label);
    form.appendChild(send);
    form.onsubmit = function (event) {
      event.preventDefault();
      var text = input.value.trim();
      if (text === '') return;
      input.value = '';
      sendMessage(text);
    };
    state.panel.appendChild(state.log);
    state.panel.appendChild(form);
    state.box.appendChild(state.panel);
    state.box.appendChild(state.opener);
    host.appendChild(state.box);
  }

  function visitor() {
    return { visitor: ensureCookie('messagesUtk'), email: settings().identificationEmail || null, token: settings().identificationToken || null };
  }
  function identify() {
    return post('/simulator/identify', visitor()).then(function (known) {
      log(known.identified ? 'This is a simulated chat. It knows you as ' + known.email + '.' : 'This is a simulated chat. It doesn’t know who you are.');
    });
  }
  function sendMessage(text) {
    post('/simulator/messages', Object.assign(visitor(), { text: text })).then(function (stored) {
      log('You: ' + text);
      if (state.conversation !== stored.conversationId) {
        state.conversation = stored.conversationId;
        emit('conversationStarted', { conversation: { conversationId: stored.conversationId } });
      }
    }, function () { log('The message was not sent. Try again.'); });
  }

  var widget = {
    load: function (options) {
      if (state.loaded || state.pending) return;
      var selector = settings().inlineEmbedSelector;
      var host = selector ? document.querySelector(selector) : document.body;
      if (!host) return;
      state.pending = true;
      ensureCookie('messagesUtk');
      build(host, Boolean(selector));
      identify().catch(function () { log('The chat cannot be reached.'); }).then(function () {
        if (!state.box) return;
        state.pending = false;
        state.loaded = true;
        emit('widgetLoaded', { message: 'widget has loaded' });
        if ((options && options.widgetOpen) || selector) widget.open();
      });
    },
    refresh: function (options) { if (!state.loaded) widget.load(options); else if (options && options.openToNewThread) state.conversation = null; },
    open: function () { if (state.panel) { state.panel.hidden = false; state.opener.setAttribute('aria-expanded', 'true'); } },
    close: function () { if (state.panel) { state.panel.hidden = true; state.opener.setAttribute('aria-expanded', 'false'); emit('widgetClosed', { message: 'widget has closed' }); } },
    remove: function () {
      if (state.box) state.box.remove();
      state.box = state.panel = state.opener = state.log = null;
      state.loaded = state.pending = false;
    },
    status: function () { return { loaded: state.loaded, pending: state.pending }; }
  };

  window.HubSpotConversations = {
    widget: widget,
    on: function (name, listener) { (listeners[name] = listeners[name] || []).push(listener); },
    off: function (name, listener) { listeners[name] = (listeners[name] || []).filter(function (one) { return one !== listener; }); },
    clear: function (options) {
      dropCookie('messagesUtk');
      state.conversation = null;
      if (options && options.resetWidget) {
        dropCookie('hubspotutk');
        widget.remove();
        if (settings().loadImmediately !== false) widget.load();
      }
    }
  };
  ensureCookie('hubspotutk');
  var waiting = window.hsConversationsOnReady || [];
  // As with HubSpot's loader, functions that are pushed later are called at once.
  window.hsConversationsOnReady = { push: function (ready) { ready(); } };
  waiting.forEach(function (ready) { ready(); });
  if (settings().loadImmediately !== false) widget.load();
})();`;
