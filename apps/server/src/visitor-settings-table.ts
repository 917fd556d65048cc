/** Settings that affect visitors: website, contact details, live chat and analytics. All are optional. */
import { z } from 'zod';
import { urlLabel, setting, text, webUrl } from './setting-shapes.ts';

/** Returns the email address in "Tidewater <help@example.org>". */
function extractAddress(sender: string | undefined): string | undefined {
  return sender === undefined ? undefined : (/<([^>]+)>/.exec(sender)?.[1] ?? sender);
}

export const visitorSettingTable = {
  WEBSITE_URL: setting({
    shape: webUrl.optional(),
    expectedText: urlLabel,
    defaultLabel: 'the portal’s landing page',
    meaning: 'Your website. The logo links to it, in a new tab unless the URL contains /home.',
  }),
  PRIVACY_URL: setting({
    shape: webUrl.optional(),
    expectedText: urlLabel,
    defaultLabel: 'the portal’s own page, /portal/privacy',
    meaning: 'Your privacy policy. “Data policy” opens it in a new tab.',
  }),
  CONTACT_EMAIL: setting({
    shape: z.email(),
    expectedText: 'an email address',
    defaultValue: (getSetting) => extractAddress(getSetting('MAIL_FROM')) ?? 'support@portal.example',
    defaultLabel: 'the address in MAIL_FROM, or support@portal.example',
    meaning: 'Contact address, shown on the contact page. Messages sent from that page go to it.',
  }),
  CONTACT_PHONE: setting({
    shape: text.regex(/^\+?[\d ()-]{5,30}$/).optional(),
    expectedText: 'a phone number',
    defaultLabel: 'not shown',
    meaning: 'Your phone number, shown on the contact page.',
  }),
  CONTACT_ADDRESS: setting({
    shape: text.max(300).optional(),
    expectedText: 'an address of at most 300 characters, with commas between its lines',
    defaultLabel: 'not shown',
    meaning: 'Your postal address, shown on the contact page and in the data policy.',
  }),
  HUBSPOT_HUB_ID: setting({
    shape: text.regex(/^\d{1,12}$/).optional(),
    expectedText: 'a hub ID',
    defaultLabel: 'the sandbox’s simulator, if there is one; otherwise no chat',
    meaning: 'Your HubSpot account. “Contact us” opens its chat.',
  }),
  HUBSPOT_ACCESS_TOKEN: setting({
    shape: text.optional(),
    expectedText: 'a token',
    defaultLabel: 'the sandbox’s simulator, if there is one; otherwise no chat',
    isSecret: true,
    meaning: 'Access token of a HubSpot private app that can create visitor identification tokens.',
  }),
  HUBSPOT_API_URL: setting({
    shape: webUrl,
    expectedText: urlLabel,
    defaultValue: () => 'https://api.hubapi.com',
    meaning: 'URL of HubSpot for server calls.',
  }),
  HUBSPOT_TOKEN_PATH: setting({
    shape: z.string().regex(/^\/visitor-identification\/[\w-]+\/tokens\/create$/),
    expectedText: 'a path such as /visitor-identification/2026-09/tokens/create',
    defaultValue: () => '/visitor-identification/v3/tokens/create',
    meaning: 'Path of the HubSpot call that identifies the visitor, including its version.',
  }),
  HUBSPOT_LOADER_URL: setting({
    shape: webUrl,
    expectedText: urlLabel,
    defaultValue: () => 'https://js.hs-scripts.com',
    meaning: 'URL of the chat script: https://js-eu1.hs-scripts.com for a hub in Europe.',
  }),
  ANALYTICS_CONTAINER_ID: setting({
    shape: text.regex(/^GTM-[A-Z0-9]{4,12}$/).optional(),
    expectedText: 'a container ID, GTM-XXXXXXX',
    defaultLabel: 'no analytics',
    meaning: 'Google Tag Manager container. Only loaded after consent, and never under /admin.',
  }),
  ANALYTICS_CONTAINER_URL: setting({
    shape: webUrl,
    expectedText: urlLabel,
    defaultValue: () => 'https://www.googletagmanager.com',
    meaning: 'URL that browsers load the container from.',
  }),
};
