/** Data about this browser that HMRC requires (fraud prevention headers, SI 2019/360). */
import { CLIENT_DEVICE_HEADER, type ClientDevice } from '@portal/contract/client-device.ts';

function readClientDevice(): ClientDevice {
  return {
    user_agent: navigator.userAgent.slice(0, 1000),
    // A page can access only the screen that its window is on. HMRC's guidance accepts that for browsers.
    screens: [
      {
        width: Math.max(1, Math.round(screen.width)),
        height: Math.max(1, Math.round(screen.height)),
        scaling_factor: devicePixelRatio > 0 ? devicePixelRatio : 1,
        colour_depth: Math.max(1, screen.colorDepth),
      },
    ],
    window: { width: Math.max(1, Math.round(innerWidth)), height: Math.max(1, Math.round(innerHeight)) },
    // JavaScript counts minutes west of UTC; HMRC expects minutes east.
    utc_offset_minutes: 0 - new Date().getTimezoneOffset(),
  };
}

/** Returns the header for requests that reach HMRC because of this user's click. */
export function getClientDeviceHeader(): Record<string, string> {
  return { [CLIENT_DEVICE_HEADER]: encodeURIComponent(JSON.stringify(readClientDevice())) };
}
