import './shell.css';
import { useOnline } from '../lib/online.ts';
import { PlainIcon } from '../ui/plain-icon.tsx';

/** A note while the browser is offline: figures may be old, and nothing can be sent. */
export function OfflineNote() {
  const isOnline = useOnline();
  return (
    <div role="status">
      {!isOnline && (
        <div className="p-offline">
          <PlainIcon name="offline" px={20} />
          You are offline. What you see may be out of date, and nothing you do now is sent.
        </div>
      )}
    </div>
  );
}
