/** Settings for visitors: website, contact details, live chat and analytics. None is required. */
import { z } from 'zod';
import { urlLabel, setting, text, webUrl } from './setting-shapes.ts';

/** The address in "Tidewater <help@example.org>". */
function addressIn(sender: string | undefined): string | undefined {
  return sender === undefined ? undefined : (/<([^>]+)>/.exec(sender)?.[1] ?? sender);
}

export const visitorSettingTable = {
  WEBSITE_URL: setting({
    shape: webUrl.optional(),
    expectedText: urlLabel,
    defaultLabel: "the portal's landing page",
    meaning: 'Your website: the logo leads there, in a new tab unless the address has /home in it.',
  }),
  PRIVACY_URL: setting({
    shape: webUrl.optional(),
    expectedText: urlLabel,
    defaultLabel: "the portal's own page, /portal/privacy",
    meaning: 'Your privacy policy: "Data policy" opens it in a new tab.',
  }),
  CONTACT_EMAIL: setting({
    shape: z.email(),
    expectedText: 'an email address',
    defaultValue: (getSetting) => addressIn(getSetting('MAIL_FROM')) ?? 'support@portal.example',
    defaultLabel: 'the address of MAIL_FROM, else support@portal.example',
    meaning: 'Where people reach you: shown on the contact page, and messages written there are sent to it.',
  }),
  CONTACT_PHONE: setting({
    shape: text.regex(/^\+?[\d ()-]{5,30}$/).optional(),
    expectedText: 'a phone number',
    defaultLabel: 'not shown',
    meaning: 'Your phone number on the contact page.',
  }),
  CONTACT_ADDRESS: setting({
    shape: text.max(300).optional(),
    expectedText: 'an address of at most 300 letters, with commas between its lines,',
    defaultLabel: 'not shown',
    meaning: 'Your postal address, on the contact page and in the data policy.',
  }),
  HUBSPOT_HUB_ID: setting({
    shape: text.regex(/^\d{1,12}$/).optional(),
    expectedText: 'the number of a hub',
    defaultLabel: 'simulated in the sandbox, else there is no chat',
    meaning: 'Of your account at HubSpot, whose chat opens on "Contact us".',
  }),
  HUBSPOT_ACCESS_TOKEN: setting({
    shape: text.optional(),
    expectedText: 'a token',
    defaultLabel: 'simulated in the sandbox, else there is no chat',
    isSecret: true,
    meaning: 'Of a private app at HubSpot that may create visitor identification tokens.',
  }),
  HUBSPOT_API_URL: setting({
    shape: webUrl,
    expectedText: urlLabel,
    defaultValue: () => 'https://api.hubapi.com',
    meaning: 'HubSpot as the server calls it.',
  }),
  HUBSPOT_TOKEN_PATH: setting({
    shape: z.string().regex(/^\/visitor-identification\/[\w-]+\/tokens\/create$/),
    expectedText: 'a path such as /visitor-identification/2026-09/tokens/create',
    defaultValue: () => '/visitor-identification/v3/tokens/create',
    meaning: "Which version of HubSpot's call names the visitor.",
  }),
  HUBSPOT_LOADER_URL: setting({
    shape: webUrl,
    expectedText: urlLabel,
    defaultValue: () => 'https://js.hs-scripts.com',
    meaning: "Where browsers get the chat's script: https://js-eu1.hs-scripts.com for a hub in Europe.",
  }),
  ANALYTICS_CONTAINER_ID: setting({
    shape: text.regex(/^GTM-[A-Z0-9]{4,12}$/).optional(),
    expectedText: 'the id of a container, GTM-XXXXXXX,',
    defaultLabel: 'no analytics',
    meaning: 'Google Tag Manager container. It runs after consent only, and never under /admin.',
  }),
  ANALYTICS_CONTAINER_URL: setting({
    shape: webUrl,
    expectedText: urlLabel,
    defaultValue: () => 'https://www.googletagmanager.com',
    meaning: 'Where browsers get the container from.',
  }),
};
