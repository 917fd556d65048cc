/**
 * Shown in place of a page that could not be loaded. Checks the server until it answers, then loads that page again.
 * The `online` event alone is not enough: it doesn't fire when only the server was unreachable, or in Chromium after a reload without a
 * network.
 */
const HEALTH_URL = '/portal/healthz';
const CHECK_TIMEOUT_MS = 10_000;
// Show each check for at least this long, because a check that fails at once would only flicker.
const MIN_CHECK_MS = 600;
const MAX_DELAY_SECONDS = 30;

const progress = document.getElementById('progress');
const announcement = document.getElementById('announcement');

// The number of reloads is in the history entry, because it survives the reload. If the server answers but the page still fails, reloads
// back off too.
const reloads = history.state?.offlineReloads ?? 0;
let failures = 0;
let isChecking = false;
let timer;

/** Resolves to the status of the answer, or undefined if there was none. */
async function fetchStatus() {
  try {
    const options = { cache: 'no-store', redirect: 'error', signal: AbortSignal.timeout(CHECK_TIMEOUT_MS) };
    return (await fetch(HEALTH_URL, options)).status;
  } catch {
    return undefined;
  }
}

async function check() {
  if (isChecking) return;
  isChecking = true;
  clearTimeout(timer);
  progress.dataset.checking = '';
  progress.textContent = 'Checking the connection…';
  const [status] = await Promise.all([fetchStatus(), new Promise((resolve) => setTimeout(resolve, MIN_CHECK_MS))]);
  delete progress.dataset.checking;
  isChecking = false;
  if (status === 200) {
    reload();
    return;
  }
  failures += 1;
  // Any answer means that there is a network, even an error from a proxy.
  showCause(status !== undefined || navigator.onLine);
  scheduleCheck();
}

async function checkNow() {
  announcement.textContent = 'Checking the connection…';
  await check();
  if (announcement.textContent.startsWith('Checking')) announcement.textContent = 'Still no connection. We’ll keep trying.';
}

function reload() {
  progress.textContent = 'Connected. Loading your page…';
  announcement.textContent = progress.textContent;
  history.replaceState({ ...history.state, offlineReloads: reloads + 1 }, '');
  location.reload();
}

function scheduleCheck() {
  clearTimeout(timer);
  const checkAt = Date.now() + 1000 * Math.min(2 ** (reloads + failures), MAX_DELAY_SECONDS);
  const tick = () => {
    // Calculate from the clock, because browsers slow the timers of a hidden tab.
    const seconds = Math.ceil((checkAt - Date.now()) / 1000);
    if (seconds <= 0) {
      void check();
      return;
    }
    progress.textContent = `Trying again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}`;
    timer = setTimeout(tick, 1000);
  };
  tick();
}

/** `navigator.onLine` is only reliable when it is false: a device can be on a network from which the server can't be reached. */
function showCause(isOnline = navigator.onLine) {
  for (const cause of document.querySelectorAll('[data-cause]')) cause.hidden = (cause.dataset.cause === 'offline') === isOnline;
  const heading = document.querySelector('[data-cause]:not([hidden]) h1').textContent;
  // Announce a change of cause once to screen readers, but not the countdown.
  if (document.title !== heading) announcement.textContent = heading;
  document.title = heading;
}

document.getElementById('try-now').addEventListener('click', () => void checkNow());
addEventListener('online', () => {
  failures = 0;
  showCause();
  void check();
});
addEventListener('offline', () => showCause());
addEventListener('focus', () => void check());
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') void check();
});

showCause();
scheduleCheck();
