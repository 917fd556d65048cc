/** Settings for receiving reports about bounces and complaints. */
import { z } from 'zod';
import { setting, text } from './setting-shapes.ts';

const port = z.string().regex(/^\d+$/).transform(Number).pipe(z.int().min(1).max(65_535));
const hostName = text.regex(/^[A-Za-z0-9.:_-]+$/);
const portLabel = 'a port, 1 to 65535';

export const mailReportSettingTable = {
  BOUNCE_DOMAIN: setting({
    shape: hostName.includes('.').optional(),
    expectedText: 'a domain such as bounces.portal.example',
    defaultLabel: 'the sandbox’s; with a real mail server, reports aren’t received',
    meaning:
      'Domain of our emails’ envelope sender, which bounce and complaint reports go to. Its MX record must point to your mail server.',
  }),
  BOUNCE_PORT: setting({
    shape: port.optional(),
    expectedText: portLabel,
    defaultLabel: 'the sandbox’s; with a real mail server, reports aren’t received',
    meaning: 'Port on which the portal receives these reports by SMTP from your mail server. Never expose it to the internet.',
  }),
  BOUNCE_HOST: setting({
    shape: hostName,
    expectedText: 'a host name or address',
    defaultValue: () => '127.0.0.1',
    meaning: 'Address that this port listens on.',
  }),
};
