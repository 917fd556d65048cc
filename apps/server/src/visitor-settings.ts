/** What the settings say of reaching us, of chat and of analytics; undefined where it is not set up. */
import type { z } from 'zod';
import type { visitorSettingTable } from './visitor-settings-table.ts';

export type ChatSettings = {
  readonly apiUrl: string;
  readonly accessToken: string;
  readonly tokenPath: string;
  readonly hubId: string;
  readonly loaderUrl: string;
};

/** How people reach us. */
export type ContactSettings = { readonly email: string; readonly phone: string | undefined; readonly address: string | undefined };

export type AnalyticsSettings = { readonly containerId: string; readonly url: string };

/** Of the settings, what visitors meet. */
export type VisitorSettings = {
  readonly chat: ChatSettings | undefined;
  readonly analytics: AnalyticsSettings | undefined;
  readonly contact: ContactSettings;
};

type Values = { readonly [Name in keyof typeof visitorSettingTable]: z.infer<(typeof visitorSettingTable)[Name]['shape']> };

export function chatFrom(values: Values): ChatSettings | undefined {
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

export function analyticsFrom(values: Values): AnalyticsSettings | undefined {
  const { ANALYTICS_CONTAINER_ID: containerId, ANALYTICS_CONTAINER_URL: url } = values;
  return containerId === undefined ? undefined : { containerId, url };
}

export function contactFrom({ CONTACT_EMAIL: email, CONTACT_PHONE: phone, CONTACT_ADDRESS: address }: Values): ContactSettings {
  return { email, phone, address };
}
