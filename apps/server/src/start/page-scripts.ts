/** Third-party scripts that our pages may load, each with the sources that it needs. */
import type { Clock } from '@portal/domain/clock.ts';
import { createHubspotClient } from '@portal/providers/hubspot/hubspot-client.ts';
import type { ChatIdentification } from '@portal/providers/hubspot/hubspot-port.ts';
import type { PageScript } from '../app-deps.ts';
import { UNSAFE_INLINE } from '../http/security-headers.ts';
import type { AnalyticsSettings, ChatSettings } from '../visitor-settings.ts';

type Sources = PageScript['sources'];

/** Allows only the chat: the same loader's analytics, forms and banner remain blocked. */
const HUBSPOT_CHAT: Sources = {
  script: ['https://*.usemessages.com', 'https://*.hsappstatic.net'],
  connect: ['https://*.hubspot.com', 'https://*.hubapi.com'],
  img: ['https://*.hubspot.com', 'https://*.hubspotusercontent-na1.net', 'https://*.hubspotusercontent-eu1.net'],
  frame: ['https://*.hubspot.com'],
  // HubSpot doesn't document whether its launcher works without style elements. Without the chat, pages allow only their own styles.
  style: [UNSAFE_INLINE],
};

/**
 * Google Analytics 4 in the container (developers.google.com/tag-platform/security/guides/csp). Adding other tags requires a decision
 * first.
 */
const GOOGLE_ANALYTICS: Sources = {
  script: [],
  connect: ['https://*.google-analytics.com', 'https://*.analytics.google.com'],
  img: ['https://*.google-analytics.com'],
  frame: [],
  style: [],
};

const NO_SOURCES: Sources = { script: [], connect: [], img: [], frame: [], style: [] };

/** Creates the chat's client and script, both empty if no chat is configured. */
export function createChat(
  settings: ChatSettings | undefined,
  clock: Clock,
): { chat: ChatIdentification | undefined; script: PageScript | null } {
  if (!settings) return { chat: undefined, script: null };
  const extraSources = new URL(settings.loaderUrl).hostname.endsWith('.hs-scripts.com') ? HUBSPOT_CHAT : NO_SOURCES;
  return {
    chat: createHubspotClient({ ...settings, fetch, clock }),
    script: createPageScript(`${settings.loaderUrl}/${settings.hubId}.js`, extraSources),
  };
}

/** Returns the script of Google Tag Manager's container, or of its simulator, which may only use its own origin. */
export function toAnalyticsScript(settings: AnalyticsSettings | undefined): PageScript | null {
  if (!settings) return null;
  const extraSources = new URL(settings.url).hostname === 'www.googletagmanager.com' ? GOOGLE_ANALYTICS : NO_SOURCES;
  return createPageScript(`${settings.url}/gtm.js?id=${settings.containerId}`, extraSources);
}

function createPageScript(scriptUrl: string, extraSources: Sources): PageScript {
  const { origin } = new URL(scriptUrl);
  return {
    scriptUrl,
    sources: {
      script: [origin, ...extraSources.script],
      connect: [origin, ...extraSources.connect],
      img: [origin, ...extraSources.img],
      frame: extraSources.frame,
      style: extraSources.style,
    },
  };
}
