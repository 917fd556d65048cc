/**
 * Browser details for HMRC's fraud prevention headers (docs/reference/hmrc.md section 9), sent as percent-encoded JSON in the
 * `portal-device` header.
 */
import { z } from 'zod/mini';

export const CLIENT_DEVICE_HEADER = 'portal-device';

export const clientDeviceInput = z.object({
  user_agent: z.string().check(z.maxLength(1000)),
  screens: z
    .array(
      z.object({
        width: z.int().check(z.positive()),
        height: z.int().check(z.positive()),
        scaling_factor: z.number().check(z.positive()),
        colour_depth: z.int().check(z.positive()),
      }),
    )
    .check(z.maxLength(16)),
  window: z.object({ width: z.int().check(z.positive()), height: z.int().check(z.positive()) }),
  /** Minutes east of UTC, for example 60 in British Summer Time. */
  utc_offset_minutes: z.int().check(z.minimum(-14 * 60), z.maximum(14 * 60)),
});

export type ClientDevice = z.output<typeof clientDeviceInput>;

/** Sent with automatic reads while the page is unused, so that they don't keep the session alive. */
export const IDLE_HEADER = 'portal-idle';
