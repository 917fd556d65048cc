/**
 * Browser facts for HMRC's fraud-prevention headers (docs/reference/hmrc.md section 9), sent as percent-encoded JSON in the `portal-device`
 * header.
 */
import { z } from 'zod';

export const CLIENT_DEVICE_HEADER = 'portal-device';

export const clientDeviceInput = z.object({
  user_agent: z.string().max(1000),
  screens: z
    .array(
      z.object({
        width: z.int().positive(),
        height: z.int().positive(),
        scaling_factor: z.number().positive(),
        colour_depth: z.int().positive(),
      }),
    )
    .max(16),
  window: z.object({ width: z.int().positive(), height: z.int().positive() }),
  /** Minutes east of UTC, for example 60 in British Summer Time. */
  utc_offset_minutes: z
    .int()
    .min(-14 * 60)
    .max(14 * 60),
});

export type ClientDevice = z.output<typeof clientDeviceInput>;
