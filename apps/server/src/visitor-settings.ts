/** What the settings say of chat and analytics; undefined where it is not set up. */
import type { z } from 'zod';
import type { visitorSettingTable } from './visitor-settings-table.ts';

export type ChatSettings = {
  readonly apiUrl: string;
  readonly accessToken: string;
  readonly tokenPath: string;
  readonly hubId: string;
  readonly loaderUrl: string;
};

export type AnalyticsSettings = { readonly containerId: string; readonly url: string };

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
