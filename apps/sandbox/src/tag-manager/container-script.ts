/**
 * The simulator's gtm.js. It sends all existing and new dataLayer entries to the simulator, and sets a cookie so that consent can be
 * tested.
 */

/** `collectUrl` receives the entries; `containerId` is the requested ID. */
export function renderContainerScript(collectUrl: string, containerId: string): string {
  const facts = JSON.stringify({ collectUrl, containerId }).replaceAll('<', '\\u003c');
  return `${SCRIPT.replace('"FACTS"', () => facts)}\n`;
}

const SCRIPT = String.raw`(function () {
  'use strict';
  var facts = "FACTS";
  var layer = window.dataLayer = window.dataLayer || [];
  document.cookie = '_ga=' + (/_ga=([^;]*)/.exec(document.cookie) || [])[1] + '; path=/; max-age=63072000; SameSite=Lax';
  // gtag() pushes its arguments object, which is not an array; it is sent as one.
  function plain(entry) { return Object.prototype.toString.call(entry) === '[object Arguments]' ? Array.prototype.slice.call(entry) : entry; }
  function send(entry) {
    fetch(facts.collectUrl, {
      method: 'POST',
      keepalive: true,
      headers: { 'content-type': 'text/plain' },
      body: JSON.stringify({ container: facts.containerId, at: location.pathname, entry: plain(entry) })
    }).catch(function () {});
  }
  var push = layer.push;
  layer.push = function () {
    Array.prototype.forEach.call(arguments, send);
    return push.apply(layer, arguments);
  };
  layer.slice().forEach(send);
})();`;
