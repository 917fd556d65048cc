/** Settings for contact details, chat and analytics; undefined if not set up. */
import type { z } from 'zod';
import type { visitorSettingTable } from './visitor-settings-table.ts';

export type ChatSettings = {
  readonly apiUrl: string;
  readonly accessToken: string;
  readonly tokenPath: string;
  readonly hubId: string;
  readonly loaderUrl: string;
};

/** Contact details for visitors. */
export type ContactSettings = { readonly email: string; readonly phone: string | undefined; readonly address: string | undefined };

/** Our pages on a separate website. Null means the portal's own pages. */
export type WebsiteSettings = { readonly websiteUrl: string | null; readonly privacyUrl: string | null };

export type AnalyticsSettings = { readonly containerId: string; readonly url: string };

/** The settings that affect visitors. */
export type VisitorSettings = {
  readonly chat: ChatSettings | undefined;
  readonly analytics: AnalyticsSettings | undefined;
  readonly contact: ContactSettings;
  readonly website: WebsiteSettings;
};

type Values = { readonly [Name in keyof typeof visitorSettingTable]: z.infer<(typeof visitorSettingTable)[Name]['shape']> };

export function toChatSettings(values: Values): ChatSettings | undefined {
  const { HUBSPOT_HUB_ID: hubId, HUBSPOT_ACCESS_TOKEN: accessToken } = values;
  if (hubId === undefined || accessToken === undefined) return undefined;
  return {
    hubId,
    accessToken,
    apiUrl: values.HUBSPOT_API_URL,
    tokenPath: values.HUBSPOT_TOKEN_PATH,
    loaderUrl: values.HUBSPOT_LOADER_URL,
  };
}

/** Returns all visitor settings except the chat, which the sandbox may simulate. */
export function toVisitorSettings(values: Values): Omit<VisitorSettings, 'chat'> {
  return { analytics: toAnalyticsSettings(values), contact: toContactSettings(values), website: toWebsiteSettings(values) };
}

function toAnalyticsSettings(values: Values): AnalyticsSettings | undefined {
  const { ANALYTICS_CONTAINER_ID: containerId, ANALYTICS_CONTAINER_URL: url } = values;
  return containerId === undefined ? undefined : { containerId, url };
}

function toContactSettings({ CONTACT_EMAIL: email, CONTACT_PHONE: phone, CONTACT_ADDRESS: address }: Values): ContactSettings {
  return { email, phone, address };
}

function toWebsiteSettings({ WEBSITE_URL: websiteUrl, PRIVACY_URL: privacyUrl }: Values): WebsiteSettings {
  return { websiteUrl: websiteUrl ?? null, privacyUrl: privacyUrl ?? null };
}
